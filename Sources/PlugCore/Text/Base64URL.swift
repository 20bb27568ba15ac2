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

    /// Decodes a text; `nil` if it has other characters, padding, an impossible length or non-zero spare bits: signed text has
    /// only one spelling.
    public static func decode(_ text: some StringProtocol) -> [UInt8]? { decode(Array(text.utf8)[...]) }

    /// Decodes a text as above.
    public static func decode(_ text: ArraySlice<UInt8>) -> [UInt8]? {
        let isOfItsAlphabet = text.allSatisfy { byte in
            byte != UInt8(ascii: "+") && byte != UInt8(ascii: "/") && byte != UInt8(ascii: "=")
        }
        // The last character holds two or four bits more than the last byte.
        let spare = [0, 0, 0b1111, 0b11][text.count % 4]
        guard isOfItsAlphabet, text.last.flatMap(Base64.value).map({ $0 & spare == 0 }) ?? true else { return nil }
        return Base64.decoded(text)
    }
}
