/// What somebody who runs a host looks for among its connections.
///
/// Each search walks an index from where the last page ended, so that it takes as long with a million connections as with ten.
/// Therefore it finds beginnings, and no pieces from the middle.
package struct ConnectionSearch: Sendable, Equatable {
    /// Where a page has ended.
    package struct Place: Sendable, Equatable {
        /// The name of its last connection.
        package var name: String
        /// The PDA of that, where it was found by it and not by its name.
        package var pda: String?

        /// A place.
        package init(name: String, pda: String? = nil) { (self.name, self.pda) = (name, pda) }
    }

    /// The beginning of the connection's name or of its PDA's address, with or without `https://`; empty for any.
    package var text = ""
    /// The plug's id; `nil` for any.
    package var plug: String?
    /// Whether the host runs it; `nil` for any, those without a set-up among them.
    package var status: ConnectionSetup.Status?
    /// Where the page before has ended; `nil` for the first page.
    package var after: Place?
    /// How many at most.
    package var limit: Int

    /// All, page by page.
    package init(limit: Int) { self.limit = limit }
}

/// A page of connections: first those that were found by their names, in the order of these; then those that were found by their
/// PDAs, in the order of those.
package struct FoundConnections: Sendable, Equatable {
    /// The connections.
    package var connections: [Connection]
    /// Where the next page goes on; `nil` if this is the last.
    ///
    /// Where few connections of very many PDAs have the plug and the state that are looked for, a page may end before it is full.
    package var next: ConnectionSearch.Place?

    /// A page.
    package init(connections: [Connection], next: ConnectionSearch.Place? = nil) {
        (self.connections, self.next) = (connections, next)
    }
}

extension ConnectionSearch {
    /// What the addresses begin with that are meant, in their order.
    package var addresses: [String] {
        if text.isEmpty { return [] }
        return text.contains("://") ? [text] : ["http://\(text)", "https://\(text)"]
    }
}
