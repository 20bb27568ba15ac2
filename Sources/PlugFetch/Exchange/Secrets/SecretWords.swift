internal import PlugCore

/// Texts that no message may show, redacted wherever they occur, and however they are percent-encoded or escaped.
///
/// A short one is also part of ordinary words: `x` must not redact every x. It counts only as a word of its own: no letter,
/// digit, `_` or character beyond ASCII is beside it.
package struct SecretWords: Sendable {
    /// How many characters a text needs to be found inside other words, too.
    package static let shortest = 4

    private struct Word: Hashable {
        var bytes: [UInt8]
        var isShort: Bool
        /// Whether the characters beside it are part of it, too.
        var isCutOff: Bool
    }

    /// Words of four bytes and more by their first four: tokens of one kind begin alike, but not for long.
    private var long: [UInt32: Set<Word>] = [:]
    /// The others.
    private var short: Set<Word> = []
    private let takesEncodings: Bool

    /// The texts; empty ones are left out.
    ///
    /// - Parameter takesEncodings: Whether they are also redacted in base64 and in hexadecimal digits: if a whole answer is
    ///   shown, in which a service may quote what it was sent.
    package init(_ texts: [String], takesEncodings: Bool = false) {
        self.takesEncodings = takesEncodings
        for text in texts { insert(text) }
    }

    /// Adds a text.
    mutating func insert(_ text: String) {
        for form in takesEncodings ? SecretForms.all(of: text) : SecretForms.plain(of: text) where !form.bytes.isEmpty {
            let word = Word(bytes: form.bytes, isShort: text.count < Self.shortest, isCutOff: form.isCutOff)
            if let start = Self.start(form.bytes, 0) {
                long[start, default: []].insert(word)
            } else {
                short.insert(word)
            }
        }
    }

    /// Four bytes as one number, `nil` if fewer are left.
    private static func start(_ bytes: [UInt8], _ at: Int) -> UInt32? {
        guard at + 4 <= bytes.count else { return nil }
        return bytes[at..<(at + 4)].reduce(0) { $0 << 8 | UInt32($1) }
    }

    /// Whether any of them occurs in a text.
    package func isMet(in text: String) -> Bool { blotted(text) != text }

    /// A text with them redacted.
    package func blotted(_ text: String) -> String {
        if long.isEmpty, short.isEmpty { return text }
        let bytes = Array(text.utf8)
        var found = ranges(in: bytes, at: nil)
        var (plain, starts) = (bytes, [Int]?.none)
        // A URL that is quoted in a URL is encoded twice.
        for _ in 0..<Self.encodings {
            let before = plain.count
            for (mark, decode) in [(Self.percent, Self.decoded), (Self.backslash, SecretForms.unescaped)]
            where plain.contains(mark) {
                let (decoded, positions) = decode(plain)
                starts = starts.map { starts in positions.map { starts[$0] } } ?? positions
                plain = decoded
            }
            if plain.count == before { break }
            found += ranges(in: plain, at: starts)
        }
        guard !found.isEmpty else { return text }
        var output: [UInt8] = []
        var end = 0
        for range in found.sorted(by: { ($0.lowerBound, $0.upperBound) < ($1.lowerBound, $1.upperBound) }) {
            // Overlapping ranges are merged.
            if range.lowerBound >= end {
                output += bytes[end..<range.lowerBound]
                output += Self.blot
            }
            end = max(end, range.upperBound)
        }
        return String(decoding: output + bytes[end...], as: UTF8.self)
    }

    /// The ranges of the words.
    ///
    /// - Parameter starts: Where each byte begins in the text, and where the text ends; `nil` for the text itself.
    private func ranges(in bytes: [UInt8], at starts: [Int]?) -> [Range<Int>] {
        var found: [Range<Int>] = []
        func look(for word: Word, at start: Int) {
            guard bytes[start...].starts(with: word.bytes) else { return }
            var (start, end) = (start, start + word.bytes.count)
            if word.isShort {
                let before = start > 0 && Self.isWordCharacter(bytes[start - 1])
                let after = end < bytes.count && Self.isWordCharacter(bytes[end])
                if before || after { return }
            }
            if word.isCutOff {
                if start > 0, Self.isOfBase64(bytes[start - 1]) { start -= 1 }
                if end < bytes.count, Self.isOfBase64(bytes[end]) { end += 1 }
                while end < bytes.count, bytes[end] == UInt8(ascii: "=") { end += 1 }
            }
            found.append(starts.map { $0[start]..<$0[end] } ?? start..<end)
        }
        for start in bytes.indices {
            if !long.isEmpty, let words = Self.start(bytes, start).flatMap({ long[$0] }) {
                for word in words { look(for: word, at: start) }
            }
            for word in short { look(for: word, at: start) }
        }
        return found
    }

    /// A text with each `%2C` decoded to its byte, and where each byte begins in the text, with its end.
    private static func decoded(_ bytes: [UInt8]) -> (bytes: [UInt8], starts: [Int]) {
        var plain: [UInt8] = []
        var starts: [Int] = []
        var at = 0
        while at < bytes.count {
            starts.append(at)
            if let byte = PercentEncoding.byte(at: at, of: bytes) {
                plain.append(byte)
                at += 3
            } else {
                plain.append(bytes[at])
                at += 1
            }
        }
        return (plain, starts + [bytes.count])
    }

    /// How often a text may be percent-encoded.
    private static let encodings = 3
    private static let blot = Array("<redacted>".utf8)
    private static let percent = UInt8(ascii: "%")
    private static let backslash = UInt8(ascii: "\\")

    /// A base64 character in either alphabet, excluding padding.
    private static func isOfBase64(_ byte: UInt8) -> Bool {
        isWordCharacter(byte) && byte < 0x80 || "+/-".utf8.contains(byte)
    }

    /// Characters beyond ASCII count as letters.
    private static func isWordCharacter(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"), 0x80...,
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"):
            true
        default: false
        }
    }
}
