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

    private static func nulls(_ count: Int) -> StatementArguments {
        StatementArguments([DatabaseValue](repeating: .null, count: count))
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

    /// However many connections there are, a search walks one index, in the order of the answer.
    @Test(arguments: [
        ("WHERE name > ? AND name < ?", "sqlite_autoindex_connection_1 (name>? AND name<?)"),
        (
            "WHERE setup_status = ? AND name > ? AND name < ?",
            "connection_status (setup_status=? AND name>? AND name<?)"
        ),
        (
            "WHERE plug = ? AND setup_status = ? AND name > ? AND name < ?",
            "connection_plug (plug=? AND setup_status=? AND name>? AND name<?)"
        ),
    ])
    func connectionsAreFoundWithoutAScanOrASort(_ conditions: String, _ index: String) async throws {
        let plan = try await plan(ConnectionFinding.names(conditions), Self.nulls(conditions.count { $0 == "?" } + 1))
        #expect(plan == ["SEARCH connection USING COVERING INDEX \(index)"])
    }

    /// Those in trouble have indexes of their own, which hold no others.
    @Test(
        arguments: [
            (ConnectionHealth.failing, nil, nil, "connection_trouble (name>? AND name<?)"),
            (.waiting, nil, "p", "connection_trouble (name>? AND name<?)"),
            (nil, "pda-address", nil, "connection_trouble_code (trouble_code=? AND name>? AND name<?)"),
            (.failing, "pda-address", "p", "connection_trouble_code (trouble_code=? AND name>? AND name<?)"),
        ] as [(ConnectionHealth?, String?, String?, String)]
    )
    func connectionsInTroubleAreFoundByTheirIndexes(
        _ health: ConnectionHealth?,
        _ code: String?,
        _ plug: String?,
        _ index: String
    ) async throws {
        var search = ConnectionSearch(limit: 1)
        (search.health, search.code, search.plug) = (health, code, plug)
        let conditions = "\(ConnectionFinding.trouble(search).condition) AND name > ? AND name < ?"
        let plan = try await plan(ConnectionFinding.names(conditions), Self.nulls(conditions.count { $0 == "?" } + 1))
        #expect(plan == ["SEARCH connection USING COVERING INDEX \(index)"])
    }

    @Test func connectionsOfPDAsAreFoundWithoutAScanOrASort() async throws {
        let plan = try await plan(ConnectionFinding.places(ConnectionSearch(limit: 1)), Self.nulls(7))
        #expect(
            plan.contains { $0.contains("SEARCH connection USING COVERING INDEX connection_address ((pda,name)>") },
            "\(plan)"
        )
        #expect(!plan.contains { $0.contains("TEMP B-TREE") || $0.contains("SCAN connection") }, "\(plan)")
    }
}
