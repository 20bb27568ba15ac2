public import Glibc

/// The kind of a value, by its first byte.
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
/// A *node* is the index of an entry of the tape; the document's value is node 0. Valid only inside
/// `JSONDocument.withCursor`. Duplicate keys are found by their last value.
public struct JSONCursor {
    @usableFromInline let bytes: UnsafePointer<UInt8>
    @usableFromInline let nodes: UnsafePointer<JSONNode>
    /// Whether any key of the document has an escape: if not, keys are compared as they are written.
    @usableFromInline let hasEscapedKeys: Bool

    init(_ text: UnsafeBufferPointer<UInt8>, _ tape: borrowing JSONTape) {
        guard let bytes = text.baseAddress else { preconditionFailure("a document with a tape is not empty") }
        self.bytes = bytes
        nodes = tape.nodes
        hasEscapedKeys = tape.hasEscapedKeys
    }

    /// The byte at which a node begins.
    @inlinable
    public func firstByte(_ node: Int) -> UInt8 { bytes[Int(nodes[node].start)] }

    /// The kind of the value at a node.
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
        // The two brackets differ in one bit.
        firstByte(node) | 0x20 == UInt8(ascii: "{")
    }

    /// The node after a value.
    @inlinable
    public func after(_ node: Int) -> Int { isContainer(node) ? Int(nodes[node].reach) + 1 : node + 1 }

    /// The bytes of a value, quotes and brackets included.
    @inlinable
    public func slice(_ node: Int) -> UnsafeBufferPointer<UInt8> {
        let start = Int(nodes[node].start)
        let reach = Int(nodes[node].reach)
        let end = isContainer(node) ? Int(nodes[reach].start) + 1 : reach
        return UnsafeBufferPointer(start: bytes + start, count: end - start)
    }

    /// The inside of a string, escapes as written.
    @inlinable
    public func rawString(_ node: Int) -> UnsafeBufferPointer<UInt8> {
        let start = Int(nodes[node].start) + 1
        return UnsafeBufferPointer(start: bytes + start, count: Int(nodes[node].reach) - 1 - start)
    }

    /// The first element of an array (or key of an object), `nil` if it is empty.
    @inlinable
    public func first(in container: Int) -> Int? {
        Int(nodes[container].reach) == container + 1 ? nil : container + 1
    }

    /// The next element (or key) after a value inside a container, `nil` at the end.
    @inlinable
    public func next(after node: Int) -> Int? {
        let next = after(node)
        return firstByte(next) | 0x20 == UInt8(ascii: "}") ? nil : next
    }

    /// Whether no value or key begins at a node, because a container ends there.
    public func isEnd(_ node: Int) -> Bool { firstByte(node) | 0x20 == UInt8(ascii: "}") }

    /// The number of elements in an array, or of keys and values in an object.
    @inlinable
    public func count(of container: Int) -> Int {
        let end = Int(nodes[container].reach)
        var count = 0
        var at = container + 1
        while at < end {
            count += 1
            at = after(at)
        }
        return count
    }

    /// The value of a member, `nil` if the object has none.
    ///
    /// - Parameter key: The decoded key's UTF-8.
    public func member(_ object: Int, _ key: UnsafeBufferPointer<UInt8>) -> Int? {
        var found: Int?
        forEachMember(of: object) { name, value in if isKey(name, key) { found = value } }
        return found
    }

    /// Visits the key and the value of every member, as they are written.
    @inlinable
    @inline(__always)
    public func forEachMember(of object: Int, _ body: (_ key: Int, _ value: Int) -> Void) {
        let end = Int(nodes[object].reach)
        var key = object + 1
        while key < end {
            // The value follows its key.
            body(key, key + 1)
            key = after(key + 1)
        }
    }

    /// Whether the key at a node, decoded, is this text.
    @inlinable
    @inline(__always)
    public func isKey(_ key: Int, _ text: UnsafeBufferPointer<UInt8>) -> Bool {
        if hasEscapedKeys { return isEqual(key, text) }
        let raw = rawString(key)
        // Most keys differ in their length or their first byte.
        guard raw.count == text.count, let a = raw.baseAddress, let b = text.baseAddress, !text.isEmpty else {
            return raw.isEmpty && text.isEmpty
        }
        return a[0] == b[0] && memcmp(a, b, raw.count) == 0
    }

    /// A value's own text if that is canonical: for a number, a literal or a string without escapes.
    @inlinable
    @inline(__always)
    public func canonicalScalar(_ node: Int) -> UnsafeBufferPointer<UInt8>? {
        if isContainer(node) { return nil }
        let slice = slice(node)
        guard let base = slice.baseAddress, base[0] == UInt8(ascii: "\"") else { return slice }
        return memchr(base, 0x5C, slice.count) == nil ? slice : nil
    }

    /// A cheap hint: keys with different hints differ. `nil` if keys may have escapes.
    @inlinable
    @inline(__always)
    public func keyHint(_ key: Int) -> Int? { hasEscapedKeys ? nil : Self.keyHint(rawString(key)) }

    /// The hint of a decoded key: its length and its first byte.
    @inlinable
    @inline(__always)
    public static func keyHint(_ key: UnsafeBufferPointer<UInt8>) -> Int { key.count << 8 | Int(key.first ?? 0) }

    /// Whether the string at a node, decoded, is this text.
    @inlinable
    public func isEqual(_ string: Int, _ text: UnsafeBufferPointer<UInt8>) -> Bool {
        let raw = rawString(string)
        // An escaped text is longer than what it stands for, which is never empty.
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
