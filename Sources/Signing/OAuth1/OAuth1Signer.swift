internal import Cryptography
package import PlugCore

/// Signs requests with OAuth 1.0a (RFC 5849).
package struct OAuth1Signer: Sendable {
    /// Why signing is not possible; it never quotes the key.
    package struct Refused: Error, Sendable, Equatable, CustomStringConvertible {
        /// The rest of a sentence that begins with "the key ".
        package let description: String
    }

    private enum Key: Sendable {
        case secrets
        case rsa(RSAPrivateKey)
    }

    private let method: OAuth1Method
    private let consumerKey: String
    private let consumerSecret: Secret
    private var token: String?
    private var tokenSecret: Secret
    private let key: Key

    /// The smallest RSA key accepted: services have issued keys of this size for many years.
    private static let minimumBits = 1024

    /// - Parameters:
    ///   - consumerSecret: Empty with RSA-SHA1.
    ///   - token: `nil` if the service authenticates only consumers.
    ///   - privateKey: PEM, with RSA-SHA1. Line breaks may be written as `\n`.
    /// - Throws: `Refused` if RSA-SHA1 has no usable private key.
    package init(
        _ method: OAuth1Method,
        consumerKey: String,
        consumerSecret: Secret,
        token: String? = nil,
        tokenSecret: Secret = Secret(""),
        privateKey: Secret? = nil
    ) throws(Refused) {
        self.method = method
        self.consumerKey = consumerKey
        self.consumerSecret = consumerSecret
        self.token = token
        self.tokenSecret = tokenSecret
        guard method == .rsaSHA1 else {
            key = .secrets
            return
        }
        let pem = privateKey?.reveal().replacing("\\n", with: "\n") ?? ""
        guard let rsa = RSAPrivateKey(pem: pem, minimumBits: Self.minimumBits) else {
            throw Refused(description: "is not a private RSA key of \(Self.minimumBits) bits or more in PEM form")
        }
        key = .rsa(rsa)
    }

    /// The same consumer with a token.
    package func with(token: String, secret: Secret) -> OAuth1Signer {
        var copy = self
        (copy.token, copy.tokenSecret) = (token, secret)
        return copy
    }

    /// Both secrets, encoded and joined by `&`: the key of an HMAC, and the signature for PLAINTEXT.
    private var secrets: Secret {
        Secret(PercentEncoding.segment(consumerSecret.reveal()) + "&" + PercentEncoding.segment(tokenSecret.reveal()))
    }

    /// The parameters that sign a request, in sending order.
    ///
    /// - Parameters:
    ///   - own: Protocol parameters for this request only: `oauth_callback`, `oauth_verifier`.
    ///   - timestamp: Seconds since 1970.
    ///   - nonce: A text that is unique among requests with this timestamp.
    package func parameters(
        for request: SignableRequest,
        _ own: [(name: String, value: String)] = [],
        timestamp: Int64,
        nonce: String
    ) throws(Refused) -> [(name: String, value: String)] {
        var parameters: [(name: String, value: String)] = [("oauth_consumer_key", consumerKey)]
        if let token { parameters.append(("oauth_token", token)) }
        parameters += own
        parameters += [
            ("oauth_signature_method", method.rawValue), ("oauth_timestamp", "\(timestamp)"), ("oauth_nonce", nonce),
            ("oauth_version", "1.0"),
        ]
        let base = OAuth1BaseString.text(of: request, with: parameters)
        parameters.append(("oauth_signature", try signature(of: base)))
        return parameters
    }

    /// The signature of a base string.
    func signature(of base: String) throws(Refused) -> String {
        let message = Array(base.utf8)
        switch (method, key) {
        case (.plaintext, _): return secrets.reveal()
        case (.rsaSHA1, .rsa(let key)):
            guard let signature = try? key.signature(of: message, .sha1) else {
                throw Refused(description: "does not sign")
            }
            return Base64.encoded(signature)
        case (.hmacSHA1, _): return Base64.encoded(code(of: message, .sha1))
        case (.hmacSHA256, _): return Base64.encoded(code(of: message, .sha256))
        case (.rsaSHA1, .secrets): throw Refused(description: "is missing")
        }
    }

    private func code(of message: [UInt8], _ hash: HashFunction) -> [UInt8] {
        hash.code(for: message, key: SecretBytes(Array(secrets.reveal().utf8)))
    }

    /// The value of the header `Authorization` (section 3.5.1).
    package static func header(_ parameters: [(name: String, value: String)], realm: String? = nil) -> String {
        let quoted = realm.map { ["realm=\"\($0.replacing("\\", with: "\\\\").replacing("\"", with: "\\\""))\""] } ?? []
        let pairs = parameters.map { "\(PercentEncoding.segment($0.name))=\"\(PercentEncoding.segment($0.value))\"" }
        return "OAuth " + (quoted + pairs).joined(separator: ", ")
    }
}
