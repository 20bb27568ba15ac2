internal import Cryptography
internal import OAuth
package import PlugCore

/// The browser in which something was begun, and the only one in which it can be completed.
package struct BrowserSession: Sendable, Equatable {
    /// Distinguishes sessions, but opens none.
    let hash: [UInt8]

    /// A session.
    ///
    /// - Parameter id: The content of the browser's cookie: an unguessable text.
    package init(id: Secret) { hash = SHA256.hash(Array("plughost session \(id.reveal())".utf8)) }
}

/// The name under which a store finds a consent.
enum ConsentName {
    /// - Parameter state: What the browser brings back: an unguessable text.
    static func hash(_ state: Secret) -> [UInt8] { SHA256.hash(Array("plughost state \(state.reveal())".utf8)) }

    /// - Parameters:
    ///   - token: The temporary token of a consent with OAuth 1.0a, chosen by the service.
    ///   - redirectURI: Where the browser comes back to, one per provider: services may choose the same token.
    static func hash(_ token: Secret, at redirectURI: String) -> [UInt8] {
        SHA256.hash(Array("plughost oauth1 \(redirectURI) \(token.reveal())".utf8))
    }

    /// The name that identifies a browser's answer; `nil` if nothing in it does.
    static func hash(ofAnswer query: String, at redirectURI: String) -> [UInt8]? {
        if let state = PendingConsent.state(in: query) { return hash(state) }
        return PendingOAuth1Consent.token(in: query).map { hash($0, at: redirectURI) }
    }

    /// A state: 256 random bits.
    static func make() -> Secret { Secret(SecureRandom.base64URL(bytes: 32)) }
}
