package import PlugCore
package import Signing

/// The client with OAuth 1.0a, as an operator or a person registered it with a service.
package struct OAuth1Consumer: Sendable {
    /// The consumer's key. It is not secret: every request shows it.
    package let key: String
    /// Secrets that no message may show.
    package let hidden: [Secret]
    /// Signs for the consumer alone, before there is a token.
    package let signer: OAuth1Signer
    /// The realm in the header.
    private let realm: String?

    /// - Parameters:
    ///   - secret: Empty with RSA-SHA1.
    ///   - privateKey: PEM, with RSA-SHA1.
    /// - Throws: `OAuth1Signer.Refused` if there is no usable private key for RSA-SHA1.
    package init(
        _ method: OAuth1Method,
        key: String,
        secret: Secret,
        privateKey: Secret? = nil,
        realm: String? = nil
    ) throws(OAuth1Signer.Refused) {
        self.key = key
        self.realm = realm
        hidden = [secret, privateKey].compactMap { $0 }.filter { !$0.reveal().isEmpty }
        signer = try OAuth1Signer(method, consumerKey: key, consumerSecret: secret, privateKey: privateKey)
    }

    /// The value of the `Authorization` header.
    func header(_ parameters: [(name: String, value: String)]) -> String {
        OAuth1Signer.header(parameters, realm: realm)
    }
}
