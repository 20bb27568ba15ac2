internal import PlugCore

/// Texts that no message may show, blotted out wherever they stand, and however they are percent-encoded.
///
/// A short one is also a part of ordinary words: `x` must not blot out every x. It counts only where it is a word of its
/// own: no letter, digit, `_` or character beyond ASCII stands beside it.
package struct SecretWords: Sendable {
    /// How many characters a text needs to be found inside other words, too.
    package static let shortest = 4

    private struct Word: Hashable {
        var bytes: [UInt8]
        var isShort: Bool
    }

    /// Words of four bytes and more by their first four: tokens of one kind begin alike, but not for long.
    private var long: [UInt32: Set<Word>] = [:]
    /// The others.
    private var short: Set<Word> = []

    /// The texts; empty ones are left out.
    package init(_ texts: [String]) {
        for text in texts { insert(text) }
    }

    /// Adds a text.
    mutating func insert(_ text: String) {
        for bytes in Self.forms(of: text) where !bytes.isEmpty {
            let word = Word(bytes: bytes, isShort: text.count < Self.shortest)
            if let start = Self.start(bytes, 0) { long[start, default: []].insert(word) } else { short.insert(word) }
        }
    }

    /// Four bytes as one number, `nil` where fewer are left.
    private static func start(_ bytes: [UInt8], _ at: Int) -> UInt32? {
        guard at + 4 <= bytes.count else { return nil }
        return bytes[at..<(at + 4)].reduce(0) { $0 << 8 | UInt32($1) }
    }

    /// A text as UTF-8, as Latin-1, and as what becomes of it where a service takes one for the other. A form has `+` for a
    /// blank, and a form-decoded `+` is a blank.
    private static func forms(of text: String) -> [[UInt8]] {
        let bytes = Array(text.utf8)
        var forms = [bytes]
        if bytes.contains(where: { $0 >= 0x80 }) {
            let latin = text.unicodeScalars.compactMap { UInt8(exactly: $0.value) }
            if latin.count == text.unicodeScalars.count {
                forms += [latin, Array(String(decoding: latin, as: UTF8.self).utf8)]
            }
            forms.append(Array(String(String.UnicodeScalarView(bytes.map { Unicode.Scalar($0) })).utf8))
        }
        // As it stands in JSON or HTML that is quoted as text.
        for escape in [Self.jsonEscaped, Self.jsonEscapedToASCII, Self.htmlEscaped] {
            let escaped = Array(escape(text).utf8)
            if escaped != bytes { forms.append(escaped) }
        }
        return forms
            + [(blank, plus), (plus, blank)].flatMap { from, to in
                forms.filter { $0.contains(from) }.map { $0.map { $0 == from ? to : $0 } }
            }
    }

    private static func jsonEscaped(_ text: String) -> String {
        text.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"").replacing("/", with: "\\/")
    }

    private static func jsonEscapedToASCII(_ text: String) -> String {
        text.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"").utf16
            .map { unit in
                unit < 0x80
                    ? String(Unicode.Scalar(UInt8(unit)))
                    : "\\u" + Hexadecimal.encoded([UInt8(unit >> 8), UInt8(unit & 0xFF)])
            }
            .joined()
    }

    private static func htmlEscaped(_ text: String) -> String {
        text.replacing("&", with: "&amp;").replacing("<", with: "&lt;").replacing(">", with: "&gt;")
            .replacing("\"", with: "&quot;").replacing("'", with: "&#39;")
    }

    /// A text without them.
    package func blotted(_ text: String) -> String {
        if long.isEmpty, short.isEmpty { return text }
        let bytes = Array(text.utf8)
        var found = ranges(in: bytes, at: nil)
        var (plain, starts) = (bytes, [Int]?.none)
        // A URL that is quoted in a URL is encoded twice.
        for _ in 0..<Self.encodings where plain.contains(Self.percent) {
            let (decoded, positions) = Self.decoded(plain)
            starts = starts.map { starts in positions.map { starts[$0] } } ?? positions
            plain = decoded
            found += ranges(in: plain, at: starts)
        }
        guard !found.isEmpty else { return text }
        var output: [UInt8] = []
        var end = 0
        for range in found.sorted(by: { ($0.lowerBound, $0.upperBound) < ($1.lowerBound, $1.upperBound) }) {
            // What overlaps is one.
            if range.lowerBound >= end {
                output += bytes[end..<range.lowerBound]
                output += Self.blot
            }
            end = max(end, range.upperBound)
        }
        return String(decoding: output + bytes[end...], as: UTF8.self)
    }

    /// Where words stand.
    ///
    /// - Parameter starts: Where each byte begins in the text, and where the text ends; `nil` for the text itself.
    private func ranges(in bytes: [UInt8], at starts: [Int]?) -> [Range<Int>] {
        var found: [Range<Int>] = []
        func look(for word: Word, at start: Int) {
            guard bytes[start...].starts(with: word.bytes) else { return }
            let end = start + word.bytes.count
            if word.isShort {
                let before = start > 0 && Self.isWordCharacter(bytes[start - 1])
                let after = end < bytes.count && Self.isWordCharacter(bytes[end])
                if before || after { return }
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

    /// A text in which each `%2C` is the byte that it stands for, and where each byte begins in the text, with its end.
    package static func decoded(_ bytes: [UInt8]) -> (bytes: [UInt8], starts: [Int]) {
        var plain: [UInt8] = []
        var starts: [Int] = []
        var at = 0
        while at < bytes.count {
            starts.append(at)
            if bytes[at] == percent, at + 2 < bytes.count, let high = Hexadecimal.value(of: bytes[at + 1]),
                let low = Hexadecimal.value(of: bytes[at + 2])
            {
                plain.append(high << 4 | low)
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
    private static let blank = UInt8(ascii: " ")
    private static let plus = UInt8(ascii: "+")

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
