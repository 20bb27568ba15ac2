import LosslessJSON
import TestKit
import Testing

@testable import PDAClient

struct PagesTests {
    private typealias Record = ModelEndpoint.Record

    private func client(_ model: ModelEndpoint) -> PDA {
        PDA("pda.example.net", tokens: InMemoryTokens(Secret("T0")), transport: model)
    }

    private func ids(
        _ model: ModelEndpoint,
        ordering: PropertyQuery.Ordering = .ascending,
        pageSize: Int
    ) async throws -> [Int] {
        var ids: [Int] = []
        let pages = try client(model).pages(at: "a/b", orderedBy: "k", ordering: ordering, pageSize: pageSize)
        for try await page in pages { ids += try page.all().compactMap { $0.recordID.flatMap { Int($0) } } }
        return ids
    }

    @Test(arguments: [1, 2, 3, 10, 33, 34, 1000])
    func everyRecordComesOnceInOrder(pageSize: Int) async throws {
        let records = (0..<33).map { Record(id: $0, key: $0 * 2) }
        #expect(try await ids(ModelEndpoint(records, seed: 1), pageSize: pageSize) == Array(0..<33))
        let descending = try await ids(ModelEndpoint(records, seed: 1), ordering: .descending, pageSize: pageSize)
        #expect(descending == (0..<33).reversed())
        #expect(try await ids(ModelEndpoint([], seed: 1), pageSize: pageSize) == [])
    }

    /// The server gives equal values in another order each time: paging by number alone loses some and repeats others.
    @Test(arguments: Thoroughness.some(0..<40 as Range<UInt64>, oneOf: 2))
    func equalValuesAreNeitherLostNorRepeated(seed: UInt64) async throws {
        var random = SplitMix(state: seed)
        let records = (0..<200).map { Record(id: $0, key: [nil, 1, 2, 3, 4, 5, 6].randomElement(using: &random) ?? 7) }
        let model = ModelEndpoint(records, seed: seed)
        let read = try await ids(model, pageSize: Int.random(in: 1...60, using: &random))
        #expect(read.count == 200)
        #expect(Set(read).count == 200)
    }

    /// What stays as it is comes once, whatever happens around it, and nothing comes twice.
    @Test(arguments: Thoroughness.some(0..<40 as Range<UInt64>, oneOf: 2))
    func changesMeanwhileLoseNothingThatStays(seed: UInt64) async throws {
        var random = SplitMix(state: seed)
        let spread = [5, 50, 1000].randomElement(using: &random) ?? 5
        let records = (0..<120).map { Record(id: $0, key: Int.random(in: 0..<spread, using: &random)) }
        let changes = Int.random(in: 0...20, using: &random)
        let model = ModelEndpoint(records, seed: seed) { state in
            // Who adds faster than anybody can read has no end.
            guard state.requests.count < 25 else { return }
            for _ in 0..<changes {
                let id = Int.random(in: 0..<60, using: &state.random)
                let key = Int.random(in: 0..<spread, using: &state.random)
                let at = state.records.firstIndex { $0.id == id }
                switch (at, UInt8.random(in: 0..<4, using: &state.random)) {
                case (let at?, 0): state.records[at].key = key
                case (let at?, _): state.records.remove(at: at)
                case (nil, 0): state.records.append(Record(id: id, key: key))
                case (nil, _):
                    state.records.append(Record(id: state.newID, key: key))
                    state.newID += 1
                }
            }
        }
        let read = try await ids(model, pageSize: Int.random(in: 4...40, using: &random))
        #expect(Set(read).count == read.count)
        #expect(Set(read).isSuperset(of: 60..<120))
    }

    @Test func aDeletionInFrontIsNoticedAndNothingIsSkipped() async throws {
        let records = (0..<100).map { Record(id: $0, key: $0) }
        let model = ModelEndpoint(records, seed: 1) { state in
            if state.requests.count == 1 { state.records.removeAll { $0.id < 20 } }
        }
        // 19 was held back in the first page and is gone in the second.
        #expect(try await ids(model, pageSize: 20) == Array(0..<19) + Array(20..<100))
    }

    @Test func pagesThatCannotBeReadSafelyAreAnError() async throws {
        let same = JSONValue.object(["recordId": .text("1"), "data": .object(["k": .integer(1)])])
        var pager = RecordPager(field: "k", pageSize: 500)
        let failure = await pdaError {
            while !pager.isDone { _ = try pager.read(Array(repeating: same, count: pager.take)) }
        }
        #expect(failure?.code == .unstablePages)
        #expect(failure?.message == "more than 16384 records have the same 'k'")
    }

    @Test func recordsThatVanishFasterThanTheyAreReadAreAnError() async throws {
        let page = (0..<4).map { JSONValue.object(["recordId": .integer($0), "data": .object(["k": .integer($0)])]) }
        var pager = RecordPager(field: "k", pageSize: 4)
        _ = try pager.read(page)
        let failure = await pdaError {
            for number in 4... {
                // From the start, then never again anything that was there before.
                let other = JSONValue.object(["recordId": .text("\(number)"), "data": .object(["k": .integer(number)])])
                _ = try pager.read(pager.skip == 0 ? page : [other])
                if pager.isDone || number > 1000 { break }
            }
        }
        #expect(failure?.message == "records are deleted faster than they can be read in pages")
    }

    @Test func whatIsNoRecordIsReportedOnceWithItsPlace() async throws {
        let text = #"[{"recordId":"1","endpoint":"a/b","data":{"k":1}},{"recordId":"2","data":{"k":2}},7]"#
        let client = PDA(
            "pda.example.net",
            tokens: InMemoryTokens(),
            transport: ScriptedSending(.answer(200, text))
        )
        let all = try await client.allRecords(at: "a/b", orderedBy: "k")
        #expect(all.map(\.recordID) == ["1"])
        #expect(all.undecodable.map(\.index) == [1, 2])
        #expect(all.undecodable.first?.error.message == "'[1].endpoint' is missing")
    }

    @Test func aFailureEndsThePageNotTheReading() async throws {
        let page = #"[{"recordId":"1","endpoint":"a/b","data":{"k":1}}]"#
        let sending = ScriptedSending(.answer(500, "{}"), .answer(200, page))
        let client = PDA("pda.example.net", tokens: InMemoryTokens(), transport: sending)
        var pages = try client.pages(at: "a/b", orderedBy: "k").makeAsyncIterator()
        await #expect(throws: PDAError.self) { try await pages.next() }
        #expect(try await pages.next()?.count == 1)
        #expect(try await pages.next() == nil)
    }

    @Test func whatCannotBeAskedIsRefusedBeforehand() throws {
        let client = PDA("pda.example.net", tokens: InMemoryTokens(), transport: ScriptedSending())
        for (endpoint, field, size) in [("A/b", "k", 1), ("a/b", "", 1), ("a/b", "a..b", 1), ("a/b", "k", 0)] {
            #expect(throws: PDAError.self) { try client.pages(at: endpoint, orderedBy: field, pageSize: size) }
        }
    }
}
