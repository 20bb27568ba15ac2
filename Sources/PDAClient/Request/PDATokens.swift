public import PlugCore

/// Where a client's token comes from, and where a refreshed one goes.
///
/// A PDA answers each authenticated request with a newer token in `X-Auth-Token`; who keeps sending the first one is
/// refused three days after that was made.
public protocol PDATokens: Sendable {
    /// The token to send, `nil` to ask without one.
    func current() async -> Secret?
    /// Keeps a token that the PDA gave back; never an empty one.
    func refreshed(_ token: Secret) async
}

/// A token that lives as long as the program.
public actor InMemoryTokens: PDATokens {
    private var token: Secret?

    /// Starts with a token, or without one.
    public init(_ token: Secret? = nil) { self.token = token }

    /// The newest token.
    public func current() -> Secret? { token }

    /// Replaces the token.
    public func refreshed(_ token: Secret) { self.token = token }
}
