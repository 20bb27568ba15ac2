internal import Cryptography
internal import OAuth
package import PlugCore

/// The browser in which something was begun, and in which alone it can be ended.
package struct BrowserSession: Sendable, Equatable {
    /// Tells sessions apart, and opens none.
    let hash: [UInt8]

    /// A session.
    ///
    /// - Parameter id: What the browser's cookie holds: a text that nobody can guess.
    package init(id: Secret) { hash = SHA256.hash(Array("plughost session \(id.reveal())".utf8)) }
}

/// The name under which a store finds a consent.
enum ConsentName {
    /// - Parameter state: What the browser brings back: a text that nobody can guess.
    static func hash(_ state: Secret) -> [UInt8] { SHA256.hash(Array("plughost state \(state.reveal())".utf8)) }

    /// - Parameters:
    ///   - token: The temporary token of a consent with OAuth 1.0a, which the service has chosen.
    ///   - redirectURI: Where the browser comes back to, which is one provider's: services may choose the same token.
    static func hash(_ token: Secret, at redirectURI: String) -> [UInt8] {
        SHA256.hash(Array("plughost oauth1 \(redirectURI) \(token.reveal())".utf8))
    }

    /// What an answer of a browser is found by; `nil` where nothing in it can be.
    static func hash(ofAnswer query: String, at redirectURI: String) -> [UInt8]? {
        if let state = PendingConsent.state(in: query) { return hash(state) }
        return PendingOAuth1Consent.token(in: query).map { hash($0, at: redirectURI) }
    }

    /// A state: 256 random bits.
    static func make() -> Secret {
        SecretBytes.random(count: 32).withUnsafeBytes { Secret(Base64URL.encode(Array($0))) }
    }
}
