/// Base64 with the URL alphabet and without padding (RFC 4648, section 5), as tokens use it.
public enum Base64URL {
    /// Encodes bytes.
    public static func encode(_ bytes: some Collection<UInt8>) -> String {
        var text = Array(Base64.encoded(Array(bytes)).utf8)
        while text.last == UInt8(ascii: "=") { text.removeLast() }
        for at in text.indices {
            switch text[at] {
            case UInt8(ascii: "+"): text[at] = UInt8(ascii: "-")
            case UInt8(ascii: "/"): text[at] = UInt8(ascii: "_")
            default: break
            }
        }
        return String(decoding: text, as: UTF8.self)
    }

    /// Decodes a text, `nil` if it has other characters, padding, an impossible length or bits that mean nothing: what is
    /// signed has one spelling only.
    public static func decode(_ text: some StringProtocol) -> [UInt8]? {
        let text = String(text)
        guard let bytes = Base64.decoded(text), encode(bytes).utf8.elementsEqual(text.utf8) else { return nil }
        return bytes
    }
}
