internal import PlugCore

/// Texts that no message may show, blotted out wherever they stand, and however they are percent-encoded.
///
/// A short one is also a part of ordinary words: `x` must not blot out every x. It counts only where it is a word of its
/// own, between characters that are neither letters nor digits.
package struct SecretWords: Sendable {
    /// How many characters a text needs to be found inside other words, too.
    package static let shortest = 4

    private struct Word: Hashable {
        var bytes: [UInt8]
        var isShort: Bool
    }

    /// By their first byte.
    private let words: [UInt8: [Word]]

    /// The texts; empty ones are left out.
    package init(_ texts: [String]) {
        let words = texts.flatMap { text in
            Self.forms(of: text).map { Word(bytes: $0, isShort: text.count < Self.shortest) }
        }
        self.words = Dictionary(grouping: Set(words.filter { !$0.bytes.isEmpty })) { $0.bytes[0] }
    }

    /// A text as UTF-8, and as what becomes of it where a service takes one encoding for another: Latin-1 read as UTF-8, and
    /// UTF-8 read as Latin-1. A form has `+` for a blank.
    private static func forms(of text: String) -> [[UInt8]] {
        let bytes = Array(text.utf8)
        var forms = [bytes]
        if bytes.contains(where: { $0 >= 0x80 }) {
            let latin = text.unicodeScalars.compactMap { UInt8(exactly: $0.value) }
            if latin.count == text.unicodeScalars.count {
                forms.append(Array(String(decoding: latin, as: UTF8.self).utf8))
            }
            forms.append(Array(String(String.UnicodeScalarView(bytes.map { Unicode.Scalar($0) })).utf8))
        }
        return forms + forms.filter { $0.contains(blank) }.map { $0.map { $0 == blank ? plus : $0 } }
    }

    /// A text without them.
    package func blotted(_ text: String) -> String {
        if words.isEmpty { return text }
        let bytes = Array(text.utf8)
        var found = ranges(in: bytes, at: Array(0...bytes.count))
        if bytes.contains(Self.percent) {
            let (plain, starts) = Self.decoded(bytes)
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
    /// - Parameter starts: Where each byte begins in the text, and where the text ends.
    private func ranges(in bytes: [UInt8], at starts: [Int]) -> [Range<Int>] {
        var found: [Range<Int>] = []
        for start in bytes.indices {
            for word in words[bytes[start]] ?? [] where bytes[start...].starts(with: word.bytes) {
                let end = start + word.bytes.count
                if word.isShort {
                    let before = start > 0 && Self.isLetter(bytes[start - 1])
                    let after = end < bytes.count && Self.isLetter(bytes[end])
                    if before || after { continue }
                }
                found.append(starts[start]..<starts[end])
            }
        }
        return found
    }

    /// A text in which each `%2C` is the byte that it stands for, and where each byte begins in the text, with its end.
    static func decoded(_ bytes: [UInt8]) -> (bytes: [UInt8], starts: [Int]) {
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

    private static let blot = Array("<redacted>".utf8)
    private static let percent = UInt8(ascii: "%")
    private static let blank = UInt8(ascii: " ")
    private static let plus = UInt8(ascii: "+")

    /// Characters beyond ASCII count as letters.
    private static func isLetter(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"), 0x80...,
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"):
            true
        default: false
        }
    }
}
