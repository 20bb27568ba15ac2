package import Cryptography
package import PlugCore

/// Signs messages in a service's own scheme: an HMAC, or a hash, as a text.
package struct MessageSigner: Sendable {
    /// How a signature is encoded.
    package enum Encoding: String, Sendable, CaseIterable {
        /// In lower case.
        case hex
        case base64
        /// Without padding (`=`).
        case base64url
    }

    /// How a key is encoded.
    package enum KeyEncoding: String, Sendable, CaseIterable {
        /// The key is its UTF-8.
        case text
        case base64
        case hex
    }

    /// Why a text is not a valid key; it never quotes the key.
    package struct Refused: Error, Sendable, Equatable, CustomStringConvertible {
        /// The rest of a sentence that begins with "the key ".
        package let description: String
    }

    private let hash: HashFunction
    private let key: SecretBytes?
    private let encoding: Encoding

    /// - Parameter key: `nil` for a plain hash of a message that contains the secret.
    /// - Throws: `Refused` if the key does not have the given encoding.
    package init(
        _ hash: HashFunction,
        key: Secret?,
        _ keyEncoding: KeyEncoding = .text,
        _ encoding: Encoding = .hex
    ) throws(Refused) {
        self.hash = hash
        self.encoding = encoding
        guard let key else {
            self.key = nil
            return
        }
        let text = key.reveal()
        let bytes: [UInt8]?
        switch keyEncoding {
        case .text: bytes = Array(text.utf8)
        case .base64: bytes = Base64.decoded(text) ?? Base64URL.decode(text)
        case .hex: bytes = Self.bytes(hexadecimal: text)
        }
        guard let bytes, !bytes.isEmpty else { throw Refused(description: "is no \(keyEncoding.rawValue)") }
        self.key = SecretBytes(bytes)
    }

    /// The signature of a message.
    package func signature(of message: [UInt8]) -> String {
        let bytes = key.map { hash.code(for: message, key: $0) } ?? hash.hash(message)
        return switch encoding {
        case .hex: Hexadecimal.encoded(bytes)
        case .base64: Base64.encoded(bytes)
        case .base64url: Base64URL.encode(bytes)
        }
    }

    private static func bytes(hexadecimal text: String) -> [UInt8]? {
        let digits = text.utf8.map { Hexadecimal.value(of: $0) }
        guard digits.count.isMultiple(of: 2), !digits.contains(nil) else { return nil }
        let values = digits.compactMap(\.self)
        return stride(from: 0, to: values.count, by: 2).map { values[$0] << 4 | values[$0 + 1] }
    }
}
