internal import GRDB
internal import LosslessJSON
internal import PlugCore

extension PDAServer {
    /// GET `/system/status`: eight titles, always in this order.
    var systemStatus: Route.Reply {
        { [store, clock, email] caller in
            let login = try await store.previousLogin().map { Self.ago(clock.milliseconds - $0) } ?? "Never"
            let used = try await store.databaseBytes()
            let all: Int64 = 1 << 30
            return Answer(
                .array([
                    Self.text("Previous Login", login),
                    Self.text("Owner Email", email),
                    Self.bytes("Database Storage", all),
                    Self.bytes("File Storage", all),
                    Self.bytes("Database Storage Used", used),
                    Self.bytes("File Storage Used", 0),
                    Self.number("Database Storage Used Share", Double(used) / Double(all) * 100, "%"),
                    Self.number("File Storage Used Share", 0, "%"),
                ])
            )
        }
    }

    private static func text(_ title: String, _ metric: String) -> JSONValue {
        .object([
            "title": .text(title),
            "kind": .object(["metric": .text(metric), "kind": .text("Text")]),
        ])
    }

    private static func number(_ title: String, _ metric: Double, _ units: String) -> JSONValue {
        let rounded = (metric * 1000).rounded() / 1000
        return .object([
            "title": .text(title),
            "kind": .object([
                "metric": .number(JSONNumber(rounded) ?? JSONNumber(0)),
                "units": .text(units),
                "kind": .text("Numeric"),
            ]),
        ])
    }

    private static func bytes(_ title: String, _ count: Int64) -> JSONValue {
        var (value, unit) = (Double(count), 0)
        let units = ["B", "kB", "MB", "GB"]
        while value >= 1024, unit < units.count - 1 {
            value /= 1024
            unit += 1
        }
        return number(title, value, units[unit])
    }

    /// `5 minutes ago`
    static func ago(_ milliseconds: Int64) -> String {
        let seconds = max(0, milliseconds / 1000)
        for (size, name) in [(86_400, "day"), (3600, "hour"), (60, "minute")] as [(Int64, String)] where seconds >= size
        {
            return "\((seconds / size).counted(name)) ago"
        }
        return "moments ago"
    }
}

extension SandboxStore {
    /// Remembers that the owner logged in, and the time of the previous log-in.
    func rememberLogin(at now: Int64) async throws {
        try await write { database in
            if let last = try Self.fact("login.last", database) { try Self.setFact("login.previous", last, database) }
            try Self.setFact("login.last", String(now), database)
        }
    }

    /// The owner's second-to-last log-in, in milliseconds since 1970.
    func previousLogin() async throws -> Int64? {
        try await read { try Self.fact("login.previous", $0).flatMap { Int64($0) } }
    }

    func databaseBytes() async throws -> Int64 {
        try await read { database in
            let pages = try Int64.fetchOne(database, sql: "PRAGMA page_count") ?? 0
            let size = try Int64.fetchOne(database, sql: "PRAGMA page_size") ?? 0
            return pages * size
        }
    }
}
