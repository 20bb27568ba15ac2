import CurlTransport
import LosslessJSON
import PlugCore
import TestKit
import Testing

@testable import PlugFetch

/// What a connection's stored position is worth when its configuration has changed.
struct ConfigChangeTests {
    private static func bench(_ config: String, since: Bool = false, declared: String? = nil) throws -> Bench {
        let declared =
            declared
            ?? "repo: {type: string}, size: {type: integer, default: 2}, token: {type: string, secret: true}"
        var bench = try Bench(
            "config: {\(declared)}\n"
                + "http: {base: \"https://api.test\", retry: {tries: 1}}\n"
                + "streams: {things: {endpoint: t, key: .id, version: none, records: .items, page: {number: {param: p}}, "
                + "request: {path: \"/{{ config.repo // \\\"a\\\" }}\"}"
                + (since ? ", since: {field: .at, type: time, send: {query: {after: time}}}" : "") + "}}\n"
        )
        bench.config = try #require(try JSONValue(parsing: config).object)
        return bench
    }

    /// Three pages for each repository; repository `b` has other records.
    private static func source() -> Script {
        Script { request, _ in
            let at = Int(request.parameter("p") ?? "1") ?? 1
            let first = request.url.description.contains("/b") ? 100 : 0
            return .json(
                at > 3 ? #"{"items":[]}"# : #"{"items":[{"id":\#(first + at),"at":"2026-01-0\#(at)T00:00:00Z"}]}"#
            )
        }
    }

    @Test("an interrupted pass starts over with another configuration, as its page is one of another list")
    func interruptedPass() async throws {
        let (states, source) = (MemoryStates(), Self.source())
        let first = try await Self.bench(#"{"repo":"a"}"#).read(from: source, states, pages: 3)
        #expect(first.ids == [1, 2, 3] && !first.isComplete)
        let bench = try Self.bench(#"{"repo":"b"}"#)
        let second = try await bench.read(from: source, states)
        #expect(second.ids == [101, 102, 103] && second.isComplete)
        // Without a cursor nothing is left out.
        #expect(bench.events.warnings == [])
    }

    @Test("a cursor stays, with a warning that names what has changed and what to do")
    func cursor() async throws {
        let (states, source) = (MemoryStates(), Self.source())
        _ = try await Self.bench(#"{"repo":"a"}"#, since: true).read(from: source, states)
        var bench = try Self.bench(#"{"repo":"b"}"#, since: true)
        bench.options.connection = ConnectionID("anna")
        let second = try await bench.read(from: source, states)
        #expect(second.isComplete)
        #expect(source.sent.last?.parameter("after") == "2026-01-03T00%3A00%3A00Z")
        #expect(bench.events.warnings == ["config-changed"])
        #expect(
            bench.events.messages == [
                "the configuration has changed since the last run ('repo'): the stream continues from its cursor, and records from "
                    + "before it that only the new configuration shows are not read; to read everything again, use 'plughost "
                    + "connection rewind anna --stream things'"
            ]
        )
        // The next run has nothing to tell.
        let third = try Self.bench(#"{"repo":"b"}"#, since: true)
        _ = try await third.read(from: source, states)
        #expect(third.events.warnings == [])
    }

    @Test("a user who says from when to read is not warned")
    func given() async throws {
        let (states, source) = (MemoryStates(), Self.source())
        _ = try await Self.bench(#"{"repo":"a"}"#, since: true).read(from: source, states)
        var bench = try Self.bench(#"{"repo":"b"}"#, since: true)
        bench.options.since = "2025-01-01"
        _ = try await bench.read(from: source, states)
        #expect(bench.events.warnings == [])
    }

    @Test(
        "a secret, a default that is written out, a key that the manifest has gained or lost, and an order change nothing",
        arguments: [
            (#"{"repo":"a","token":"new-0123456789"}"#, nil), (#"{"size":2,"repo":"a"}"#, nil),
            (
                #"{"repo":"a"}"#,
                "repo: {type: string}, size: {type: integer, default: 2}, new: {type: string, default: x}"
            ),
            (#"{"repo":"a"}"#, "repo: {type: string}"),
        ] as [(String, String?)]
    )
    func unchanged(config: String, declared: String?) async throws {
        let (states, source) = (MemoryStates(), Self.source())
        let before = try Self.bench(#"{"repo":"a","token":"old-0123456789"}"#, since: true)
        _ = try await before.read(from: source, states, pages: 2)
        let bench = try Self.bench(config, since: true, declared: declared)
        let second = try await bench.read(from: source, states)
        #expect(bench.events.warnings == [])
        #expect(second.ids == [3])
    }

    @Test("a value that is withdrawn is a change; a state of an earlier version says nothing")
    func withdrawn() async throws {
        let (states, source) = (MemoryStates(), Self.source())
        _ = try await Self.bench(#"{"repo":"a"}"#, since: true).read(from: source, states)
        let bench = try Self.bench("{}", since: true)
        _ = try await bench.read(from: source, states)
        #expect(bench.events.warnings == ["config-changed"])

        let old = MemoryStates()
        let watermark = try #require(states.value()?["watermark"])
        old.commit(["": PartState(watermark: watermark).state])
        let other = try Self.bench(#"{"repo":"b"}"#, since: true)
        _ = try await other.read(from: source, old)
        #expect(other.events.warnings == [])
    }
}
