import Foundation
import JQ
import LosslessJSON
import PlugCore
import PlugModules
import TestKit
import Testing

@testable import PlugManifest

struct ManifestReaderTests {
    @Test func everyKeyReachesTheModel() throws {
        let result = Sample.read(everyKey)
        let manifest = try Sample.manifest(result)
        #expect(Sample.codes(result) == ["identity-off", "version-denied"])
        #expect(manifest.id == "every-key" && manifest.version == "1.20.3" && manifest.namespace == "everything")
        #expect(manifest.released == "2026-11-21")
        #expect(
            manifest.hosts.map(\.text) == ["api.x.org", "127.0.0.1:9930", "*.wikipedia.org", "{{ config.instance }}"]
        )
        #expect(manifest.application?["developer"]?["country"]?.stringText == "no")
        #expect(manifest.application?["info"]?["published"]?.bool == true)
        let defaults = manifest.config.map { "\($0.name) \($0.type) \($0.default?.compactText ?? "-") \($0.isSecret)" }
        #expect(
            defaults == [
                "user string \"no\" false", "api_key string - true", "instance host \"127.0.0.1:9930\" false",
                "count integer 9007199254740993 false", "ratio number 1.10 false", "deep boolean true false",
                "start date \"2020-01-01\" false", "units string \"metric\" false",
            ]
        )
        #expect(manifest.config[7].choices.map(\.compactText) == ["\"metric\"", "\"imperial\""])
        #expect(manifest.vars.map(\.name) == ["agent", "again"])
        guard case .keys(let keys) = manifest.authorization, let value = keys.first?.value else { throw Failure() }
        #expect(keys.map(\.name) == ["X-Key"] && keys.map(\.place) == [.header])
        #expect(value.isWhole && value.source == "{{ config.api_key }}")
        let values = JSONObject([("user", .text("u")), ("api_key", .text("s"))])
        #expect(manifest.withoutSecrets(values).compactText == #"{"user":"u"}"#)
    }

    @Test func theConnectionsSettingsReachTheModel() throws {
        let http = try Sample.manifest(Sample.read(everyKey)).http
        #expect(http.base?.source == "https://api.x.org/v1")
        #expect(http.headers.map(\.name) == ["Accept", "X-Agent"])
        #expect(http.answers.timeout == .seconds(45) && http.concurrency == 4)
        #expect(
            http.limits == [
                RateLimit(count: 100, per: .seconds(900), burst: nil), RateLimit(count: 5, per: .seconds(1), burst: 2),
            ]
        )
        #expect(http.retry == Retry(tries: 3, maximumWait: .seconds(3600)))
        #expect(http.rules.map(\.action) == [.skip, .limit])
        #expect(http.rules[1].status.contains(403) && http.rules[1].status.contains(599))
        #expect(!http.rules[1].status.contains(404) && http.rules[0].status.contains(404))
        let plain = try Sample.manifest(Sample.with("")).http
        #expect(plain.answers.timeout == .seconds(30) && plain.concurrency == nil)
        #expect(plain.retry == Retry(tries: 5, maximumWait: .seconds(900)))
    }

    @Test func streamsReachTheModelInFileOrder() throws {
        let manifest = try Sample.manifest(Sample.read(everyKey))
        #expect(manifest.streams.map(\.name) == ["boards", "cards", "links", "offsets", "nexts", "days", "feed"])
        let boards = try #require(manifest.stream("boards"))
        #expect(boards.path == nil && boards.key.isEmpty && boards.parent == nil && boards.options.hasIdentity)
        guard case .number("p", 0, nil)? = boards.paging?.kind else { throw Failure() }
        #expect(boards.paging?.maximum == 7 && boards.paging?.stop == .empty && boards.paging?.more != nil)
        let cards = try #require(manifest.stream("cards"))
        #expect(cards.path?.description == "everything/cards/all")
        #expect(cards.parent?.onlyStream == "boards" && cards.parent?.lineage == ["board"])
        #expect(cards.request?.method == .post && cards.request?.query.map(\.name) == ["limit", "since", "deep"])
        #expect(cards.key.count == 2 && cards.declaresVersion && cards.version != nil && cards.dropIf != nil)
        #expect(cards.fields.map(\.name) == ["a", "b", "c", "d", "e", "f", "g"])
        #expect(
            cards.fields.map(\.cast.signature) == [
                "time", "date(%d.%m.%Y|epoch|Europe/Berlin)", "integer(.|')", "decimal(,| )", "string",
                "boolean(0=false|1=true|no=false|yes=true)", "any",
            ]
        )
        #expect(cards.options.every == .seconds(900))
        #expect(cards.tests[0].input.compactText == #"{"id":1.10,"at":"no"}"#)
        #expect(cards.tests[0].output.compactText == "[null]")
        #expect(cards.recordGlobals.names == ["parent", "config", "board"])
        guard case .cursor(_, "after", nil)? = cards.paging?.kind else { throw Failure() }
        #expect(cards.paging?.place == .json && cards.paging?.maximum == 10_000 && cards.paging?.size == 50)
        let links = try #require(manifest.stream("links"))
        #expect(
            links.key.count == 1 && links.declaresVersion && links.version == nil && links.request?.path.isWhole == true
        )
        let offsets = try #require(manifest.stream("offsets"))
        guard case .offset("o", 100, "n", 1)? = offsets.paging?.kind else { throw Failure() }
        #expect(!offsets.options.hasIdentity && offsets.paging?.stop == .short && offsets.paging?.size == 100)
    }

    @Test func sinceReachesTheModel() throws {
        let manifest = try Sample.manifest(Sample.read(everyKey))
        let since = try #require(manifest.stream("cards")?.since)
        #expect(
            since.type == .epochMilliseconds && since.order == .ascending && since.from?.source == "{{ config.start }}"
        )
        #expect(since.send == [Since.Bound(place: .query, name: "after", format: .epochMilliseconds)])
        #expect(since.until == [Since.Bound(place: .query, name: "before", format: .internet)])
        guard case .duration(.seconds(3600))? = since.overlap else { throw Failure() }
        let plain = try #require(manifest.stream("offsets")?.since)
        guard case .number(let overlap)? = plain.overlap else { throw Failure() }
        #expect(overlap.text == "10" && plain.order == .none && plain.type == .integer)
    }

    @Test func programsAreCompiledWithWhatTheySee() throws {
        let manifest = try Sample.manifest(Sample.read(everyKey))
        let cards = try #require(manifest.stream("cards"))
        let globals = cards.recordGlobals.values(
            parents: [.object(JSONObject([("id", .integer(7))]))],
            config: .object(JSONObject([("user", .text("ada"))]))
        )
        let record = JSONValue.object(JSONObject([("id", .integer(1))]))
        let outputs = try cards.map?.run(record, globals: globals)
        #expect(outputs?.map(\.compactText) == [#"{"id":1,"board":7,"user":"ada"}"#])
        let keys = try cards.key.flatMap { try $0.run(record, globals: globals) }
        #expect(keys.map(\.compactText) == ["1", "7"])
    }

    @Test func theExampleIsAManifestAndShowsEveryKey() throws {
        let root = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../..").standardized
        let result = try ManifestReader.load(root.appending(path: "plug.yaml.example").path)
        #expect(Sample.print(result) == "")
        #expect(result.manifest?.streams.map(\.name) == ["things"])
        for table in Tables.all {
            for key in table.names {
                let pattern = try Regex("(?m)^[ #]*(?:- )?.*\\b\(key):")
                #expect(result.source.text.firstMatch(of: pattern) != nil, "\(key) of \(table.name)")
            }
        }
    }

    /// The example with every `#` taken away from its keys, as far as they can stand together.
    @Test func whatTheExampleCommentsOutIsRightToo() throws {
        let result = try read(uncommented(leavingOut: Self.alternatives))
        #expect(Sample.print(result) == "")
        #expect(result.manifest?.streams.map(\.name) == ["things", "details", "journal", "exported"])
    }

    /// What is decoded, whose answers hold nothing but records.
    @Test func whatTheExampleDecodesIsRightToo() throws {
        let others = Self.alternatives.filter { $0 != "decode:" } + ["page:"]
        #expect(Sample.print(try read(uncommented(leavingOut: others))) == "")
    }

    /// Each way to authenticate that the example shows, in place of the one that is not commented out.
    @Test(arguments: [
        "basic:", "key: {in", "key: [{in", "any_of:", "sign:", "oauth1:\n  consumer", "oauth1:\n  provider",
        "oauth1: {", "aws:", "login:",
        "oauth2:\n  provider", "oauth2: {grant: dev",
        "oauth2: {grant: cli",
        "oauth2: {grant: ref", "oauth2:\n  grant",
    ])
    func eachWayToAuthenticateOfTheExampleIsRight(start: String) throws {
        let others = Self.alternatives.filter { !$0.hasPrefix(start) }
        let result = try read(uncommented(leavingOut: others + ["bearer:"]))
        #expect(Sample.print(result) == "")
        #expect(result.manifest?.check != nil)
    }

    private static let alternatives = [
        "basic:", "key: {in", "key: [{in", "any_of:", "sign:", "oauth1:\n  consumer", "oauth1:\n  provider",
        "oauth1: {", "aws:", "login:",
        "oauth2:\n  provider", "oauth2: {grant: dev",
        "oauth2: {grant: cli",
        "oauth2: {grant: ref", "oauth2:\n  grant", "check: {request", "link:", "number:", "offset:", "cursor:",
        "base: \"{{", "quota_headers: {remaining: X-Quota-Left, wait", "quota_headers: {used",
        "exec:", "tap_stream:", "method:", "json:", "form:", "text:", "graphql:", "in: query", "stop:", "only_first:",
        "decode:",
    ]

    /// The fetcher in Swift that the example names.
    private struct JournalExport: StreamFetcher {
        init(_ context: FetchContext) {}
        func page(after cursor: JSONValue?) async throws -> StreamPage { StreamPage([], cursor: nil, isLast: true) }
    }

    private func read(_ text: String) throws -> ManifestResult {
        let fetchers = try FetcherRegistry([JournalExport.self])
        return ManifestReader.read(path: "plug.yaml", text: Array(text.utf8), fetchers: fetchers)
    }

    /// The example with every `#` taken away, but without the keys that begin with these texts and what is below them.
    private func uncommented(leavingOut alternatives: [String]) throws -> String {
        let root = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../..").standardized
        let text = try String(contentsOf: root.appending(path: "plug.yaml.example"), encoding: .utf8)
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false).compactMap { line -> String? in
            let content = line.drop(while: { $0 == " " })
            guard content.hasPrefix("#") else { return String(line) }
            guard content.hasPrefix("# ") else { return nil }
            let inner = content.dropFirst(2)
            if inner.drop(while: { $0 == " " }).hasPrefix("##") { return nil }
            return String(repeating: " ", count: line.count - content.count) + inner
        }
        var kept: [String] = []
        var leftOut: Int?
        for (at, line) in lines.enumerated() {
            let indent = line.prefix { $0 == " " }.count
            if let depth = leftOut, indent > depth || line.isEmpty { continue }
            leftOut = nil
            let next = at + 1 < lines.count ? "\n" + lines[at + 1].dropFirst(indent) : ""
            let key = line.dropFirst(indent) + next
            if alternatives.contains(where: key.hasPrefix) { leftOut = indent } else { kept.append(line) }
        }
        return kept.joined(separator: "\n")
    }

    @Test func aFolderMeansItsManifest() throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "plug-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let missing = #expect(throws: PlugError.self) { try ManifestReader.load(folder.path) }
        #expect(missing?.code == "manifest-missing" && missing?.exit == .configuration)
        try everyKey.write(to: folder.appending(path: "plug.yaml"), atomically: true, encoding: .utf8)
        let result = try ManifestReader.load(folder.path)
        #expect(result.manifest?.id == "every-key" && result.source.path == folder.path + "/plug.yaml")
        #expect(throws: PlugError.self) { try ManifestReader.load(folder.path + "/other.yaml") }
        let device = #expect(throws: PlugError.self) { try ManifestReader.load("/dev/zero") }
        #expect(device?.code == "manifest-unreadable")
    }

    private struct Failure: Error {}
}
