internal import PDAWire
package import PlugCore
package import PlugStorage

/// The PDA's token of a connection that a host runs automatically.
package enum ConnectionToken {
    /// Checks a token as read from a token file.
    ///
    /// - Parameter pda: The PDA's origin.
    /// - Throws: `PlugError` `token-malformed`, `token-expired`, `token-idle` (77).
    package static func check(_ token: Secret, pda: String, clock: any HostClock) throws(PlugError) {
        _ = try TokenCheck.check(token, pda: pda, now: clock.now())
    }

    /// A checked token in the form in which it is kept.
    ///
    /// - Parameter pda: The PDA's origin.
    /// - Throws: As `check`.
    package static func kept(_ token: Secret, pda: String, clock: any HostClock) throws(PlugError) -> KeptToken {
        try check(token, pda: pda, clock: clock)
        // The check has already parsed its claims.
        return KeptToken(token: token, issuedAt: TokenClaims(token: token.reveal())?.issuedAt ?? 0)
    }

    /// Checks the token and keeps it; without one, checks that a valid one is already kept.
    ///
    /// - Parameter token: As read from a token file.
    /// - Returns: Diagnostics about the token.
    /// - Throws: `PlugError` `token-missing`, `token-malformed`, `token-expired`, `token-idle` (77), and the store's errors.
    package static func keep(
        _ token: Secret?,
        of connection: Connection,
        in store: any TokenStore,
        clock: any HostClock
    ) async throws -> [Diagnostic] {
        let (tokens, warnings) = try await RunTokens.checked(file: token, of: connection, store: store, clock: clock)
        await tokens.keep()
        if let failure = await tokens.failure { throw failure }
        return warnings
    }
}
