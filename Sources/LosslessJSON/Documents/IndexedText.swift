internal import Glibc

/// A document's bytes and simdjson's index of them, each with a sentinel: a zero, and the document's length.
struct IndexedText {
    let bytes: UnsafePointer<UInt8>
    let length: Int
    /// Offsets of the structurals.
    let starts: UnsafePointer<UInt32>
    let count: Int

    /// - Parameters:
    ///   - bytes: The document, followed by a zero and simdjson's padding.
    ///   - starts: The offsets of its structurals, followed by its length and one more readable number.
    init(_ bytes: UnsafeBufferPointer<UInt8>, _ starts: UnsafeBufferPointer<UInt32>) {
        guard let base = bytes.baseAddress, let first = starts.baseAddress else {
            preconditionFailure("a document with an index is not empty")
        }
        (self.bytes, length, self.starts, count) = (base, bytes.count, first, starts.count)
        precondition(base[length] == 0 && Int(first[count]) == length, "what ends a document and its index")
    }

    /// Checks the escapes in the strings before an offset. Up to there the grammar is checked: a backslash is in a string.
    ///
    /// - Returns: Whether one of them is in a key.
    /// - Throws: For the first wrong escape.
    func checkEscapes(before end: Int) throws(JSONError) -> Bool {
        var hasEscapedKeys = false
        // In nearly every document there are few, or none.
        var at = find("\\", from: 0)
        while at < end {
            let quote = try closingQuote(behindEscape: at)
            hasEscapedKeys = hasEscapedKeys || isKey(endingAt: quote)
            at = find("\\", from: quote)
        }
        return hasEscapedKeys
    }

    /// Checks the escapes of a string from its first one on, and finds the quote that closes it.
    private func closingQuote(behindEscape first: Int) throws(JSONError) -> Int {
        var (at, quote) = (first, first)
        while true {
            guard let length = escapeLength(at) else { throw JSONFault.escape(in: self, at) }
            at += length
            // The next quote, until an escape turns out to be its own.
            if quote < at { quote = find("\"", from: at) }
            at = find("\\", from: at, to: quote)
            if at == quote { return quote }
        }
    }

    /// The length of an escape in bytes; `nil` if it is wrong.
    private func escapeLength(_ at: Int) -> Int? {
        switch bytes[at + 1] {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"), UInt8(ascii: "b"), UInt8(ascii: "f"),
            UInt8(ascii: "n"), UInt8(ascii: "r"), UInt8(ascii: "t"):
            2
        // A string's closing quote and the zero after the document are no digits.
        case UInt8(ascii: "u"): (2..<6).allSatisfy { JSONEscapes.hexValue(bytes[at + $0]) != nil } ? 6 : nil
        default: nil
        }
    }

    /// Whether the string whose closing quote is at an offset is a key.
    private func isKey(endingAt quote: Int) -> Bool {
        var at = quote + 1
        while bytes[at] == 0x20 || bytes[at] == 0x0A || bytes[at] == 0x0D || bytes[at] == 0x09 { at += 1 }
        return bytes[at] == UInt8(ascii: ":")
    }

    /// The offset of a byte, `end` (or the document's length) if there is none before it.
    private func find(_ byte: Unicode.Scalar, from start: Int, to end: Int? = nil) -> Int {
        let end = end ?? length
        guard start < end, let found = memchr(bytes + start, Int32(byte.value), end - start) else { return end }
        return UnsafeRawPointer(found) - UnsafeRawPointer(bytes)
    }
}
