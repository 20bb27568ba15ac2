import GRDB
import TestKit
import Testing

@testable import PlugStorage

/// How SQLite looks for what is due.
struct DuePlanTests {
    /// The plan of a query.
    private func plan(_ sql: String, _ arguments: StatementArguments = []) async throws -> [String] {
        let steps = Watched<[String]>([])
        try await withFolder { folder in
            try await withSQLiteStore(folder) { store async throws in
                let found = try await store.write { database, _ in
                    try Row.fetchAll(database, sql: "EXPLAIN QUERY PLAN \(sql)", arguments: arguments)
                        .map { $0["detail"] as String }
                }
                steps.change { $0 = found }
            }
        }
        return steps.value
    }

    @Test func whatIsDueIsFoundWithoutAScanOrASort() async throws {
        #expect(
            try await plan(Due.first, ["p", 5, 9]) == [
                "SEARCH setup USING INDEX setup_turn (plug=? AND due_at>? AND due_at<?)",
                "SEARCH connection USING INTEGER PRIMARY KEY (rowid=?)",
            ]
        )
    }

    @Test func thePlugsAreFoundWithOneSeekEach() async throws {
        let setups = try await plan(ClaimWish.lines).filter { $0.contains(" setup ") }
        #expect(
            setups == [
                "SEARCH setup USING INDEX setup_turn", "SEARCH setup USING INDEX setup_turn (plug>?)",
                "SEARCH setup USING INDEX setup_turn (plug=? AND due_at>?)",
            ]
        )
    }

    @Test func claimsThatAHostLeftAreFoundByTheirIndex() async throws {
        let plan = try await plan("SELECT connection FROM setup WHERE claimed IS NOT NULL")
        #expect(plan.allSatisfy { $0.contains("setup_claimed") }, "\(plan)")
    }
}
