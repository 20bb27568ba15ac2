import CurlTransport
import LosslessJSON
import PlugCore
import TestKit
import Testing

@testable import PlugTesting

struct PlugTestTests {
    private static let golden = "fixtures/contributions.golden.jsonl"
    private static let fixture = "fixtures/contributions.json"

    @Test(arguments: [("wikipedia", "contributions", 5, "with-error"), ("mastodon", "posts", 4, "with-check")])
    func bundledPlugsPass(plug: String, stream: String, records: Int, other: String) async throws {
        let copy = try PlugCopy(plug)
        #expect(
            try await copy.test()
                == PlugTestReport(
                    plug: plug,
                    cases: [
                        .init("\(stream): test 1", .inline, .ok),
                        .init("fixtures/\(stream).json", .fixture, .ok, message: "\(records) records"),
                        .init("fixtures/\(other).json", .fixture, .ok, message: "0 records"),
                    ]
                )
        )
    }

    @Test func aChangedGoldenValueIsNamed() async throws {
        let copy = try PlugCopy("wikipedia")
        try copy.replace(#""change":515"#, #""change":516"#, in: Self.golden)
        let report = try await copy.test()
        #expect(report.outcome == .failed)
        #expect(report.failures.map(\.code) == ["golden-differs"])
        #expect(
            report.failures.first?.message == """
                \(copy.folder)/\(Self.golden):2: record 2 differs
                  .data.change: expected 516, got 515
                help: if the new records are right, --update writes them
                """
        )
    }

    @Test func aCursorThatStandsElsewhereIsNamed() async throws {
        let copy = try PlugCopy("wikipedia")
        try copy.replace(
            #"{"watermark":"2019-02-05T14:05:11Z"}"#,
            #"{"watermark":"2019-02-01T09:12:00Z"}"#,
            in: Self.golden
        )
        let report = try await copy.test()
        #expect(report.failures.map(\.code) == ["golden-differs"])
        #expect(
            report.failures.first?.message == """
                \(copy.folder)/\(Self.golden):6: 'contributions' would continue elsewhere
                  .watermark: expected "2019-02-01T09:12:00Z", got "2019-02-05T14:05:11Z"
                help: if the new cursors are right, --update writes them
                """
        )
    }

    @Test func aGoldenFileWithoutCursorIsTold() async throws {
        let copy = try PlugCopy("wikipedia")
        let cursor = #"{"cursor":{"watermark":"2019-02-05T14:05:11Z"},"stream":"contributions"}"#
        try copy.replace(cursor + "\n", "", in: Self.golden)
        #expect(
            try await copy.test().failures.map(\.message) == [
                """
                \(copy.folder)/\(Self.golden): no line says where 'contributions' continues: \(cursor)
                help: if the new cursors are right, --update writes them
                """
            ]
        )
    }

    @Test func aCursorOfAStreamThatHasNoneAnyMoreIsTold() async throws {
        let copy = try PlugCopy("wikipedia")
        let cursor = #"{"cursor":{"watermark":"2019-02-05T14:05:11Z"},"stream":"contributions"}"#
        try copy.replace(cursor, cursor + "\n" + #"{"cursor":{"watermark":7},"stream":"old"}"#, in: Self.golden)
        #expect(
            try await copy.test().failures.map(\.message) == [
                """
                \(copy.folder)/\(Self.golden):7: nothing says any longer where to continue: {"cursor":{"watermark":7},"stream":"old"}
                help: if the new cursors are right, --update writes them
                """
            ]
        )
    }

    @Test func aChangedInlineTestIsNamed() async throws {
        let copy = try PlugCopy("wikipedia")
        try copy.replace("          change: -12", "          change: -13", in: "plug.yaml")
        let report = try await copy.test()
        #expect(report.failures.map(\.code) == ["inline-differs"])
        let lines = report.failures.first?.message?.split(separator: "\n") ?? []
        #expect(lines.last == "  .change: expected -13, got -12")
    }

    @Test func aRequestWithoutAnswerIsShownBesideTheNearest() async throws {
        let copy = try PlugCopy("wikipedia")
        try copy.replace("uclimit=500", "uclimit=400", in: Self.fixture)
        let report = try await copy.test()
        #expect(report.failures.map(\.code) == ["fixture-mismatch"])
        let message = report.failures.first?.message ?? ""
        #expect(message.contains("(\(copy.folder)/\(Self.fixture):7)\n    query uclimit: expected '400', asked '500'"))
    }

    @Test func anExchangeThatNobodyAskedForFails() async throws {
        let copy = try PlugCopy("wikipedia")
        try copy.replace(
            #""exchanges": ["#,
            #""exchanges": [{"request": {"url": "https://en.wikipedia.org/x"}, "response": {"status": 204}},"#,
            in: Self.fixture
        )
        let report = try await copy.test()
        #expect(report.failures.map(\.code) == ["fixture-unasked"])
        let message = report.failures.first?.message ?? ""
        #expect(message.contains(":6: the plug did not request GET https://en.wikipedia.org/x\n"))
    }

    @Test func aCastOfAMemberThatNoRecordHasIsNamed() async throws {
        let copy = try PlugCopy("wikipedia")
        try copy.replace("{editedAt: time}", "{editedAt: time, publishdAt: time}", in: "plug.yaml")
        let report = try await copy.test()
        #expect(report.failures.map(\.code) == ["cast-unmet"])
        #expect(report.failures.first?.name == "contributions: fields")
        #expect(
            report.failures.first?.message == """
                stream 'contributions': \(copy.folder)/plug.yaml:81:30: 'fields' casts 'publishdAt', which is not in any \
                of the 5 records after 'map'
                help: 'fields' names members of the mapped record, not of the source's record: check the spelling
                """
        )
    }

    @Test func aVersionThatNoRecordHasIsNamed() async throws {
        let copy = try PlugCopy("mastodon")
        let manifest = try copy.text("plug.yaml")
        let line = try #require(manifest.split(separator: "\n").first { $0.contains("    version:") })
        try copy.replace(String(line), "    version: .updatd", in: "plug.yaml")
        let report = try await copy.test(update: true)
        #expect(report.failures.map(\.code) == ["version-unmet"])
        #expect(report.failures.first?.message?.contains("'version' (.updatd) is in none of the 4 records") == true)
    }

    @Test func updateWritesWhatThenPasses() async throws {
        let copy = try PlugCopy("wikipedia")
        let original = try copy.text(Self.golden)
        try copy.remove(Self.golden)
        #expect(try await copy.test().failures.map(\.code) == ["golden-missing"])
        #expect(try await copy.test(update: true).outcome == .updated)
        #expect(try copy.text(Self.golden) == original)
        #expect(try await copy.test(update: true).outcome == .ok)
        #expect(try await copy.test().outcome == .ok)
    }

    @Test func aGoldenFileWithoutFixtureFails() async throws {
        let copy = try PlugCopy("wikipedia")
        try copy.remove(Self.fixture)
        #expect(try await copy.test().failures.map(\.code) == ["golden-orphan"])
    }

    @Test func unknownConfigurationIsPlaced() async throws {
        let copy = try PlugCopy("wikipedia")
        try copy.replace(#""user": "Example editor""#, #""usr": "Example editor""#, in: Self.fixture)
        let failure = try await copy.test().failures.first
        #expect(failure?.code == "fixture-invalid")
        let message = failure?.message ?? ""
        #expect(message.hasPrefix("\(copy.folder)/\(Self.fixture):3:12: the plug 'wikipedia' does not ask for 'usr'"))
    }

    @Test(.fewAtATime) func aSocketGivesTheSameRecords() async throws {
        let folder = PlugCopy.bundled + "/wikipedia"
        let manifest = try PlugCopy.manifest(folder)
        let cassette = try Cassette.load("\(folder)/\(Self.fixture)")
        let replay = FixtureReplay(manifest, cassette, try cassette.answers(for: manifest))
        var policy = NetworkPolicy()
        policy.allowedSourceNetworks = [try #require(CIDR("127.0.0.0/8"))]
        let transport = try HTTPTransport(policy: policy)
        let served = try await ReplayServer.run(cassette) { origin in
            try await replay.records(through: RedirectingTransport(transport, toSourcesAt: origin))
        }
        await transport.shutDown()
        #expect(served.count == 5)
        #expect(try await replay.records() == served)
    }
}
