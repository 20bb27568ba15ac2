internal import Glibc

/// JSON's grammar, checked over simdjson's index; fills in how far each value reaches.
///
/// Every structural is visited once and every byte outside strings is accounted for, so a document that passes is JSON
/// as a whole and not only where somebody looked.
struct JSONGrammar {
    let bytes: UnsafeBufferPointer<UInt8>
    /// Offsets of the structurals.
    let starts: UnsafeBufferPointer<UInt32>
    /// For an opening bracket the structural that closes it, for a scalar the offset after its last byte.
    let reaches: UnsafeMutableBufferPointer<UInt32>
    let depthLimit: Int

    func check() throws(JSONError) {
        let hasEscapes = bytes.baseAddress.flatMap { memchr($0, 0x5C, bytes.count) } != nil
        // Openers, innermost last; the array is as deep as the document is allowed to be, allocated once.
        var open: [UInt32] = []
        open.reserveCapacity(min(depthLimit, 64))
        var at = 0
        let count = starts.count
        if count == 0 { throw JSONError("a value is expected", at: bytes.count) }

        value: while true {
            guard at < count else { throw end(open) }
            let start = Int(starts[at])
            switch bytes[start] {
            case UInt8(ascii: "{"):
                guard open.count < depthLimit else {
                    throw JSONError("nested deeper than \(depthLimit) levels", at: start)
                }
                guard at + 1 < count else { throw end(open) }
                if byte(at + 1) == UInt8(ascii: "}") {
                    reaches[at] = UInt32(at + 1)
                    at += 2
                } else {
                    open.append(UInt32(at))
                    at += 1
                    try key(&at, hasEscapes, open)
                    continue value
                }
            case UInt8(ascii: "["):
                guard open.count < depthLimit else {
                    throw JSONError("nested deeper than \(depthLimit) levels", at: start)
                }
                guard at + 1 < count else { throw end(open) }
                if byte(at + 1) == UInt8(ascii: "]") {
                    reaches[at] = UInt32(at + 1)
                    at += 2
                } else {
                    open.append(UInt32(at))
                    at += 1
                    continue value
                }
            case UInt8(ascii: "\""):
                try string(at, hasEscapes)
                at += 1
            default:
                try scalar(at)
                at += 1
            }
            // After a value: close containers or go on to the next member.
            while let opener = open.last {
                guard at < count else { throw end(open) }
                let isObject = byte(Int(opener)) == UInt8(ascii: "{")
                let next = byte(at)
                if next == UInt8(ascii: ",") {
                    at += 1
                    if isObject { try key(&at, hasEscapes, open) }
                    continue value
                }
                guard next == (isObject ? UInt8(ascii: "}") : UInt8(ascii: "]")) else {
                    let closing = isObject ? "}" : "]"
                    throw JSONError("',' or '\(closing)' is expected", at: Int(starts[at]))
                }
                reaches[Int(opener)] = UInt32(at)
                open.removeLast()
                at += 1
            }
            guard at == count else { throw JSONError("text follows after the document's end", at: Int(starts[at])) }
            return
        }
    }

    @inline(__always)
    private func byte(_ structural: Int) -> UInt8 { bytes[Int(starts[structural])] }

    private func end(_ open: [UInt32]) -> JSONError {
        JSONError(open.isEmpty ? "a value is expected" : "the document ends inside an array or object", at: bytes.count)
    }

    /// A key and its colon; `at` then stands at the value.
    @inline(__always)
    private func key(_ at: inout Int, _ hasEscapes: Bool, _ open: [UInt32]) throws(JSONError) {
        guard at < starts.count else { throw end(open) }
        guard byte(at) == UInt8(ascii: "\"") else {
            throw JSONError("a key in quotes is expected", at: Int(starts[at]))
        }
        try string(at, hasEscapes)
        guard at + 1 < starts.count else { throw end(open) }
        guard byte(at + 1) == UInt8(ascii: ":") else { throw JSONError("':' is expected", at: Int(starts[at + 1])) }
        at += 2
    }

    /// Where the text up to the next structural ends, white space taken off.
    @inline(__always)
    private func trimmedEnd(_ at: Int) -> Int {
        var end = at + 1 < starts.count ? Int(starts[at + 1]) : bytes.count
        while end > 0, isSpace(bytes[end - 1]) { end -= 1 }
        return end
    }

    @inline(__always)
    private func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09 }

    /// The closing quote is the last byte before the next structural: simdjson has checked that strings end, and that
    /// nothing but white space follows a scalar.
    @inline(__always)
    private func string(_ at: Int, _ hasEscapes: Bool) throws(JSONError) {
        let start = Int(starts[at])
        let end = trimmedEnd(at)
        guard end - start >= 2, bytes[end - 1] == UInt8(ascii: "\"") else {
            throw JSONError("a string does not end", at: start)
        }
        reaches[at] = UInt32(end)
        if hasEscapes { try escapes(from: start + 1, to: end - 1) }
    }

    private func escapes(from start: Int, to end: Int) throws(JSONError) {
        var at = start
        while at < end {
            guard bytes[at] == UInt8(ascii: "\\") else {
                guard let base = bytes.baseAddress, let found = memchr(base + at, 0x5C, end - at) else { return }
                at = UnsafeRawPointer(found) - UnsafeRawPointer(base)
                continue
            }
            let escape = at + 1 < end ? bytes[at + 1] : 0
            switch escape {
            case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"), UInt8(ascii: "b"), UInt8(ascii: "f"),
                UInt8(ascii: "n"), UInt8(ascii: "r"), UInt8(ascii: "t"):
                at += 2
            case UInt8(ascii: "u"):
                guard at + 6 <= end, (2..<6).allSatisfy({ JSONEscapes.hexValue(bytes[at + $0]) != nil }) else {
                    throw JSONError("'\\u' needs four hexadecimal digits", at: at)
                }
                at += 6
            default: throw JSONError("an unknown escape stands in a string", at: at)
            }
        }
    }

    @inline(__always)
    private func scalar(_ at: Int) throws(JSONError) {
        let start = Int(starts[at])
        let end = trimmedEnd(at)
        reaches[at] = UInt32(end)
        switch bytes[start] {
        case UInt8(ascii: "t"): if matches("true", from: start, to: end) { return }
        case UInt8(ascii: "f"): if matches("false", from: start, to: end) { return }
        case UInt8(ascii: "n"): if matches("null", from: start, to: end) { return }
        case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"):
            if JSONNumberGrammar.length(in: bytes, from: start) == end - start { return }
            throw JSONError("this is not a JSON number", at: start)
        default: break
        }
        throw JSONError("a value is expected", at: start)
    }

    private func matches(_ word: StaticString, from start: Int, to end: Int) -> Bool {
        guard end - start == word.utf8CodeUnitCount, let base = bytes.baseAddress else { return false }
        return memcmp(base + start, word.utf8Start, end - start) == 0
    }
}
