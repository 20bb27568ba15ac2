internal import PDAWire
package import PlugCore
package import PlugStorage

/// The PDA's token of a connection that a host runs automatically.
package enum ConnectionToken {
    /// Checks a token as read from a token file.
    ///
    /// - Parameters:
    ///   - plug: The plug's id.
    ///   - pda: The PDA's origin.
    ///   - acceptsForeign: Whether a token of another PDA or application is accepted.
    /// - Throws: `PlugError` `token-malformed`, `token-expired`, `token-idle`, `token-issuer`, `token-application` (77).
    package static func check(
        _ token: Secret,
        plug: String,
        pda: String,
        acceptsForeign: Bool,
        clock: any HostClock
    ) throws(PlugError) {
        _ = try TokenCheck(plug: plug, pda: pda, acceptsForeign: acceptsForeign).check(token, now: clock.now())
    }

    /// A checked token in the form in which it is kept.
    ///
    /// - Parameters: As of `check`.
    /// - Throws: As `check`.
    package static func kept(
        _ token: Secret,
        plug: String,
        pda: String,
        acceptsForeign: Bool,
        clock: any HostClock
    ) throws(PlugError) -> KeptToken {
        try check(token, plug: plug, pda: pda, acceptsForeign: acceptsForeign, clock: clock)
        // The check has already parsed its claims.
        return KeptToken(token: token, issuedAt: TokenClaims(token: token.reveal())?.issuedAt ?? 0)
    }

    /// Checks the token and keeps it; without one, checks that a valid one is already kept.
    ///
    /// - Parameters:
    ///   - token: As read from a token file.
    ///   - acceptsForeign: Whether a token of another PDA or application is accepted.
    /// - Returns: Diagnostics about the token.
    /// - Throws: `PlugError` `token-missing` and those of `check` (77), and the store's errors.
    package static func keep(
        _ token: Secret?,
        of connection: Connection,
        acceptsForeign: Bool,
        in store: any TokenStore,
        clock: any HostClock
    ) async throws -> [Diagnostic] {
        let (tokens, warnings) = try await RunTokens.checked(
            file: token,
            of: connection,
            acceptsForeign: acceptsForeign,
            store: store,
            clock: clock
        )
        await tokens.keep()
        if let failure = await tokens.failure { throw failure }
        return warnings
    }
}
