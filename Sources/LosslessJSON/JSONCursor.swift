public import Glibc

/// What a value is, by its first byte.
public enum JSONKind: UInt8, Sendable {
    /// `null`
    case null
    /// `true` or `false`
    case bool
    /// A number.
    case number
    /// A string.
    case string
    /// An array.
    case array
    /// An object.
    case object
}

/// Raw access to a document's tape, for the hot path: no reference counting, no allocation.
///
/// A *node* is the number of the structural at which a value begins; the document's value is node 0. Valid only inside
/// `JSONDocument.withCursor`. Members that are keyed twice are found by their last value.
public struct JSONCursor {
    @usableFromInline let bytes: UnsafePointer<UInt8>
    @usableFromInline let starts: UnsafePointer<UInt32>
    @usableFromInline let reaches: UnsafePointer<UInt32>

    init(bytes: UnsafePointer<UInt8>, starts: UnsafeMutablePointer<UInt32>?, reaches: UnsafeMutablePointer<UInt32>?) {
        // A document has at least one value, so its tape is not empty and has an address.
        guard let starts, let reaches else { preconditionFailure("a parsed document has a tape") }
        self.bytes = bytes
        self.starts = UnsafePointer(starts)
        self.reaches = UnsafePointer(reaches)
    }

    /// The byte at which a node begins.
    @inlinable
    public func firstByte(_ node: Int) -> UInt8 { bytes[Int(starts[node])] }

    /// What the value at a node is.
    @inlinable
    public func kind(_ node: Int) -> JSONKind {
        switch firstByte(node) {
        case UInt8(ascii: "{"): .object
        case UInt8(ascii: "["): .array
        case UInt8(ascii: "\""): .string
        case UInt8(ascii: "t"), UInt8(ascii: "f"): .bool
        case UInt8(ascii: "n"): .null
        default: .number
        }
    }

    /// Whether the value at a node is an array or an object.
    @inlinable
    public func isContainer(_ node: Int) -> Bool {
        let first = firstByte(node)
        return first == UInt8(ascii: "{") || first == UInt8(ascii: "[")
    }

    /// The structural after a value.
    @inlinable
    public func after(_ node: Int) -> Int { isContainer(node) ? Int(reaches[node]) + 1 : node + 1 }

    /// The bytes of a value, quotes and brackets included.
    @inlinable
    public func slice(_ node: Int) -> UnsafeBufferPointer<UInt8> {
        let start = Int(starts[node])
        let end = isContainer(node) ? Int(starts[Int(reaches[node])]) + 1 : Int(reaches[node])
        return UnsafeBufferPointer(start: bytes + start, count: end - start)
    }

    /// The offset of a value in the document.
    @inlinable
    public func offset(_ node: Int) -> Int { Int(starts[node]) }

    /// The inside of a string, escapes as written.
    @inlinable
    public func rawString(_ node: Int) -> UnsafeBufferPointer<UInt8> {
        let start = Int(starts[node]) + 1
        return UnsafeBufferPointer(start: bytes + start, count: Int(reaches[node]) - 1 - start)
    }

    /// The first element of an array (or key of an object), `nil` where it is empty.
    @inlinable
    public func first(in container: Int) -> Int? { Int(reaches[container]) == container + 1 ? nil : container + 1 }

    /// The next element (or key) after the value at `node`, `nil` at the end.
    @inlinable
    public func next(after node: Int) -> Int? {
        let separator = after(node)
        return firstByte(separator) == UInt8(ascii: ",") ? separator + 1 : nil
    }

    /// The value that belongs to a key.
    @inlinable
    public func value(ofKey key: Int) -> Int { key + 2 }

    /// The value of a member, `nil` where the object has none.
    ///
    /// - Parameter key: The decoded key's UTF-8.
    public func member(_ object: Int, _ key: UnsafeBufferPointer<UInt8>) -> Int? {
        var found: Int?
        var at = first(in: object)
        while let current = at {
            if isEqual(current, key) { found = value(ofKey: current) }
            at = next(after: value(ofKey: current))
        }
        return found
    }

    /// Whether the string at a node, decoded, is this text.
    @inlinable
    public func isEqual(_ string: Int, _ text: UnsafeBufferPointer<UInt8>) -> Bool {
        let raw = rawString(string)
        // An escaped text is longer than what it stands for, which is never nothing.
        guard raw.count >= text.count, let a = raw.baseAddress, let b = text.baseAddress, !text.isEmpty else {
            return raw.isEmpty && text.isEmpty
        }
        // Most keys differ in their first byte already.
        guard a[0] == b[0] || a[0] == 0x5C else { return false }
        if raw.count > text.count { return isEqualDecoded(raw, text) }
        return memcmp(a, b, raw.count) == 0 && memchr(a, 0x5C, raw.count) == nil
    }

    /// Whether a string has an escape in it.
    @inlinable
    public func hasEscape(_ string: Int) -> Bool {
        let raw = rawString(string)
        return raw.baseAddress.flatMap { memchr($0, 0x5C, raw.count) } != nil
    }

    @usableFromInline
    func isEqualDecoded(_ raw: UnsafeBufferPointer<UInt8>, _ text: UnsafeBufferPointer<UInt8>) -> Bool {
        guard let base = raw.baseAddress, memchr(base, 0x5C, raw.count) != nil else { return false }
        var decoded: [UInt8] = []
        JSONEscapes.decode(raw, into: &decoded)
        return decoded.elementsEqual(text)
    }

    /// The decoded text of the string at a node.
    public func text(_ node: Int) -> String {
        let raw = rawString(node)
        guard let base = raw.baseAddress, memchr(base, 0x5C, raw.count) != nil else {
            return String(decoding: raw, as: UTF8.self)
        }
        var decoded: [UInt8] = []
        decoded.reserveCapacity(raw.count)
        JSONEscapes.decode(raw, into: &decoded)
        return String(decoding: decoded, as: UTF8.self)
    }

    /// The number at a node, its text as written.
    public func number(_ node: Int) -> JSONNumber { JSONNumber(checked: String(decoding: slice(node), as: UTF8.self)) }

    /// Appends the decoded text of the string at a node.
    ///
    /// - Returns: How many lone surrogates became U+FFFD.
    @discardableResult
    public func appendText(_ node: Int, to text: inout [UInt8]) -> Int {
        let raw = rawString(node)
        guard let base = raw.baseAddress, memchr(base, 0x5C, raw.count) != nil else {
            text.append(contentsOf: raw)
            return 0
        }
        return JSONEscapes.decode(raw, into: &text)
    }
}
