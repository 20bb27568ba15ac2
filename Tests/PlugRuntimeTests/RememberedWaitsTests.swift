import CurlTransport
import LosslessJSON
import PlugCore
import PlugStorage
import Synchronization
import TestKit
import Testing
import Throttling

@testable import PlugRuntime

/// Whole runs of a manifest's own fetcher: what one leaves for the next.
struct RememberedWaitsTests {
    /// A source and a PDA on one wire. The source answers as it is told, and knows its entity tag.
    private final class Wire: HTTPSending {
        enum Source { case page(String, tag: String?), status(Int, retryAfter: String?), gone }

        let pda = ModelPDA()
        private let state: Mutex<(source: Source, asked: [String?])>
        private let isPDADown = Mutex(false)

        init(_ source: Source) { state = Mutex((source, [])) }

        /// The condition of each request to the source.
        var asked: [String?] { state.withLock { $0.asked } }
        func answer(_ source: Source) { state.withLock { $0.source = source } }
        func breakPDA(_ isDown: Bool) { isPDADown.withLock { $0 = isDown } }

        func send(_ request: HTTPRequest) async throws(HTTPError) -> HTTPResponse {
            if request.side == .pda {
                if isPDADown.withLock({ $0 }) { throw HTTPError(.cannotConnect, "alice.example:443 does not answer") }
                return try await pda.send(request)
            }
            let condition = HTTPHeaders(request.headers).first("If-None-Match")
            let source = state.withLock { state in
                state.asked.append(condition)
                return state.source
            }
            switch source {
            case .page(_, let tag) where tag != nil && tag == condition:
                return HTTPResponse(status: 304, url: request.url)
            case .page(let body, let tag):
                let headers = HTTPHeaders(tag.map { [HTTPHeader("ETag", $0)] } ?? [])
                let body = JSONBuffer(Array(body.utf8))
                return HTTPResponse(status: 200, headers: headers, body: body, url: request.url)
            case .status(let status, let value):
                let headers = HTTPHeaders(value.map { [HTTPHeader("Retry-After", $0)] } ?? [])
                return HTTPResponse(status: status, headers: headers, url: request.url)
            case .gone: throw HTTPError(.cannotConnect, "api.example.org:443 does not answer")
            }
        }
    }

    private let clock = StillClock()
    private let store: any PlugStore = MemoryStore(clock: StillClock())

    private func run(
        _ wire: Wire,
        _ throttling: RequestThrottling? = nil,
        _ change: (inout RunRequest) -> Void = { _ in }
    ) async throws -> RunReport {
        var request = RunRequest(
            manifest: try manifest([("items", ["records: .", "key: [.id]"])]),
            pda: "https://alice.example",
            token: token(),
            config: ["user": .text("ada"), "key": .text("secret")]
        )
        request.connection = "ada"
        change(&request)
        return await PlugRun(request, store: store, transport: wire, clock: clock, throttling: throttling).run()
    }

    private static let two = #"[{"id":1},{"id":2}]"#

    @Test func anUnchangedSourceIsNotReadAndWhatWasProvedStaysKnown() async throws {
        let wire = Wire(.page(Self.two, tag: "\"v1\""))
        #expect(try await run(wire).line == "done 0: items 2 fetched, 2 delivered")
        for _ in 0..<3 {
            let report = try await run(wire)
            #expect(report.line == "done 0: items ")
            #expect(report.streams[0].counts.requests == 1)
        }
        // Had an unchanged pass taken the last one's place, these two would be sent again.
        wire.answer(.page(#"[{"id":1},{"id":2},{"id":3}]"#, tag: "\"v2\""))
        #expect(try await run(wire).line == "done 0: items 3 fetched, 1 delivered, 2 known")
        #expect(wire.pda.requests == 2)
        #expect(wire.asked == [nil, "\"v1\"", "\"v1\"", "\"v1\"", "\"v1\""])
    }

    @Test func aPageThatWasNotDeliveredIsReadAgain() async throws {
        let wire = Wire(.page(Self.two, tag: "\"v1\""))
        wire.breakPDA(true)
        let first = try await run(wire) { $0.limits.outbox.streamBytes = 0 }
        #expect(first.line == "failed 69 pda-unreachable: items 2 fetched, 2 undelivered")
        wire.breakPDA(false)
        #expect(try await run(wire).line == "done 0: items 2 fetched, 2 delivered")
        #expect(wire.asked == [nil, nil])
    }

    @Test func aPageThatWaitsInTheOutboxIsNotReadAgain() async throws {
        let wire = Wire(.page(Self.two, tag: "\"v1\""))
        wire.breakPDA(true)
        #expect(try await run(wire).streams[0].counts.queued == 2)
        wire.breakPDA(false)
        let report = try await run(wire)
        #expect(report.line == "done 0: items ")
        #expect(report.outbox.drained == 2)
        #expect(wire.asked == [nil, "\"v1\""])
        #expect(wire.pda.stored.count == 2)
    }

    @Test func resendReadsWhatHasNotChanged() async throws {
        let wire = Wire(.page(Self.two, tag: "\"v1\""))
        _ = try await run(wire)
        let report = try await run(wire) { $0.resends = true }
        #expect(report.line == "done 0: items 2 fetched, 2 duplicates")
        #expect(wire.asked == [nil, nil])
    }

    @Test func aClosedSourceIsNotAskedByTheNextRun() async throws {
        let wire = Wire(.status(429, retryAfter: "3600"))
        for _ in 0..<3 { #expect(try await run(wire).line == "failed 75 rate-limited: items ") }
        #expect(wire.asked.count == 1)
        wire.answer(.page(Self.two, tag: nil))
        try await clock.sleep(for: .seconds(3600))
        #expect(try await run(wire).line == "done 0: items 2 fetched, 2 delivered")
    }

    @Test func aSourceThatIsDownIsSparedByLaterRunsAndFoundAgain() async throws {
        let wire = Wire(.gone)
        #expect(try await run(wire).line == "failed 69 source-unreachable: items ")
        #expect(wire.asked.count == 5)
        for _ in 0..<20 { _ = try await run(wire) }
        // Ten runs have looked before their time.
        #expect(wire.asked.count == 15)
        let refused = try await run(wire)
        #expect(refused.line == "failed 76 source-circuit-open: items ")
        #expect(refused.error?.message.contains("the next request is sent at 2026-11-18T11:07:") == true)
        wire.answer(.page(Self.two, tag: nil))
        try await clock.sleep(for: .seconds(40))
        #expect(try await run(wire).line == "done 0: items 2 fetched, 2 delivered")
        #expect(try await store.serverNotes() == [])
    }

    @Test func aPDAThatIsDownIsSparedByAllConnectionsOfAProcess() async throws {
        let wire = Wire(.page(Self.two, tag: nil))
        wire.breakPDA(true)
        let throttling = RequestThrottling(notes: store, transport: wire, clock: clock)
        let limits: (inout RunRequest) -> Void = { $0.limits.outbox.streamBytes = 0 }
        #expect(try await run(wire, throttling, limits).error?.code == "pda-unreachable")
        for name in ["bob", "eve"] {
            let report = try await run(wire, throttling) {
                limits(&$0)
                $0.connection = name
            }
            #expect(report.line == "failed 75 pda-circuit-open: items 2 fetched, 2 undelivered")
        }
        await throttling.settle()
        wire.breakPDA(false)
        // A person who mends it and runs again is not kept waiting.
        #expect(try await run(wire).line == "done 0: items 2 fetched, 2 delivered")
    }
}
