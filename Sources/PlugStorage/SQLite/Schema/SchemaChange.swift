internal import GRDB

/// A version of the tables, for explaining what an upgrade does.
package struct SchemaChange: Sendable, Equatable {
    /// Its number.
    package var version: Int
    /// A short description of what it adds.
    package var what: String
    /// Whether it reads every row of some tables, so that its duration grows with their size.
    package var readsAll: Bool

    /// Creates a version.
    package init(version: Int, what: String, readsAll: Bool) {
        (self.version, self.what, self.readsAll) = (version, what, readsAll)
    }
}

/// The effect of upgrading a state.
package struct SchemaPlan: Sendable, Equatable {
    /// The version of its tables; 0 where there are none.
    package var version: Int
    /// The missing changes, in the order in which they are made.
    package var changes: [SchemaChange]
    /// The size of the database and its log, in bytes.
    package var bytes: Int

    /// The additional room needed during the upgrade: each change is one transaction, and its pages go through the log.
    package var room: Int { changes.isEmpty ? 0 : bytes }

    /// The approximate duration in seconds: reading all rows was measured at some 50 MB a second on an ordinary disk.
    package var seconds: Int {
        let slow = changes.filter(\.readsAll).count
        return changes.isEmpty ? 0 : 1 + slow * bytes / 50_000_000
    }
}

extension Schema {
    /// What each version added. A new migration needs its line here; a test counts them.
    static let changes: [SchemaChange] = [
        change(1, "connections, streams, the outbox, runs"),
        change(2, "what is remembered of servers"),
        change(3, "who leased a connection"),
        change(4, "the size of all dead letters", readsAll: true),
        change(5, "how much waits in the outbox", readsAll: true),
        change(6, "what sources granted"),
        change(7, "what each pass has found"),
        change(8, "what runs have learnt of streams"),
        change(9, "what a host runs by itself"),
        change(10, "whose turn it is among plugs, and how long things are kept", readsAll: true),
        change(11, "when grants are renewed"),
        change(12, "consents in a browser"),
        change(13, "sessions, API keys, links"),
        change(14, "who has given whom a way in"),
        change(15, "sums for overviews", readsAll: true),
        change(16, "notices of what needs a person", readsAll: true),
        change(17, "what keeps connections from making progress", readsAll: true),
    ]

    private static func change(_ version: Int, _ what: String, readsAll: Bool = false) -> SchemaChange {
        SchemaChange(version: version, what: what, readsAll: readsAll)
    }

    /// The changes missing from a database; one that is not plughost's, or was written by a newer plughost, is refused.
    static func missing(in database: Database) throws -> [SchemaChange] {
        if try content(of: database) == .nothing { return changes }
        let done = try migrator.appliedIdentifiers(database)
        return changes.filter { !done.contains("\($0.version)") }
    }
}
