import CurlTransport
import LosslessJSON
import PlugCore
import Synchronization
import TestKit
import Testing

@testable import PlugFetch

/// A list that changes while its counted pages are read: records are deleted, changed and added between requests.
private final class ShiftingList: Sendable {
    private struct State {
        var ids: [Int]
        var requests = 0
    }
    private let state: Mutex<State>
    private let size: Int
    private let changes: @Sendable (_ request: Int, _ ids: inout [Int]) -> Void

    /// - Parameter changes: What happens to the list before a request, counted from 0.
    init(_ ids: [Int], size: Int, _ changes: @escaping @Sendable (Int, inout [Int]) -> Void = { _, _ in }) {
        state = Mutex(State(ids: ids))
        self.size = size
        self.changes = changes
    }

    var ids: [Int] { state.withLock { $0.ids } }
    func change(_ body: (inout [Int]) -> Void) { state.withLock { body(&$0.ids) } }

    func answer(_ request: HTTPRequest, pages: Int = 0) -> Script.Reply {
        let page = state.withLock { state -> ArraySlice<Int> in
            changes(state.requests, &state.ids)
            state.requests += 1
            let start =
                request.parameter("skip").flatMap { Int($0) } ?? ((Int(request.parameter("p") ?? "1") ?? 1) - 1) * size
            return state.ids.dropFirst(max(0, start)).prefix(size)
        }
        let items = page.map { "{\"id\":\($0),\"at\":\"2026-01-01T00:00:00Z\"}" }
        return .json("{\"items\":[\(items.joined(separator: ","))],\"pages\":\(pages)}")
    }
}

struct ShiftingPageTests {
    static let pages = ["{number: {param: p}}", "{offset: {param: skip, size: 10}}"]

    private static func bench(_ page: String, order: String = "none") throws -> Bench {
        try Bench(
            "http: {base: \"https://api.test\", retry: {tries: 1}}\n"
                + "streams: {things: {endpoint: t, key: .id, version: none, request: {path: /t}, records: .items, page: \(page), "
                + "since: {field: .at, type: time, order: \(order), send: {query: {from: time}}}}}\n"
        )
    }

    @Test("what would count as deleted is not missed, also where a pass is interrupted", arguments: pages, [nil, 2, 3])
    func passesThatAreCompared(page: String, cut: Int?) async throws {
        let list = ShiftingList(Array(1...50), size: 10) { request, ids in
            if request == 2 { ids.removeFirst(3) }
        }
        let bench = try Bench(
            "http: {base: \"https://api.test\", retry: {tries: 1}}\n"
                + "streams: {things: {endpoint: t, key: .id, version: .at, request: {path: /t}, records: .items, page: \(page), "
                + "deletes: {missing: true}}}\n"
        )
        let (states, source) = (MemoryStates(), Script { request, _ in list.answer(request) })
        var ids: [Int] = []
        if let cut {
            ids += try await bench.read(from: source, states, pages: cut).ids
            list.change { $0.removeFirst(4) }
        }
        let reading = try await bench.read(from: source, states)
        #expect(reading.error == nil && reading.isComplete && Set(ids + reading.ids).isSuperset(of: list.ids))
    }

    @Test("where passes are compared, an answer that does not show its list is asked for once more")
    func answersWithoutTheirList() async throws {
        let bench = try Bench(
            "http: {base: \"https://api.test\"}\n"
                + "streams: {things: {endpoint: t, key: .id, version: .at, request: {path: /t}, records: '.items // []', "
                + "deletes: {missing: true}}}\n"
        )
        let busy = Script.Reply.json(#"{"error":"busy"}"#)
        let source = Script(busy, .json(#"{"items":[{"id":1}]}"#))
        let reading = try await bench.read(from: source)
        #expect(reading.ids == [1] && reading.isComplete && source.sent.count == 2)
        let empty = try await bench.read(from: Script(busy))
        #expect(empty.ids == [] && !empty.isComplete && empty.error?.code == "answer-is-error")
    }

    @Test("a deletion between two pages of a pass loses no record", arguments: pages)
    func deletionWithinAPass(page: String) async throws {
        let list = ShiftingList(Array(1...50), size: 10) { request, ids in
            if request == 2 { ids.removeFirst(3) }
        }
        let bench = try Self.bench(page)
        let reading = try await bench.read(from: Script { request, _ in list.answer(request) })
        #expect(reading.error == nil && reading.isComplete)
        #expect(Set(reading.ids) == Set(1...50))
        #expect(bench.events.warnings == ["pages-shifted"])
    }

    @Test("deletions of any size while nobody reads lose no record", arguments: pages, [1, 9, 10, 11, 15, 29, 30, 41])
    func deletionsDuringAnInterruption(page: String, count: Int) async throws {
        let list = ShiftingList(Array(1...100), size: 10)
        let bench = try Self.bench(page)
        let states = MemoryStates()
        let source = Script { request, _ in list.answer(request) }
        let first = try await bench.read(from: source, states, pages: 5)
        // Offsets overlap by one record.
        #expect(first.ids == Array(1...(page.contains("skip") ? 46 : 50)))
        list.change { $0.removeFirst(count) }
        let second = try await bench.read(from: source, states)
        #expect(second.error == nil && second.isComplete)
        #expect(Set(first.ids + second.ids).isSuperset(of: list.ids))
        #expect(states.text() == #"{"v":1,"watermark":"2026-01-01T00:00:00Z"}"#)
    }

    @Test(
        "a service that answers from copies of a list, of which one is behind, loses nothing, or the run says so",
        arguments: 1...8
    )
    func copiesThatAreBehind(request: Int) async throws {
        let (new, old) = (ShiftingList(Array(9...40), size: 5), ShiftingList(Array(1...40), size: 5))
        let bench = try Self.bench("{offset: {param: skip, size: 5}}")
        let reading = try await bench.read(from: Script { asked, at in (at == request ? new : old).answer(asked) })
        #expect(Set(reading.ids).isSuperset(of: 9...40) || reading.error?.code == "pages-unjoined")
    }

    @Test(
        "pages of one record, of which none can repeat one of the page before, lose nothing either",
        arguments: 1...12
    )
    func pagesOfOneRecord(deletedBefore: Int) async throws {
        let list = ShiftingList(Array(1...6), size: 1) { request, ids in
            if request == deletedBefore { ids.removeFirst() }
        }
        let bench = try Self.bench("{offset: {param: skip, size: 1}}")
        let reading = try await bench.read(from: Script { request, _ in list.answer(request) })
        #expect(reading.error == nil && reading.isComplete)
        #expect(Set(reading.ids).isSuperset(of: list.ids))
    }

    @Test("what is updated and moves to the end is read there", arguments: pages)
    func updatesThatMoveToTheEnd(page: String) async throws {
        let list = ShiftingList(Array(1...40), size: 10) { request, ids in
            if request % 4 == 1, let first = ids.first {
                ids.removeFirst()
                ids.append(first)
            }
        }
        let reading = try await Self.bench(page, order: "asc").read(from: Script { request, _ in list.answer(request) })
        #expect(reading.error == nil && reading.isComplete)
        #expect(Set(reading.ids) == Set(1...40))
    }

    @Test("a record that is updated and moves to the last page joins no pages", arguments: pages, 0..<10)
    func updatesThatMoveToTheLastPage(page: String, moved: Int) async throws {
        for count in [11, 13, 21, 28] {
            for moment in 1...3 {
                let list = ShiftingList(Array(0..<count), size: 10) { request, ids in
                    if request == moment { ids.append(ids.remove(at: moved)) }
                }
                let reading = try await Self.bench(page).read(from: Script { request, _ in list.answer(request) })
                #expect(reading.error == nil && reading.isComplete)
                #expect(Set(reading.ids) == Set(0..<count), "\(count) records, before request \(moment)")
            }
        }
    }

    @Test("offsets whose pages are counted are read to their last record", arguments: 1...45)
    func countedOffsets(count: Int) async throws {
        for size in [2, 3, 10] {
            let list = ShiftingList(Array(0..<count), size: size)
            let bench = try Self.bench("{offset: {param: skip, size: \(size)}, pages: .pages}")
            let source = Script { request, _ in list.answer(request, pages: (count + size - 1) / size) }
            let reading = try await bench.read(from: source)
            #expect(reading.error == nil && reading.isComplete)
            #expect(reading.ids == Array(0..<count))
        }
    }

    @Test("what is added in front only repeats records", arguments: pages)
    func additionsInFront(page: String) async throws {
        let list = ShiftingList(Array(1...40), size: 10) { request, ids in
            if request == 1 { ids.insert(contentsOf: 101...104, at: 0) }
        }
        let bench = try Self.bench(page)
        let reading = try await bench.read(from: Script { request, _ in list.answer(request) })
        #expect(reading.error == nil && reading.isComplete)
        #expect(Set(reading.ids) == Set(1...40))
        #expect(bench.events.warnings == [])
    }

    @Test(
        "random changes between any two requests and random interruptions lose nothing that stays",
        arguments: 0..<120
    )
    func randomChanges(seed: UInt64) async throws {
        let page = Self.pages[Int(seed % 2)]
        let chance = Mutex(FixedChance(seed: seed))
        let list = ShiftingList(Array(1...90), size: 10) { _, ids in
            chance.withLock { chance in
                guard chance.next(4) == 0 else { return }
                for _ in 0..<chance.next(4) where ids.count > 20 { ids.remove(at: chance.next(ids.count)) }
                if chance.next(4) == 0 { ids.append(ids.remove(at: chance.next(ids.count))) }
                if chance.next(3) == 0 { ids.insert(1000 + chance.next(1_000_000), at: 0) }
            }
        }
        let bench = try Self.bench(page)
        let states = MemoryStates()
        var read: Set<Int> = []
        var isComplete = false
        for _ in 0..<60 where !isComplete {
            let count = chance.withLock { $0.next(6) + 1 }
            let reading = try await bench.read(
                from: Script { request, _ in list.answer(request) },
                states,
                pages: count
            )
            read.formUnion(reading.ids)
            isComplete = reading.isComplete
        }
        #expect(isComplete)
        #expect(list.ids.filter { $0 <= 90 && !read.contains($0) } == [])
    }

    @Test(
        "numbered pages of a source that changes between most requests lose nothing, or the run says that they may have",
        arguments: [2, 3]
    )
    func unsettledSource(requestsOfAChange: Int) async throws {
        var said = 0
        for seed in 1...150 {
            let chance = Mutex(FixedChance(seed: UInt64(seed)))
            let list = ShiftingList(Array(1...90), size: 10) { _, ids in
                chance.withLock { chance in
                    guard chance.next(requestsOfAChange) == 0 else { return }
                    switch chance.next(3) {
                    case 0: ids.remove(at: chance.next(ids.count))
                    // An update: the next pass asks for it.
                    case 1: ids.insert(1000 + ids.remove(at: chance.next(ids.count)), at: 0)
                    default: ids.insert(5000 + chance.next(1_000_000), at: 0)
                    }
                }
            }
            let bench = try Self.bench(Self.pages[0])
            let reading = try await bench.read(from: Script { request, _ in list.answer(request) })
            let isSaid = reading.error?.code == "pages-unjoined" || bench.events.warnings.contains("pages-unsettled")
            said += isSaid ? 1 : 0
            let read = Set(reading.ids)
            #expect(isSaid || list.ids.allSatisfy { $0 > 90 || read.contains($0) }, "seed \(seed)")
        }
        #expect(said > 75)
    }

    @Test("a source whose order never holds says that records may be missing, and keeps its place")
    func orderThatNeverHolds() async throws {
        let list = ShiftingList(Array(1...100), size: 10) { _, ids in ids = Array(ids[35...] + ids[..<35]) }
        let states = MemoryStates()
        let source = Script { request, _ in list.answer(request) }
        let reading = try await Self.bench(Self.pages[0]).read(from: source, states)
        #expect(reading.error?.code == "pages-unjoined")
        #expect(reading.error?.exit == .failed)
        #expect(states.text() == #"{"v":1}"#)
    }

    @Test("without 'since' no page is asked for twice: the next pass reads everything again")
    func asksNothingTwiceWithoutSince() async throws {
        let list = ShiftingList(Array(1...30), size: 10)
        let source = Script { request, _ in list.answer(request) }
        let bench = try Bench(
            "http: {base: \"https://api.test\"}\n"
                + "streams: {things: {endpoint: t, key: .id, version: none, request: {path: /t}, records: .items, page: {number: {param: p}}}}\n"
        )
        _ = try await bench.read(from: source)
        #expect(source.sent.map { $0.parameter("p") } == ["1", "2", "3", "4"])
    }
}

/// A generator with a seed.
private struct FixedChance {
    private var state: UInt64
    init(seed: UInt64) { state = seed &* 0x9e37_79b9_7f4a_7c15 | 1 }
    mutating func next(_ bound: Int) -> Int {
        state ^= state << 13
        state ^= state >> 7
        state ^= state << 17
        return Int(state >> 33) % max(1, bound)
    }
}
