import Archives
import Decoding
import LosslessJSON
import PlugCore
import Testing

@testable import PlugManifest

struct ArchiveKeyTests {
    private static func read(
        _ stream: String,
        config: String = "{export: {type: file}}",
        hosts: String = "[]",
        more: String = ""
    ) -> ManifestResult {
        let header = Sample.header.replacing("[api.example.org]", with: hosts)
        return Sample.read(
            header
                + "config: \(config)\n\(more)streams:\n  things:\n    endpoint: things\n    key: [.id]\n    version: none\n"
                + stream.split(separator: "\n").map { "    \($0)\n" }.joined()
        )
    }

    private static let archive = #"archive: {file: "{{ config.export }}", entries: "**/*.json"}"#

    @Test func aStreamMayBeReadFromAnExport() throws {
        let manifest = try Sample.manifest(Self.read("\(Self.archive)\nrecords: .items[]"))
        let stream = try #require(manifest.streams.first)
        #expect(stream.request == nil)
        #expect(stream.archive == ArchiveSource(file: "export", entries: [try #require(EntryPattern("**/*.json"))]))
        #expect(stream.decoding == AnswerDecoding(format: .json(JSONList(path: ["items"])), charset: nil))
        #expect(stream.archive?.takes("a/b.json") == true)
        for strange in ["__MACOSX/a/b.json", "a/._b.json", "._b.json", "b.json/"] {
            #expect(stream.archive?.takes(strange) == false, "\(strange)")
        }
        for plain in ["b.json", "a/_.json", "a._/b.json", ".b.json"] {
            #expect(stream.archive?.takes(plain) == true, "\(plain)")
        }
        #expect(manifest.readsArchivesOnly(["things"]))
    }

    @Test(arguments: [("", 64 << 20), ("16MiB", 16 << 20), ("100MiB", 100 << 20), ("2GiB", 1 << 30)])
    func anEntryThatIsReadAsAWholeMayHave(_ size: String, _ bytes: Int) throws {
        let http = size.isEmpty ? "" : "http: {max_body: \(size)}\n"
        let manifest = try Sample.manifest(Self.read("\(Self.archive)\nrecords: .items | length", more: http))
        #expect(manifest.http.answers.entry == bytes)
    }

    @Test(arguments: [
        (".", []), ("'.a.b[] | select(.c)'", ["a", "b"]), ("'.items | length'", nil), ("'.a as $a | .items[]'", nil),
    ])
    func recordsSayWhichListIsReadInPieces(_ records: String, _ path: [String]?) throws {
        let manifest = try Sample.manifest(Self.read("\(Self.archive)\nrecords: \(records)"))
        #expect(manifest.streams.first?.decoding?.format == .json(JSONList(path: path)))
    }

    @Test func whatIsDecodedIsAsForAnswers() throws {
        let manifest = try Sample.manifest(Self.read("\(Self.archive)\ndecode: mbox"))
        #expect(manifest.streams.first?.decoding == AnswerDecoding(format: .mailbox, charset: nil))
        let html = try Sample.manifest(Self.read("\(Self.archive)\ndecode: {html: {encoding: latin1}}"))
        #expect(html.streams.first?.decoding == AnswerDecoding(format: .tables, charset: Charset("latin1")))
    }

    @Test(arguments: [
        (#"archive: {file: export.zip, entries: "*"}"#, "bad-archive"),
        (#"archive: {file: "{{ config.user }}", entries: "*"}"#, "bad-archive"),
        (#"archive: {file: "{{ config.export }}.zip", entries: "*"}"#, "bad-archive"),
        (#"archive: {file: "{{ config.export }}", entries: "/etc/*"}"#, "bad-archive"),
        (#"archive: {file: "{{ config.export }}", entries: ["a", "../b"]}"#, "bad-archive"),
        (#"archive: {file: "{{ config.export }}"}"#, "missing-key"),
        (#"archive: {file: "{{ config.export }}", entries: "*", decode: csv}"#, "unknown-key"),
    ])
    func anExportThatIsNone(_ archive: String, _ code: String) {
        let result = Self.read(archive, config: "{export: {type: file}, user: {type: string}}")
        #expect(Sample.codes(result) == [code], "\(Sample.print(result))")
    }

    @Test(arguments: [
        ("page: {next: .n}", ["unknown-key"]), ("since: {field: .at, type: time}", ["unknown-key"]),
        ("on: [{status: 404, do: skip}]", ["unknown-key"]), ("request: {path: /x}", ["bad-host", "unknown-key"]),
    ])
    func whatBelongsToRequestsIsRefused(_ line: String, _ codes: [String]) {
        let result = Self.read("\(Self.archive)\n\(line)")
        #expect(Sample.codes(result) == codes, "\(Sample.print(result))")
    }

    @Test func aFileIsNamedByAPersonAndUsedNowhereElse() {
        let preset = Self.read(Self.archive, config: "{export: {type: file, default: /etc/passwd}}")
        #expect(Sample.codes(preset).first == "file-use")
        let mapped = Self.read("\(Self.archive)\nmap: '{path: config.export}'")
        #expect(Sample.codes(mapped) == ["file-use"], "\(Sample.print(mapped))")
        let sent = Sample.read(
            Sample.header + "config: {export: {type: file}}\n" + Sample.http
                + Sample.stream.replacing("path: /things", with: "path: /things, query: {f: \"{{ config.export }}\"}")
        )
        #expect(Sample.codes(sent) == ["file-use"], "\(Sample.print(sent))")
    }

    @Test func programsSeeNoFilesAndConnectionsAreNotNamedByThem() throws {
        let manifest = try Sample.manifest(
            Self.read(Self.archive, config: "{export: {type: file}, user: {type: string}}")
        )
        let config = JSONObject([("export", .text("/home/ada/a.zip")), ("user", .text("ada"))])
        #expect(manifest.withoutSecrets(config) == .object(JSONObject([("user", .text("ada"))])))
        #expect(JSONValue.object(manifest.withoutFiles(config)) == .object(JSONObject([("user", .text("ada"))])))
    }

    @Test func hostsAreNeededOnlyWhereSomethingIsRequested() {
        #expect(Sample.codes(Self.read(Self.archive)) == [])
        #expect(Sample.codes(Self.read("request: {path: \"https://x.example/\"}")).contains("bad-host"))
    }

    @Test(arguments: [
        ("café", "café"), ("cafÃ©", "café"), ("ð\u{9F}\u{98}\u{80}", "😀"), ("plain", "plain"), ("日本 Ã©", "日本 é"),
        ("cafÃ© “x”", "café “x”"), ("cafÃ© â\u{98}\u{95} Ã", "café ☕ Ã"), ("â\u{98}cafÃ©", "â\u{98}café"),
        ("café Ã©", "café é"),
        ("é", "é"), ("Ã", "Ã"), ("", ""),
    ])
    func textsWhoseBytesWereTakenForCharactersAreRepaired(_ text: String, _ meant: String) {
        #expect(Mojibake.repaired(.text(text)) == .text(meant))
    }

    @Test func listsAndObjectsAreRepairedAsAWhole() throws {
        let value = try JSONValue(parsing: #"{"Ã©":["Ã¸",1.10,{"a":"Ã¥"}],"b":null}"#)
        #expect(Mojibake.repaired(value).compactText == #"{"é":["ø",1.10,{"a":"å"}],"b":null}"#)
    }
}
