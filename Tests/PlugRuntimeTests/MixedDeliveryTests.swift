import LosslessJSON
import PlugCore
import PlugStorage
import Synchronization
import TestKit
import Testing

@testable import PlugRuntime

/// What a program's streams, which come mixed and with one state for all, lead to.
struct MixedDeliveryTests {
    private let store = MemoryStore(clock: StillClock())
    private let pda = ModelPDA()
    private let warnings = Notes()
    private let broken = PlugError("program-broken", exit: .data, "the program is broken")

    private func run(_ script: [ScriptedFetcher.Step], over store: (any PlugStore)? = nil) async throws -> RunReport {
        let warnings = warnings
        var request = RunRequest(
            manifest: try manifest(["a", "b"].map { (name: $0, lines: ["key: [.id]"]) }),
            pda: "https://alice.example",
            token: token(),
            config: ["user": .text("ada")]
        )
        request.connection = "ada"
        let run = PlugRun(
            request,
            store: store ?? self.store,
            transport: pda,
            clock: StillClock(),
            fetcher: ScriptedFetcher(script: script)
        ) {
            if case .warning(let code, let message) = $0 { warnings.add("\(code.text) \(message)") }
        }
        return await run.run()
    }

    private func state() async -> String? {
        let id = StreamID(connection: ConnectionID("ada"), stream: StreamID.shared)
        return await store.state(of: id, part: "").map { String(decoding: $0.bytes, as: UTF8.self) }
    }

    @Test("the state is kept once everything before it is safe")
    func keepsTheState() async throws {
        let report = try await run([.page("a", 1, 2), .page("b", 3), .state("7"), .page("a", 4)])
        #expect(report.line == "done 0: a 3 fetched, 3 delivered; b 1 fetched, 1 delivered")
        #expect(await state() == "7")
    }

    @Test("so is one that had to wait for a record until the end")
    func keepsTheStateThatWaited() async throws {
        let report = try await run([.page("a", 1, -2), .page("b", 3), .state("7")])
        #expect(report.line == "partial 1: a 2 fetched, 1 delivered, 1 dead; b 1 fetched, 1 delivered")
        #expect(await state() == "7")
    }

    @Test("a stream that begins knows what others have delivered to the same endpoint")
    func knowsWhatOthersDelivered() async throws {
        let report = try await run([.page("a", 1), .page("a", 2), .page("b", 2, 3)])
        #expect(report.line == "done 0: a 2 fetched, 2 delivered; b 2 fetched, 1 delivered, 1 known")
    }

    @Test("a program that fails leaves what it gave, and the next run knows it")
    func keepsPages() async throws {
        let report = try await run([.page("a", 1, 2), .failure(broken)])
        #expect(report.line == "partial 65 program-broken: a 2 fetched, 2 delivered; b ")
        #expect(try await run([.page("a", 1, 2)]).line == "done 0: a 2 fetched, 2 known; b ")
    }

    @Test("if the store fails as well, both errors are reported")
    func reportsBoth() async throws {
        // After the run's begin and the first page.
        let failing = FailingStore(store, at: 3)
        let report = try await run([.page("a", 1), .page("a", 2), .failure(broken)], over: failing)
        #expect(report.error?.code == "store-failed")
        #expect(warnings.all.contains { $0.hasPrefix("program-broken") && $0.hasSuffix("the program is broken") })
    }
}

/// Gives what a script says.
private struct ScriptedFetcher: MixedFetcher {
    enum Step {
        case page(String, FetchedPage)
        case state(String)
        case failure(PlugError)

        /// A page of records with these ids; the PDA refuses those below zero.
        static func page(_ stream: String, _ ids: Int...) -> Step {
            let records = ids.compactMap { id in
                let poison = id < 0 ? #","poison":true"# : ""
                return try? JSONDocument(bytes: Array(#"{"id":\#(id)\#(poison)}"#.utf8)).root
            }
            return .page(stream, FetchedPage(records: records, states: [:], endsPass: false, origin: "script"))
        }
    }

    let script: [Step]

    func withMixedReader<Result: Sendable>(
        of streams: [String],
        from state: StreamState?,
        _ body: (any MixedReader) async throws -> Result
    ) async throws -> Result {
        try await body(Reader(script, streams))
    }

    func withReader<Result>(
        of stream: String,
        from states: any StreamStates,
        _ body: (any PageReader) async throws -> Result
    ) async throws -> Result {
        throw PlugError("script-mixed", exit: .data, "a script is read mixed")
    }

    private actor Reader: MixedReader {
        private var rest: ArraySlice<Step>
        let found: [String]

        init(_ script: [Step], _ streams: [String]) { (rest, found) = (script[...], streams) }

        func next() async throws -> MixedEvent? {
            switch rest.popFirst() {
            case .page(let stream, let page): .page(stream: stream, page)
            case .state(let text): .state(StreamState(Array(text.utf8)))
            case .failure(let error): throw error
            case nil: nil
            }
        }
    }
}
