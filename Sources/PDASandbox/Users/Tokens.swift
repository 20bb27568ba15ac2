internal import Cryptography
internal import PDAWire
internal import PlugCore
internal import Synchronization

/// Makes, checks and refreshes tokens.
final class Tokens: Sendable {
    private let key: SigningKey
    /// The owner's `sub`, opaque and the same in all tokens of the owner.
    private let subject: String
    private let clock: any HostClock
    /// A signature costs some 0.7 ms and is a function of its claims, which change once a second.
    private let known = Mutex(Known())
    private static let keptAtMost = 512

    private struct Known {
        var verified: [String: TokenClaims] = [:]
        var refreshed: [String: (issuedAt: Int64, token: String)] = [:]
    }

    init(key: SigningKey, subject: String, clock: any HostClock) {
        self.key = key
        self.subject = subject
        self.clock = clock
    }

    /// A new token of the owner.
    func owner(issuer: String) throws -> String { try user(issuer: issuer, scope: "owner") }

    /// A new token of a user.
    ///
    /// - Parameters:
    ///   - scope: The role that it is limited to, `nil` for none.
    ///   - resource: Its intended recipient, `nil` for the PDA itself.
    ///   - subject: The user it belongs to, `nil` for the owner.
    func user(issuer: String, scope: String?, resource: String? = nil, subject: String? = nil) throws -> String {
        var claims = fresh(issuer, subject)
        if scope != nil { claims.resource = resource ?? issuer }
        claims.scope = scope
        return try key.token(claims)
    }

    /// A new token of an application, for the owner or another user.
    func application(_ id: String, version: String, issuer: String, subject: String? = nil) throws -> String {
        var claims = fresh(issuer, subject)
        claims.application = id
        claims.applicationVersion = version
        return try key.token(claims)
    }

    private func fresh(_ issuer: String, _ subject: String?) -> TokenClaims {
        let now = clock.seconds
        let identifier = SecureRandom.hexadecimal(bytes: 128)
        return TokenClaims(
            issuer: issuer,
            subject: subject ?? self.subject,
            identifier: identifier,
            issuedAt: now,
            expires: now + PDALimit.tokenSeconds
        )
    }

    /// The claims of a valid token: ours, neither expired nor idle. The caller has to check that its user exists.
    func check(_ token: String) -> TokenClaims? {
        guard let claims = verified(token), let expires = claims.expires else { return nil }
        let now = clock.seconds
        return expires > now && !claims.isIdle(at: now) ? claims : nil
    }

    private func verified(_ token: String) -> TokenClaims? {
        if let claims = known.withLock({ $0.verified[token] }) { return claims }
        guard let claims = key.claims(of: token) else { return nil }
        known.withLock {
            if $0.verified.count >= Self.keptAtMost { $0.verified.removeAll() }
            $0.verified[token] = claims
        }
        return claims
    }

    /// The same token with `iat` now.
    func refresh(_ claims: TokenClaims) throws -> String {
        var claims = claims
        claims.issuedAt = clock.seconds
        let name = claims.identifier ?? ""
        if let kept = known.withLock({ $0.refreshed[name] }), kept.issuedAt == claims.issuedAt { return kept.token }
        let token = try key.token(claims)
        let issuedAt = claims.issuedAt
        known.withLock {
            if $0.refreshed.count >= Self.keptAtMost { $0.refreshed.removeAll() }
            $0.refreshed[name] = (issuedAt, token)
        }
        return token
    }
}

extension HostClock {
    /// Seconds since 1970.
    var seconds: Int64 { now() / 1_000_000 }
    /// Milliseconds since 1970.
    var milliseconds: Int64 { now() / 1000 }
}
