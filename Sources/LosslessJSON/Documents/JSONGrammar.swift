internal import Glibc

/// JSON's grammar, checked over simdjson's index; writes the document's tape.
///
/// Every structural is visited once and every byte outside strings is accounted for, so a document that passes is JSON
/// as a whole and not only where somebody looked.
///
/// Offsets and counts lie below 2^32, so that arithmetic need not be checked, which would cost a fifth of the time.
struct JSONGrammar {
    /// The document.
    let bytes: UnsafeBufferPointer<UInt8>
    /// Offsets of the structurals.
    let starts: UnsafeBufferPointer<UInt32>
    /// Room for as many nodes as there are structurals.
    let nodes: UnsafeMutablePointer<JSONNode>
    let depthLimit: Int

    /// Checks the document and writes its tape.
    ///
    /// - Returns: Whether a key has an escape.
    func check() throws(JSONError) -> Bool {
        var at = 0
        var count = 0
        var depth = 0
        // The innermost container that is open. While it is open, its reach is the container around it.
        var opener = 0
        var isObject = false
        // The first backslash that has not been looked at: in nearly every string there is none.
        var escape = nextEscape(from: 0)
        var hasEscapedKeys = false

        value: while true {
            guard at < starts.count else {
                throw depth == 0 ? JSONError("a value is expected", at: bytes.count) : endInside
            }
            let start = Int(starts[at])
            let first = bytes[start]
            if first == UInt8(ascii: "{") || first == UInt8(ascii: "[") {
                guard depth < depthLimit else {
                    throw JSONError("nested deeper than \(depthLimit) levels", at: start, .tooDeep)
                }
                nodes[count] = JSONNode(start: starts[at], reach: UInt32(truncatingIfNeeded: opener))
                opener = count
                isObject = first == UInt8(ascii: "{")
                depth &+= 1
                count &+= 1
                at &+= 1
                guard at < starts.count else { throw endInside }
                if byte(at) != closing(isObject) {
                    if isObject { hasEscapedKeys = try key(&at, &count, &escape) || hasEscapedKeys }
                    continue value
                }
            } else {
                let end = first == UInt8(ascii: "\"") ? try string(at, &escape) : try scalar(at)
                nodes[count] = JSONNode(start: starts[at], reach: UInt32(truncatingIfNeeded: end))
                count &+= 1
                at &+= 1
            }
            // After a value: close containers or continue to the next member.
            while depth > 0 {
                guard at < starts.count else { throw endInside }
                let next = byte(at)
                if next == UInt8(ascii: ",") {
                    at &+= 1
                    if isObject { hasEscapedKeys = try key(&at, &count, &escape) || hasEscapedKeys }
                    continue value
                }
                guard next == closing(isObject) else {
                    throw JSONError("',' or '\(isObject ? "}" : "]")' is expected", at: Int(starts[at]))
                }
                let around = Int(nodes[opener].reach)
                nodes[opener].reach = UInt32(truncatingIfNeeded: count)
                nodes[count] = JSONNode(start: starts[at], reach: 0)
                opener = around
                isObject = bytes[Int(nodes[around].start)] == UInt8(ascii: "{")
                depth &-= 1
                count &+= 1
                at &+= 1
            }
            guard at == starts.count else {
                throw JSONError("there is text after the end of the document", at: Int(starts[at]))
            }
            return hasEscapedKeys
        }
    }

    @inline(__always)
    private func byte(_ structural: Int) -> UInt8 { bytes[Int(starts[structural])] }

    @inline(__always)
    private func closing(_ isObject: Bool) -> UInt8 { isObject ? UInt8(ascii: "}") : UInt8(ascii: "]") }

    private var endInside: JSONError {
        JSONError("the document ends inside an array or object", at: bytes.count)
    }

    /// A key and its colon; `at` then stands at the value.
    ///
    /// - Returns: Whether the key has an escape.
    @inline(__always)
    private func key(_ at: inout Int, _ count: inout Int, _ escape: inout Int) throws(JSONError) -> Bool {
        guard at < starts.count else { throw endInside }
        guard byte(at) == UInt8(ascii: "\"") else {
            throw JSONError("a key in quotes is expected", at: Int(starts[at]))
        }
        let unseen = escape
        let reach = try string(at, &escape)
        nodes[count] = JSONNode(start: starts[at], reach: UInt32(truncatingIfNeeded: reach))
        count &+= 1
        guard at &+ 1 < starts.count else { throw endInside }
        guard byte(at &+ 1) == UInt8(ascii: ":") else { throw JSONError("':' is expected", at: Int(starts[at &+ 1])) }
        at &+= 2
        return escape != unseen
    }

    /// Where the text up to the next structural ends, white space taken off.
    @inline(__always)
    private func trimmedEnd(_ at: Int) -> Int {
        var end = at &+ 1 < starts.count ? Int(starts[at &+ 1]) : bytes.count
        while end > 0, isSpace(bytes[end &- 1]) { end &-= 1 }
        return end
    }

    @inline(__always)
    private func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09 }

    /// The closing quote is the last byte before the next structural: simdjson has checked that strings end, and that
    /// nothing but white space follows a scalar.
    ///
    /// - Returns: The offset after the closing quote.
    @inline(__always)
    private func string(_ at: Int, _ escape: inout Int) throws(JSONError) -> Int {
        let start = Int(starts[at])
        let end = trimmedEnd(at)
        guard end &- start >= 2, bytes[end &- 1] == UInt8(ascii: "\"") else {
            throw JSONError("a string does not end", at: start)
        }
        if escape < end { try escapes(from: &escape, to: end - 1) }
        return end
    }

    /// The offset of the next backslash, behind the document if there is none.
    private func nextEscape(from start: Int) -> Int {
        guard start < bytes.count, let base = bytes.baseAddress else { return bytes.count }
        guard let found = memchr(base + start, 0x5C, bytes.count - start) else { return bytes.count }
        return UnsafeRawPointer(found) - UnsafeRawPointer(base)
    }

    /// Checks the escapes of a string, from its first one on.
    private func escapes(from at: inout Int, to end: Int) throws(JSONError) {
        while at < end {
            switch at + 1 < end ? bytes[at + 1] : 0 {
            case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"), UInt8(ascii: "b"), UInt8(ascii: "f"),
                UInt8(ascii: "n"), UInt8(ascii: "r"), UInt8(ascii: "t"):
                at = nextEscape(from: at + 2)
            case UInt8(ascii: "u"):
                guard at + 6 <= end, (2..<6).allSatisfy({ JSONEscapes.hexValue(bytes[at + $0]) != nil }) else {
                    throw JSONError("'\\u' needs four hexadecimal digits", at: at)
                }
                at = nextEscape(from: at + 6)
            default: throw JSONError("a string contains an unknown escape", at: at)
            }
        }
    }

    /// - Returns: The offset after its last byte.
    @inline(__always)
    private func scalar(_ at: Int) throws(JSONError) -> Int {
        let start = Int(starts[at])
        let end = trimmedEnd(at)
        switch bytes[start] {
        case UInt8(ascii: "t"): if matches("true", from: start, to: end) { return end }
        case UInt8(ascii: "f"): if matches("false", from: start, to: end) { return end }
        case UInt8(ascii: "n"): if matches("null", from: start, to: end) { return end }
        case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"):
            if JSONNumberGrammar.length(in: bytes, from: start) == end - start { return end }
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
