import CurlTransport
import LosslessJSON
import PlugCore
import PlugManifest
import Synchronization
import TestKit
import Testing

@testable import PlugFetch

/// A parent that is delivered is read once: its children take the pages that were read for itself.
struct SharedAnswerTests {
    private static let yaml = """
        http: {base: "https://api.test"}
        streams:
          boards:
            endpoint: b
            key: .id
            version: none
            request: {path: /boards}
            page: {number: {param: page, from: 1}}
          cards:
            endpoint: c
            key: .id
            version: none
            request: {path: "/cards/{{ board.id }}"}
            for_each: {in: boards, as: board}
          names:
            endpoint: n
            key: .n
            version: none
            for_each: {in: boards, as: board, inside: .names}

        """

    private static func source() -> Script {
        Script { request, _ in
            guard request.path == "/boards" else { return .json(#"[{"id":"x"}]"#) }
            let page = Int(request.parameter("page") ?? "") ?? 0
            return .json(page > 2 ? "[]" : #"[{"id":"\#(page)","names":[{"n":"n\#(page)"}]}]"#)
        }
    }

    /// Reads these streams in one run, and gives their records and what was asked for.
    private static func read(
        _ streams: [String],
        together: Bool = false,
        _ options: (inout FetchOptions) -> Void = { _ in }
    ) async throws -> (records: [String: [String]], asked: [String]) {
        var bench = try Bench(yaml)
        options(&bench.options)
        let source = source()
        let fetcher = try bench.fetcher(source)
        @Sendable func records(_ stream: String) async throws -> [String] {
            try await fetcher.withReader(of: stream, from: MemoryStates()) { reader in
                var records: [String] = []
                while let page = try await reader.next() { records += page.records.map(\.value.compactText) }
                return records
            }
        }
        var all: [String: [String]] = [:]
        if together {
            all = try await withThrowingTaskGroup(of: (String, [String]).self) { group in
                for stream in streams { group.addTask { (stream, try await records(stream)) } }
                return try await group.reduce(into: [:]) { $0[$1.0] = $1.1 }
            }
        } else {
            for stream in streams { all[stream] = try await records(stream) }
        }
        return (all, source.sent.map { String($0.url.dropFirst("https://api.test".count)) })
    }

    private static let lists = ["/boards?page=1", "/boards?page=2", "/boards?page=3"]

    @Test("one after the other or together, each page is asked for once", arguments: [false, true])
    func once(together: Bool) async throws {
        let (records, asked) = try await Self.read(["boards", "cards", "names"], together: together)
        #expect(asked.filter { $0.hasPrefix("/boards") }.sorted() == Self.lists)
        #expect(asked.filter { $0.hasPrefix("/cards") }.sorted() == ["/cards/1", "/cards/2"])
        #expect(
            records == [
                "boards": [#"{"id":"1","names":[{"n":"n1"}]}"#, #"{"id":"2","names":[{"n":"n2"}]}"#],
                "cards": [#"{"id":"x"}"#, #"{"id":"x"}"#], "names": [#"{"n":"n1"}"#, #"{"n":"n2"}"#],
            ]
        )
    }

    @Test func whoAsksAgainGetsANewAnswer() async throws {
        let (_, asked) = try await Self.read(["boards", "boards", "names"])
        #expect(asked == Self.lists + Self.lists)
    }

    @Test func withoutRoomTheyAreAskedForAgain() async throws {
        let room = AnswerRoom(total: 0)
        let (records, asked) = try await Self.read(["boards", "names"]) { $0.answerRoom = room }
        #expect(asked == Self.lists + Self.lists)
        #expect(records["names"] == [#"{"n":"n1"}"#, #"{"n":"n2"}"#])
    }

    @Test func nothingIsKeptForStreamsThatAreNotRead() async throws {
        let room = AnswerRoom(total: 8 << 10)
        _ = try await Self.read(["boards"]) {
            $0.answerRoom = room
            $0.streams = ["boards"]
        }
        #expect(room.take(8 << 10) == 8 << 10)
    }

    @Test func roomIsGivenBack() async throws {
        let room = AnswerRoom(total: 8 << 10)
        // Taken by the second stream, or left over when the run ends.
        for streams in [["boards", "names"], ["boards"]] {
            _ = try await Self.read(streams) {
                $0.answerRoom = room
                $0.streams = ["boards", "names"]
            }
            #expect(room.take(8 << 10) == 8 << 10)
            room.give(back: 8 << 10)
        }
    }

    /// A token leads on once; whoever comes second with it has to begin anew.
    @Test func aPlaceThatAnotherReaderWasToldOfMayBeOver() async throws {
        let yaml = Self.yaml.replacing(
            "number: {param: page, from: 1}",
            with: "cursor: {from: .next, param: after}, max: 9"
        )
        .replacing("request: {path: /boards}", with: "request: {path: /boards}\n    records: .items")
        let bench = try Bench(yaml)
        let used = Mutex<Set<String>>([])
        let source = Script { request, at in
            guard request.path == "/boards" else { return .json(#"[{"id":"x"}]"#) }
            let token = request.parameter("after") ?? "1.0"
            guard token == "1.0" || used.withLock({ $0.insert(token).inserted }) else { return .status(410) }
            let page = Int(token.prefix(1)) ?? 0
            let next = page < 3 ? #""\#(page + 1).\#(at)""# : "null"
            // The second page is too large to be kept.
            let weight = page == 2 ? String(repeating: "x", count: 1000) : ""
            return .json(#"{"items":[{"id":"\#(page)","names":[{"n":"n\#(page)\#(weight)"}]}],"next":\#(next)}"#)
        }
        var options = bench.options
        options.answerRoom = AnswerRoom(total: 8 << 10)
        var sharing = bench
        sharing.options = options
        let fetcher = try sharing.fetcher(source)
        func read(_ stream: String) async throws -> [Int] {
            try await fetcher.withReader(of: stream, from: MemoryStates()) { reader in
                var sizes: [Int] = []
                while let page = try await reader.next() { sizes += page.records.map { $0.slice.count } }
                return sizes
            }
        }
        #expect(try await read("boards").count == 3)
        let names = try await read("names")
        // The first page is read twice, which the ledger sees.
        #expect(names.filter { $0 < 100 }.count >= 2 && names.contains { $0 > 1000 })
        #expect(Set(source.sent.compactMap { $0.parameter("after") }).count == 4)
    }

    @Test func whoWaitedForAnAnswerThatFailedGetsTheFailure() async throws {
        let bench = try Bench(Self.yaml)
        let shared = SharedAnswers(bench.manifest, reading: ["boards", "cards", "names"], AnswerRoom())
        let request = PreparedRequest(
            method: "GET",
            url: try HTTPURL("https://api.test/boards"),
            headers: [],
            body: nil
        )
        let (others, tell) = AsyncStream<Void>.makeStream()
        let sent = Gauge()
        let failed = PlugError("source-refused", exit: .data, "no")
        @Sendable func ask(_ reader: String) async -> String {
            do {
                _ = try await shared.answer(to: request, of: "boards", for: reader) {
                    sent.enter()
                    // Until the two others stand in line.
                    for await _ in others where shared.askers == 3 { break }
                    throw failed
                }
                return "answer"
            } catch { return "\((error as? PlugError)?.code.text ?? "?")" }
        }
        await withTaskGroup(of: String.self) { group in
            for reader in ["boards", "cards", "names"] { group.addTask { await ask(reader) } }
            group.addTask {
                while shared.askers < 3 { await Task.yield() }
                tell.yield()
                return "source-refused"
            }
            for await outcome in group { #expect(outcome == "source-refused") }
        }
        // Nobody leaves.
        #expect(sent.most == 1)
    }

    @Test func anErrorIsNotShared() async throws {
        let bench = try Bench(Self.yaml)
        let source = Script { request, index in
            index == 0 ? .status(400) : request.parameter("page") == "2" ? .json("[]") : .json(#"[{"id":"1"}]"#)
        }
        let fetcher = try bench.fetcher(source)
        func read(_ stream: String) async throws -> Int {
            try await fetcher.withReader(of: stream, from: MemoryStates()) { reader in
                var count = 0
                while let page = try await reader.next() { count += page.records.count }
                return count
            }
        }
        await #expect(throws: PlugError.self) { try await read("boards") }
        #expect(try await read("cards") == 1)
    }
}

/// A parent with bounds of its own, which all that read it in one run ask for alike.
struct SharedBoundTests {
    private static let yaml = """
        http: {base: "https://api.test"}
        streams:
          boards:
            endpoint: b
            key: .id
            version: none
            request: {path: /boards, query: {now: "{{ pass.now }}"}}
            since: {field: .at, type: time, until: {query: {to: time}}}
          cards: {endpoint: c, key: .id, version: none, request: {path: /cards}, for_each: {in: boards}}

        """

    @Test(arguments: [nil, "3d"]) func isAskedForOnceThoughTimePasses(since: String?) async throws {
        var bench = try Bench(Self.yaml)
        bench.options.since = since
        let source = Script { request, _ in
            .json(request.path == "/boards" ? #"[{"id":1,"at":"2026-11-20T00:00:00Z"}]"# : #"[{"id":2}]"#)
        }
        let fetcher = try bench.fetcher(source)
        for stream in ["boards", "cards"] {
            let records = try await fetcher.withReader(of: stream, from: MemoryStates()) { reader in
                var count = 0
                while let page = try await reader.next() { count += page.records.count }
                return count
            }
            #expect(records == 1)
            bench.clock.advance(.milliseconds(1700))
        }
        #expect(source.sent.map(\.path) == ["/boards", "/cards"])
    }
}
