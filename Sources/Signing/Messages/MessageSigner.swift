package import Cryptography
package import PlugCore

/// Signs messages that a service describes in words: an HMAC of something, or its hash, as a text.
package struct MessageSigner: Sendable {
    /// How a signature is written.
    package enum Encoding: String, Sendable, CaseIterable {
        /// In lower case.
        case hex
        case base64
        /// Without `=` at its end.
        case base64url
    }

    /// How a key is written.
    package enum KeyEncoding: String, Sendable, CaseIterable {
        /// Its UTF-8 is the key.
        case text
        case base64
        case hex
    }

    /// Why a text is no key; it quotes nothing.
    package struct Refused: Error, Sendable, Equatable, CustomStringConvertible {
        /// A part of a sentence, to follow "the key ".
        package let description: String
    }

    private let hash: HashFunction
    private let key: SecretBytes?
    private let encoding: Encoding

    /// - Parameter key: `nil` for a mere hash of what has the secret in it.
    /// - Throws: `Refused` if the key is not written as it says.
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
