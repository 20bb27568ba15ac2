/// What somebody who runs a host looks for among its connections.
package struct ConnectionSearch: Sendable, Equatable {
    /// A piece of the connection's name, its PDA or its plug; empty for any.
    package var text = ""
    /// Whether the host runs it; `nil` for any, those without a set-up among them.
    package var status: ConnectionSetup.Status?
    /// Those whose names come after this one.
    package var after = ""
    /// How many at most.
    package var limit: Int

    /// All, page by page.
    package init(limit: Int) { self.limit = limit }
}
