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
    /// The address prefixes to search for, in order.
    package var addresses: [String] {
        if text.isEmpty { return [] }
        return text.contains("://") ? [text] : ["http://\(text)", "https://\(text)"]
    }
}
