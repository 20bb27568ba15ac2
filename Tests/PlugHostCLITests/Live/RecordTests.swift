import CurlTransport
import Foundation
import LosslessJSON
import PlugCore
import PlugManifest
import PlugModules
import PlugTesting
import TestKit
import Testing

@testable import PlugHostCLI

@Suite(.fewAtATime)
struct RecordTests {
    private static let keys = [
        "config: {token: {type: string, secret: true}, user: {type: string}}",
        "auth: {bearer: {token: '{{ config.token }}'}}",
    ]

    /// Records from the service of canaries.
    private func record(_ options: [String] = [], _ body: (Ended, String) async throws -> Void) async throws {
        let server = try CanaryService.start()
        defer { server.stop() }
        try await Program.withFolder { folder in
            try WrittenSource.write(streams: CanaryService.streams, keys: Self.keys, to: folder)
            try FilesHere.write(CanaryService.token, to: "\(folder)/token")
            let ended = await Program.run(
                ["record", folder, "--config", "token=@\(folder)/token", "--config", "user=ada-canary"] + options
                    + WrittenSource.options(server),
                clock: SystemClock()
            )
            try await body(ended, folder)
        }
    }

    @Test func nothingOfThePersonIsLeft() async throws {
        try await record(["--json"]) { ended, folder in
            #expect(ended.status == .done, "\(ended.errors)")
            #expect(ended.json.first?["records"] == .integer(10))
            let fixture = try FilesHere.read("\(folder)/fixtures/recorded.json")
            let golden = try FilesHere.read("\(folder)/fixtures/recorded.golden.jsonl")
            for canary in CanaryService.canaries {
                #expect(!fixture.lowercased().contains(canary.lowercased()), "\(canary)")
                #expect(!golden.lowercased().contains(canary.lowercased()), "\(canary)")
            }
            // Three letters come together by chance inside of words.
            #expect(!(fixture + golden).lowercased().split { !$0.isLetter }.contains("ada"))
            let test = await Program.run(["test", folder])
            #expect(test.status == .done, "\(test.output)")
            // What a plug reads stays what it was.
            let value = try JSONValue(parsing: fixture)
            let posts = try #require(value["exchanges"]?.elements?.first { $0["response"]?["status"] == .integer(200) })
            let record = try #require(posts["response"]?["body"]?["data"]?.elements?.first)
            #expect(record["type"] == .text("post"))
            #expect(record["status"] == .text("published"))
            #expect(record["public"] == .bool(true))
            #expect(posts["response"]?["body"]?["meta"]?["total"] == .integer(6))
            #expect(record["author"]?["login"] == value["config"]?["user"])
            #expect(record["id"]?.compactText.count == 16)
            #expect(
                posts["response"]?["headers"]?.object?.keys.map(\.text)
                    == ["Content-Type", "X-RateLimit-Remaining", "Link"]
            )
            #expect(value["exchanges"]?.elements?.first?["response"]?["status"] == .integer(500))
        }
    }

    @Test(arguments: ["auth", "b64", "hex", "url"])
    func aSecretThatTheAuthorWouldKeepIsRefused(_ member: String) async throws {
        try await record(["--keep", member, "--stream", "posts"]) { ended, folder in
            // What has the form of a credential is replaced even so.
            if member != "url" {
                #expect(ended.status == .done)
                return
            }
            #expect(ended.status == .failed)
            #expect(ended.errors.contains("error: [record-secret]"), "\(ended.errors)")
            #expect(!ended.errors.contains("s3cret"))
            #expect(!FileManager.default.fileExists(atPath: "\(folder)/fixtures"))
        }
    }

    @Test func membersCanBeKept() async throws {
        try await record(["--keep", "code", "--keep", "jwt", "--stream", "posts", "--name", "kept"]) { ended, folder in
            #expect(ended.status == .done, "\(ended.errors)")
            let text = try FilesHere.read("\(folder)/fixtures/kept.json")
            #expect(text.contains("\"code\": 90210"))
            #expect(!text.contains("eyJhbGci"))
        }
    }

    @Test func aFixtureThatIsThereIsNotReplaced() async throws {
        try await record { ended, folder in
            #expect(ended.status == .done, "\(ended.errors)")
            let before = try FilesHere.read("\(folder)/fixtures/recorded.json")
            let again = await Program.run(["record", folder, "--config", "user=x"])
            #expect(again.status == .failed)
            #expect(again.errors.contains("[record-exists]"))
            #expect(try FilesHere.read("\(folder)/fixtures/recorded.json") == before)
        }
    }

    @Test func aPlugThatLooksIntoWhatIsReplacedIsTold() async throws {
        let server = try WrittenSource.serve { request in
            let next = Base64.encoded(Array("page two".utf8))
            return (
                200, [], request.target.contains("page=") ? #"{"i":[],"n":null}"# : #"{"i":[{"id":1}],"n":"\#(next)"}"#
            )
        }
        defer { server.stop() }
        try await Program.withFolder { folder in
            let stream = """
                items:
                  endpoint: items
                  request: {path: /items}
                  records: .i
                  page: {cursor: {from: 'if .n == null then null else (.n | @base64d | if . == "page two" then . else error("no page") end) end', param: page}}
                  key: [.id]
                  version: none
                """
            try WrittenSource.write(streams: stream, to: folder)
            let lost = await Program.run(["record", folder] + WrittenSource.options(server))
            #expect(lost.status == .failed)
            #expect(lost.errors.contains("[record-diverged]"), "\(lost.errors)")
            let kept = await Program.run(["record", folder, "--keep", "n"] + WrittenSource.options(server))
            #expect(kept.status == .done, "\(kept.errors)")
        }
    }

    @Test func aDayFromWhichOnRecordsAreReadMovesWithThem() async throws {
        let server = try WrittenSource.serve { _ in
            let items = (1...3).map { "{\"id\":\"a\($0)\",\"at\":\"2026-11-2\($0)T10:00:00Z\"}" }.joined(separator: ",")
            return (200, ["Content-Type: application/json"], "{\"items\":[\(items)],\"@odata.count\":3,\"next\":null}")
        }
        defer { server.stop() }
        try await Program.withFolder { folder in
            let stream = """
                items:
                  endpoint: items
                  request: {path: /items}
                  records: .items
                  page: {cursor: {from: .next, param: after}, total: '."@odata.count"'}
                  since: {field: .at, type: time, from: "{{ config.start }}", send: {query: {since: time}}}
                  key: [.id]
                  version: none
                """
            try WrittenSource.write(
                streams: stream,
                keys: ["config: {start: {type: date, default: \"2026-11-20\"}}"],
                to: folder
            )
            let ended = await Program.run(["record", folder] + WrittenSource.options(server), clock: SystemClock())
            #expect(ended.status == .done, "\(ended.errors)")
            let fixture = try JSONValue(parsing: FilesHere.read("\(folder)/fixtures/recorded.json"))
            let start = try #require(fixture["config"]?["start"]?.stringText)
            #expect(start < "2026-01-01")
            let answer = try #require(fixture["exchanges"]?.elements?.first?["response"]?["body"])
            #expect(answer["@odata.count"] == .integer(3))
            let first = try #require(answer["items"]?.elements?.first?["at"]?.stringText)
            #expect(start < first)
            let test = await Program.run(["test", folder])
            #expect(test.status == .done, "\(test.output)")
        }
    }

    @Test func aTextInADeclaredEncodingIsText() throws {
        let bytes = Array("Name;Wert\r\n".utf8) + [0x4D, 0xFC, 0x6C, 0x6C, 0x65, 0x72] + Array(";1\r\n".utf8)
        let declared = try WrittenText.manifest("decode: {csv: {separator: ';', encoding: windows-1252}}")
        let utf8 = RecordedText(declared).utf8(bytes, type: "text/csv")
        #expect(utf8.map { String(decoding: $0, as: UTF8.self) } == "Name;Wert\r\nMüller;1\r\n")
        let plain = try WrittenText.manifest("decode: {csv: {separator: ';'}}")
        #expect(RecordedText(plain).utf8(bytes, type: "text/csv; charset=\"iso-8859-1\"") == utf8)
        #expect(RecordedText(plain).utf8(bytes, type: "text/csv") == nil)
        #expect(RecordedText(declared).utf8([0x50, 0x4B, 3, 4, 0, 0, 0, 0], type: "text/csv") == nil)
    }

    /// The bundled plugs' fixtures, each recorded anew from the answers that it has.
    private static let fixtures: [String] = {
        let plugs = "\(Program.root)/Plugs"
        let names = (try? FileManager.default.subpathsOfDirectory(atPath: plugs)) ?? []
        // Deeper down are the files of exports.
        return names.filter {
            $0.split(separator: "/").count == 3 && $0.contains("/fixtures/") && $0.hasSuffix(".json")
        }
        .sorted()
    }()

    @Test(arguments: fixtures)
    func whatAPlugReadsCanBeRecorded(_ fixture: String) async throws {
        let path = "\(Program.root)/Plugs/\(fixture)"
        let cassette = try Cassette.load(path)
        // Others end with an error, begin in the middle of something, go on after the first pass, have no records, or ask for nothing.
        guard cassette.failure == nil, cassette.grant == nil, cassette.before.isEmpty,
            cassette.account == nil, cassette.passes == 1
        else {
            return
        }
        let folder = "\(Program.root)/Plugs/\(fixture.prefix { $0 != "/" })"
        let manifest = try #require(try ManifestReader.load(folder, fetchers: .ofBundledPlugs).manifest)
        if let stream = cassette.stream, manifest.stream(stream)?.archive != nil { return }
        // What a fetcher in Swift reads of an answer, nobody knows but its code.
        if manifest.streams.contains(where: { $0.module != nil }) { return }
        var policy = NetworkPolicy()
        policy.allowedSourceNetworks = [try #require(CIDR("127.0.0.0/8"))]
        let transport = try HTTPTransport(policy: policy)
        let golden = try FilesHere.read(path.replacing(".json", with: ".golden.jsonl"))
        let result = try await ReplayServer.run(cassette) { origin in
            let plug = LivePlug(
                manifest,
                config: try cassette.answers(for: manifest),
                accessToken: Secret("tok-of-a-consent"),
                over: RedirectingTransport(transport, toSourcesAt: origin),
                clock: ReplayClock(cassette.now)
            )
            let context = CommandContext(output: TextSink(), errors: TextSink())
            return try await Recording(
                plug: plug,
                stream: cassette.stream,
                pages: 100,
                // Days in lists of numbers, which a program of this plug takes apart.
                kept: fixture.hasPrefix("lichess/") ? ["points"] : [],
                trace: nil,
                talk: RunTalk(context, printsRecords: false)
            ).make("again")
        }
        await transport.shutDown()
        // Of events that recur, the days decide how many there are.
        if fixture.hasPrefix("ics/") { return #expect(result.records > 0) }
        #expect(result.records == golden.split(separator: "\n").count { $0.hasPrefix("{\"data\":") })
    }
}

/// A plug with one stream.
private enum WrittenText {
    static func manifest(_ key: String) throws -> Manifest {
        let text = """
            plug: bank
            api: 1
            version: 1.0.0
            hosts: [api.example.org]
            http: {base: "https://api.example.org"}
            streams: {items: {endpoint: items, request: {path: /i}, key: .Name, version: none, \(key)}}

            """
        return try #require(ManifestReader.read(path: "plug.yaml", text: Array(text.utf8)).manifest)
    }
}
