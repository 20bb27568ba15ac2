internal import PDAWire
public import PlugCore

/// Where a client's token comes from, and where a refreshed one goes.
///
/// A PDA answers each authenticated request with a newer token in `X-Auth-Token`; a client that keeps sending the first one is
/// refused three days after it was issued. Requests run concurrently, and their answers arrive in any order: a source must
/// ensure that an old token does not replace a newer one.
public protocol PDATokens: Sendable {
    /// The token to send, `nil` to make the request without one.
    func current() async -> Secret?
    /// Keeps a token that the PDA returned, unconditionally; never an empty one.
    func refreshed(_ token: Secret) async
    /// Keeps a token that the PDA returned for a request.
    ///
    /// - Parameters:
    ///   - token: The refreshed token, never empty.
    ///   - sent: The token that the request carried. The default keeps `token` if `sent` is still the current one, or
    ///     if `token` is a newer token of the same log-in as the current one; in all other cases the current one stays.
    func refreshed(_ token: Secret, of sent: Secret) async
}

extension PDATokens {
    /// Keeps the token if it is newer than the current one and of the same log-in. Another answer may arrive between the check
    /// and the update: a source that has a lock or is an actor does both in one step.
    public func refreshed(_ token: Secret, of sent: Secret) async {
        if Self.replaces(token, current: await current(), sent: sent) { await refreshed(token) }
    }

    /// Whether a refreshed token should replace the current one.
    ///
    /// - Parameters:
    ///   - token: The token that the PDA returned.
    ///   - current: The source's current token; `nil` after a log-out, which a late answer must not undo.
    ///   - sent: The token that the request carried.
    public static func replaces(_ token: Secret, current: Secret?, sent: Secret) -> Bool {
        guard let current else { return false }
        let (new, old) = (TokenClaims(token: token.reveal()), TokenClaims(token: current.reveal()))
        guard let new, let old, let identifier = new.identifier, identifier == old.identifier else {
            return current == sent
        }
        return new.issuedAt >= old.issuedAt
    }
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

    /// Replaces the token if the new one is newer and of the same log-in; in one step, so that nothing intervenes.
    public func refreshed(_ token: Secret, of sent: Secret) {
        if Self.replaces(token, current: self.token, sent: sent) { self.token = token }
    }

    /// Replaces the token with that of another log-in, or forgets it.
    public func set(_ token: Secret?) { self.token = token }
}
