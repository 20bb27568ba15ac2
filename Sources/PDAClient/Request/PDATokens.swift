internal import PDAWire
public import PlugCore

/// Where a client's token comes from, and where a refreshed one goes.
///
/// A PDA answers each authenticated request with a newer token in `X-Auth-Token`; who keeps sending the first one is
/// refused three days after that was made. Requests run at the same time, and their answers come in any order: a source
/// has to take care that an old one does not replace a newer one.
public protocol PDATokens: Sendable {
    /// The token to send, `nil` to ask without one.
    func current() async -> Secret?
    /// Keeps a token that the PDA gave back, whatever was there; never an empty one.
    func refreshed(_ token: Secret) async
    /// Keeps a token that the PDA gave back to a request.
    ///
    /// - Parameters:
    ///   - token: The refreshed token, never empty.
    ///   - sent: The token that the request carried. The default keeps `token` if `sent` is still the current one, or
    ///     where `token` is a newer token of the same log-in as the current one; in all other cases the current one stays.
    func refreshed(_ token: Secret, of sent: Secret) async
}

extension PDATokens {
    /// Keeps the token where it is newer than the current one and of the same log-in. Between looking and keeping another
    /// answer may come: a source that has a lock or is an actor does both in one step.
    public func refreshed(_ token: Secret, of sent: Secret) async {
        if Self.replaces(token, current: await current(), sent: sent) { await refreshed(token) }
    }

    /// Whether a refreshed token belongs in the place of the current one.
    ///
    /// - Parameters:
    ///   - token: What the PDA gave back.
    ///   - current: What the source holds now; `nil` after a log-out, which a late answer must not undo.
    ///   - sent: What the request carried.
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

    /// Replaces the token where the new one is newer and of the same log-in; in one step, so that nothing comes between.
    public func refreshed(_ token: Secret, of sent: Secret) {
        if Self.replaces(token, current: self.token, sent: sent) { self.token = token }
    }

    /// Replaces the token by that of another log-in, or forgets it.
    public func set(_ token: Secret?) { self.token = token }
}
