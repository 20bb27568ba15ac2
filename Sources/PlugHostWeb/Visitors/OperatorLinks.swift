internal import Cryptography
package import PlugCore
package import PlugStorage

/// Single-use login links for operators: for the first visit, before anything else is set up.
package struct OperatorLinks: Sendable {
    /// How long a link is valid, in microseconds.
    package static let lifetime: Int64 = 15 * 60 * 1_000_000
    /// An operator's name if none is given.
    package static let anyName = "operator"
    private let store: any AccessStore
    private let clock: any HostClock

    /// Links in a store.
    package init(_ store: any AccessStore, clock: any HostClock) {
        self.store = store
        self.clock = clock
    }

    /// Makes a link.
    ///
    /// - Parameters:
    ///   - name: The operator's name in audit logs.
    ///   - origin: The host's address.
    ///   - who: Who makes it, for the audit log.
    /// - Returns: The address.
    package func make(for name: String, at origin: String, by who: String = "shell") async throws -> Secret {
        let token = SecureRandom.base64URL(bytes: 32)
        let now = clock.now()
        let link = OneTimeLink(hash: Self.hash(token), role: .operator, subject: name, endsAt: now + Self.lifetime)
        let change = AuditEntry(at: now, who: who, what: "made a link for the operator \(name)")
        try await store.keepLink(link, change)
        return Secret("\(origin)/operator/login?token=\(token)")
    }

    /// Whether a token can still be used. Link previews in mail and chat programs do not use it up.
    func isOpen(_ token: String) async throws -> Bool {
        try await store.link(Self.hash(token), at: clock.now()) != nil
    }

    /// Uses up a token.
    func take(_ token: String) async throws -> OneTimeLink? {
        try await store.takeLink(Self.hash(token), at: clock.now())
    }

    private static func hash(_ token: String) -> [UInt8] { SHA256.hash(Array(token.utf8)) }
}
