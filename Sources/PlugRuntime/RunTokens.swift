internal import PDAWire
internal import PlugCore
internal import PlugDeliver
internal import PlugStorage

/// A run's token: the newer of the file's and the one that an answer's header left in the store, so that an hourly job outlives a
/// token's three days.
actor RunTokens: PDATokenSource {
    private var token: Secret
    private let connection: ConnectionID
    private let store: any TokenStore
    private let clock: any HostClock
    /// How far a PDA's clock may be ahead, in seconds.
    private static let clockTolerance: Int64 = 300
    /// Why a newer token could not be saved; the run continues and reports it at the end.
    private(set) var failure: PlugError?

    /// Chooses between the file's token and the kept one by time of issue.
    ///
    /// - Throws: `PlugError` `token-missing` (77) if there is neither.
    init(
        file: Secret?,
        kept: KeptToken?,
        connection: ConnectionID,
        store: any TokenStore,
        clock: any HostClock
    ) throws(PlugError) {
        self.connection = connection
        self.store = store
        self.clock = clock
        if let kept, file.map({ Self.isRefreshed(kept, from: $0) }) ?? true {
            token = kept.token
        } else if let file {
            token = file
        } else {
            throw PlugError(
                .tokenMissing,
                "connection '\(connection)' has no token yet",
                advice: "name the file that holds its application token with --token-file FILE"
            )
        }
    }

    /// The checked tokens of a known connection, and diagnostics about them.
    ///
    /// - Parameter acceptsForeign: Whether a token of another PDA or application is accepted.
    /// - Throws: `PlugError` `token-missing`, the errors of `TokenCheck` (77), and the store's errors.
    static func checked(
        file: Secret?,
        of connection: Connection,
        acceptsForeign: Bool,
        store: any TokenStore,
        clock: any HostClock
    ) async throws -> (tokens: RunTokens, warnings: [Diagnostic]) {
        let kept = try await store.keptToken(of: connection.id)
        let tokens = try RunTokens(file: file, kept: kept, connection: connection.id, store: store, clock: clock)
        let check = TokenCheck(plug: connection.plug, pda: connection.pda, acceptsForeign: acceptsForeign)
        return (tokens, try check.check(await tokens.current(), now: clock.now()))
    }

    func current() -> Secret { token }

    /// Whether a kept token replaces the file's: it is newer, and for the same application. A malformed token or one for another
    /// application stays, so that its error shows at once and not when the kept one expires.
    private static func isRefreshed(_ kept: KeptToken, from file: Secret) -> Bool {
        guard let claims = TokenClaims(token: file.reveal()), kept.issuedAt > claims.issuedAt else { return false }
        return TokenClaims(token: kept.token.reveal())?.application == claims.application
    }

    /// A token from an answer replaces the one that was sent only if it belongs to the same application and PDA, was issued no
    /// earlier and not in the future, and has not expired: a good token must not be lost to a confused server's.
    private func isBetter(_ claims: TokenClaims) -> Bool {
        guard let present = TokenClaims(token: token.reveal()) else { return true }
        let now = clock.now() / 1_000_000
        // One from the future would win over every token that the owner writes into the file.
        return claims.application == present.application && claims.issuer == present.issuer
            && present.issuedAt...max(present.issuedAt, now + Self.clockTolerance) ~= claims.issuedAt
            && !claims.isExpired(at: now)
    }

    func refreshed(_ newer: Secret) async {
        guard let claims = TokenClaims(token: newer.reveal()), isBetter(claims) else { return }
        token = newer
        await keep()
    }

    /// Keeps the current token for later runs.
    func keep() async {
        guard let claims = TokenClaims(token: token.reveal()) else { return }
        do {
            try await store.keepToken(KeptToken(token: token, issuedAt: claims.issuedAt), of: connection)
        } catch {
            failure =
                error as? PlugError ?? PlugError(.tokenNotKept, "a newer token could not be saved")
        }
    }
}
