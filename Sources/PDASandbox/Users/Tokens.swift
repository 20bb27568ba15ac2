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
        let identifier = RandomText.hex(bytes: 128)
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

/// Unguessable texts.
enum RandomText {
    static func hex(bytes count: Int) -> String { Hexadecimal.encoded(bytes(count)) }

    /// Bytes from the system's generator.
    static func bytes(_ count: Int) -> [UInt8] {
        var generator = SystemRandomNumberGenerator()
        return (0..<count).map { _ in UInt8.random(in: 0...255, using: &generator) }
    }

    /// A random UUID (version 4) in lower case.
    static func uuid() -> String {
        var generator = SystemRandomNumberGenerator()
        let words = (generator.next(), generator.next())
        return text((words.0 & ~0xF000 | 0x4000, words.1 & ~(0b11 << 62) | 0b10 << 62))
    }

    /// A UUID that begins with its time (version 7), so that ids of one request are adjacent in an index.
    ///
    /// - Parameter milliseconds: The time since 1970.
    static func uuid(at milliseconds: Int64) -> String {
        var generator = SystemRandomNumberGenerator()
        let time = UInt64(truncatingIfNeeded: milliseconds) << 16
        let chance = generator.next()
        return text((time | 0x7000 | chance & 0xFFF, generator.next() & ~(0b11 << 62) | 0b10 << 62))
    }

    private static func text(_ words: (UInt64, UInt64)) -> String {
        var text: [UInt8] = []
        text.reserveCapacity(36)
        for at in 0..<16 {
            if at == 4 || at == 6 || at == 8 || at == 10 { text.append(UInt8(ascii: "-")) }
            let word = at < 8 ? words.0 : words.1
            Hexadecimal.append(UInt8(truncatingIfNeeded: word >> UInt64(56 - at % 8 * 8)), to: &text)
        }
        return String(decoding: text, as: UTF8.self)
    }

    /// Whether a text is a UUID in the usual form; upper case is accepted.
    static func isUUID(_ text: String) -> Bool {
        let bytes = Array(text.utf8)
        guard bytes.count == 36 else { return false }
        return bytes.enumerated().allSatisfy { at, byte in
            [8, 13, 18, 23].contains(at) ? byte == UInt8(ascii: "-") : Hexadecimal.value(of: byte) != nil
        }
    }
}
