internal import Cryptography
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

    /// A state: 256 random bits.
    static func make() -> Secret {
        SecretBytes.random(count: 32).withUnsafeBytes { Secret(Base64URL.encode(Array($0))) }
    }
}
