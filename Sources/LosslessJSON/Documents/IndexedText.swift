internal import Glibc

/// A document's bytes and simdjson's index of them, each with a sentinel: a zero, and the document's length.
struct IndexedText {
    let bytes: UnsafePointer<UInt8>
    let length: Int
    /// Offsets of the structurals.
    let starts: UnsafePointer<UInt32>
    let count: Int

    /// - Parameters:
    ///   - bytes: The document, followed by a zero.
    ///   - starts: The offsets of its structurals, followed by its length.
    init(_ bytes: UnsafeBufferPointer<UInt8>, _ starts: UnsafeBufferPointer<UInt32>) {
        guard let base = bytes.baseAddress, let first = starts.baseAddress else {
            preconditionFailure("a document with an index is not empty")
        }
        (self.bytes, length, self.starts, count) = (base, bytes.count, first, starts.count)
        precondition(base[length] == 0 && Int(first[count]) == length, "what ends a document and its index")
    }

    // MARK: - Token ends

    /// The end of the string at `start`, after its quote; 0 if it does not end.
    ///
    /// The closing quote is the last byte before the next structural: simdjson has checked that strings end, and that nothing but
    /// white space follows a scalar.
    @inline(__always)
    func stringEnd(_ start: Int, next: Int) -> Int {
        var end = next
        if bytes[end &- 1] != UInt8(ascii: "\"") {
            end = trimmed(end)
            guard bytes[end &- 1] == UInt8(ascii: "\"") else { return 0 }
        }
        return end &- start >= 2 ? end : 0
    }

    /// The end of the number at `start`; `nil` if what precedes the next structural is not a number.
    @inline(__always)
    func numberEnd(_ start: Int, next: Int) -> Int? {
        let end = JSONNumberGrammar.end(in: bytes, from: start)
        if end == next { return end }
        return end != 0 && end == trimmed(next) ? end : nil
    }

    /// The end of `true`, `false` or `null`; `nil` unless one of them is all that precedes the next structural.
    @inline(__always)
    func literalEnd(_ start: Int, next: Int) -> Int? {
        // The zero after the document ends the comparison.
        func isThere(_ one: Unicode.Scalar, _ two: Unicode.Scalar, _ three: Unicode.Scalar) -> Bool {
            bytes[start &+ 1] == UInt8(ascii: one) && bytes[start &+ 2] == UInt8(ascii: two)
                && bytes[start &+ 3] == UInt8(ascii: three)
        }
        let end: Int
        switch bytes[start] {
        case UInt8(ascii: "t") where isThere("r", "u", "e"), UInt8(ascii: "n") where isThere("u", "l", "l"):
            end = start &+ 4
        case UInt8(ascii: "f") where isThere("a", "l", "s") && bytes[start &+ 4] == UInt8(ascii: "e"): end = start &+ 5
        default: return nil
        }
        return end == next || end == trimmed(next) ? end : nil
    }

    /// An offset moved back over the white space before it. Not inlined: in most documents there is none.
    @inline(never)
    private func trimmed(_ offset: Int) -> Int {
        var end = offset
        while end > 0, isSpace(bytes[end - 1]) { end -= 1 }
        return end
    }

    private func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09 }

    // MARK: - Escapes

    /// The offset of the next backslash, past the document if there is none.
    func escape(from start: Int) -> Int {
        guard start < length, let found = memchr(bytes + start, 0x5C, length - start) else { return length }
        return UnsafeRawPointer(found) - UnsafeRawPointer(bytes)
    }

    /// The first backslash after a string, once the escapes in it are checked; `nil` if one is wrong.
    ///
    /// - Parameters:
    ///   - first: The offset of the string's first escape.
    ///   - end: That of its closing quote.
    @inline(never)
    func escape(behindThoseFrom first: Int, to end: Int) -> Int? {
        var at = first
        while at < end {
            guard let length = escapeLength(at, end) else { return nil }
            at = escape(from: at + length)
        }
        return at
    }

    /// The length of an escape in bytes; `nil` if it is wrong.
    func escapeLength(_ at: Int, _ end: Int) -> Int? {
        switch at + 1 < end ? bytes[at + 1] : 0 {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"), UInt8(ascii: "b"), UInt8(ascii: "f"),
            UInt8(ascii: "n"), UInt8(ascii: "r"), UInt8(ascii: "t"):
            2
        case UInt8(ascii: "u"):
            at + 6 <= end && (2..<6).allSatisfy { JSONEscapes.hexValue(bytes[at + $0]) != nil } ? 6 : nil
        default: nil
        }
    }
}
