internal import PlugCore

/// Percent decoding.
enum PercentText {
    /// The bytes, with each `%2C` as the byte that it encodes.
    static func decoded(_ bytes: [UInt8]) -> [UInt8] { PercentEncoding.decode(bytes) }

    /// Whether a text has percent codes, and nothing else that would have to be encoded.
    static func isEncoded(_ text: String) -> Bool {
        guard text.contains("%"), text.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F }), decoded(text) != text else {
            return false
        }
        return text.split(separator: "%", omittingEmptySubsequences: false).dropFirst().allSatisfy { part in
            part.utf8.count >= 2 && part.prefix(2).allSatisfy(\.isHexDigit)
        } && !text.contains { "/?#&=+".contains($0) }
    }

    /// The same for a text; the text itself if the bytes are not text.
    static func decoded(_ text: String) -> String {
        guard text.contains("%") else { return text }
        return String(validating: decoded(Array(text.utf8)), as: UTF8.self) ?? text
    }
}
