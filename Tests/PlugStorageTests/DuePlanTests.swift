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

    @Test func whatIsDueIsFoundWithoutAScan() async throws {
        let plan = try await plan(Due.first, ["p", 5, 9])
        #expect(plan.contains { $0.contains("SEARCH setup USING INDEX setup_turn (plug=? AND due_at<?)") }, "\(plan)")
        // It comes in the order of the index.
        #expect(!plan.contains { $0.contains("SCAN") || $0.contains("TEMP B-TREE") }, "\(plan)")
    }

    @Test func thePlugsAreFoundWithOneSeekEach() async throws {
        let plan = try await plan(ClaimWish.lines)
        let setups = plan.filter { $0.contains("setup") }
        #expect(
            !setups.isEmpty && setups.allSatisfy { $0.hasPrefix("SEARCH setup USING COVERING INDEX setup_turn") },
            "\(plan)"
        )
    }

    @Test func claimsThatAHostLeftAreFoundByTheirIndex() async throws {
        let plan = try await plan("SELECT connection FROM setup WHERE claimed IS NOT NULL")
        #expect(plan.allSatisfy { $0.contains("setup_claimed") }, "\(plan)")
    }
}
