/// An operator's search among a host's connections.
///
/// Each search walks an index from where the last page ended, so that it takes as long with a million connections as with ten.
/// Therefore it matches prefixes only.
package struct ConnectionSearch: Sendable, Equatable {
    /// Where a page ended.
    package struct Place: Sendable, Equatable {
        /// The name of its last connection.
        package var name: String
        /// The last connection's PDA, if it was found by that and not by its name.
        package var pda: String?

        /// Creates a place.
        package init(name: String, pda: String? = nil) { (self.name, self.pda) = (name, pda) }
    }

    /// A prefix of the connection's name or of its PDA's address, with or without `https://`; empty for any.
    package var text = ""
    /// The plug's id; `nil` for any.
    package var plug: String?
    /// Whether the host runs it; `nil` for any, including those without a set-up.
    package var status: ConnectionSetup.Status?
    /// How active connections in trouble stand, those without a set-up included; `nil` for any, and those without trouble.
    package var health: ConnectionHealth?
    /// The code of that trouble; `nil` for any.
    package var code: String?
    /// Where the previous page ended; `nil` for the first page.
    package var after: Place?
    /// The maximum number of results.
    package var limit: Int

    /// Creates a search for all connections, page by page.
    package init(limit: Int) { self.limit = limit }
}

/// A page of connections: first those found by their names, ordered by name; then those found by their PDAs, ordered by PDA.
package struct FoundConnections: Sendable, Equatable {
    /// The connections.
    package var connections: [Connection]
    /// Where the next page continues; `nil` if this is the last.
    ///
    /// If few connections of very many PDAs have the requested plug and status, a page may end before it is full.
    package var next: ConnectionSearch.Place?

    /// Creates a page.
    package init(connections: [Connection], next: ConnectionSearch.Place? = nil) {
        (self.connections, self.next) = (connections, next)
    }
}

extension ConnectionSearch {
    /// The words that `narrow` knows.
    package static let states =
        ConnectionSetup.Status.allCases.map(\.rawValue) + ConnectionHealth.allCases.map(\.rawValue)

    /// Searches for a state only: that of the set-up, or how connections in trouble stand. `active` are all that the host runs.
    ///
    /// - Returns: Whether there is such a state.
    package mutating func narrow(to state: String) -> Bool {
        status = ConnectionSetup.Status(rawValue: state)
        health = ConnectionHealth(rawValue: state)
        return status != nil || health != nil
    }

    /// The word that it was narrowed to; `nil` for none.
    package var state: String? { health?.rawValue ?? status?.rawValue }

    /// Whether it is for connections in trouble.
    package var isForTrouble: Bool { health != nil || code != nil }

    /// Whether a connection has the trouble searched for.
    package func takes(_ status: ConnectionSetup.Status?, _ trouble: ConnectionTrouble?) -> Bool {
        guard isForTrouble else { return true }
        guard let found = ConnectionState(status, trouble).trouble else { return false }
        return (health == nil || health == found.health) && (code == nil || code == found.why.code)
    }

    /// The address prefixes to search for, in order.
    package var addresses: [String] {
        if text.isEmpty { return [] }
        return text.contains("://") ? [text] : ["http://\(text)", "https://\(text)"]
    }
}
