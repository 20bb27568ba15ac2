import LosslessJSON
import PlugCore
import PlugStorage
import TestKit
import Testing

@testable import PlugRuntime

/// A source whose records change their members.
struct SourceDriftTests {
    private func lines(_ numbers: ClosedRange<Int>, _ members: (Int) -> String) -> [String] {
        numbers.map { "{\"id\":\($0),\(members($0))}" }
    }
    private let id = StreamID(connection: ConnectionID("ada"), stream: "items")

    private func bench(_ more: [String] = []) throws -> Bench {
        var bench = try Bench(["key: [.id]", "version: content"] + more)
        bench.pageSize = 50
        return bench
    }

    /// The warnings of a pass over these records.
    private func pass(_ bench: Bench, _ lines: [String]) async -> [String] {
        bench.source.set(lines)
        let before = bench.warnings.all.count
        await bench.run()
        return Array(bench.warnings.all.dropFirst(before))
    }

    @Test func aMemberThatWentAndOneThatCameAreToldOnce() async throws {
        let bench = try bench()
        let old = lines(1...20) { #""name":"a","sub":{"x":1,"odd":\#($0)},"some":\#($0)"# }
        for _ in 0..<3 { #expect(await pass(bench, old) == []) }
        let new = lines(1...20) { #""title":"a","sub":{"y":1,"odd":\#($0)},"some":\#($0)"# }
        #expect(await pass(bench, new) == ["member-gone", "member-new"])
        #expect(await pass(bench, new) == [])
        // What has been there is not new, and what was away is not everywhere.
        #expect(await pass(bench, old) == [])
    }

    @Test func nothingIsSaidBeforeThreePassesWithEnoughRecords() async throws {
        let bench = try bench()
        let old = lines(1...20) { _ in #""name":1"# }
        for _ in 0..<2 { #expect(await pass(bench, old) == []) }
        for _ in 0..<3 { #expect(await pass(bench, lines(1...19) { _ in #""other":1"# }) == []) }
        #expect(try await bench.store.profile(of: id)?.members?.passes == 2)
        #expect(await pass(bench, old) == [])
        #expect(await pass(bench, lines(1...20) { _ in #""other":1"# }) == ["member-gone", "member-new"])
    }

    @Test func aMemberThatSomeRecordsLackMayBeAway() async throws {
        let bench = try bench()
        for _ in 0..<3 { _ = await pass(bench, lines(1...20) { $0 == 7 ? #""a":1"# : #""a":1,"b":2"# }) }
        #expect(await pass(bench, lines(1...20) { _ in #""a":1"# }) == [])
    }

    @Test func tablesWhoseKeysAreDataSayNothing() async throws {
        let bench = try bench()
        func table(_ seed: Int, _ count: Int) -> String {
            (0..<count).map { "\"k\(seed * 100 + $0)\":1" }.joined(separator: ",")
        }
        for seed in 1...3 { #expect(await pass(bench, lines(1...20) { _ in "\"t\":{\(table(seed, 51))}" }) == []) }
        #expect(await pass(bench, lines(1...20) { _ in "\"t\":{\(table(9, 51))}" }) == [])
        #expect(
            try await bench.store.profile(of: id)?.members?.names.keys.sorted { $0.count < $1.count } == [
                Array("t".utf8), Array("id".utf8),
            ]
        )
        // A stream of more names than are kept says nothing of new ones.
        let wide = try self.bench()
        for seed in 1...3 { _ = await pass(wide, lines(1...20) { "\"t\":{\(table(seed * 20 + $0, 45))}" }) }
        #expect(try await wide.store.profile(of: id)?.members?.names.count == 500)
        #expect(await pass(wide, lines(1...20) { "\"t\":{\(table(2000 + $0, 45))}" }) == [])
    }

    @Test func whatIsDroppedAndWhatIsDeletedDoesNotCount() async throws {
        let bench = try bench(["drop_if: .no", "deletes: {field: .gone}"])
        let old = lines(1...20) { _ in #""a":1"# }
        for _ in 0..<3 { #expect(!(await pass(bench, old)).contains("member-new")) }
        let others = [#"{"id":21,"no":true}"#, #"{"id":22,"gone":true}"#]
        #expect(await pass(bench, old + others) == [])
    }

    @Test func anotherProgramForRecordsBeginsAnew() async throws {
        var bench = try bench()
        for _ in 0..<3 { _ = await pass(bench, lines(1...20) { _ in #""a":1"# }) }
        bench.manifest = try manifest([("items", ["key: [.id]", "version: none", "records: '.items'"])])
        #expect(await pass(bench, lines(1...20) { _ in #""b":1"# }) == [])
        #expect(try await bench.store.profile(of: id)?.members?.passes == 1)
    }

    @Test func anInterruptedPassSaysNothing() async throws {
        var bench = try bench()
        bench.pageSize = 20
        for _ in 0..<3 { _ = await pass(bench, lines(1...40) { _ in #""a":1"# }) }
        bench.source.fail(at: 20)
        _ = await pass(bench, lines(1...40) { _ in #""b":1"# })
        #expect(bench.warnings.all == [])
        bench.source.fail(at: nil)
        await bench.run()
        #expect(bench.warnings.all == ["member-gone", "member-new"])
    }
}
