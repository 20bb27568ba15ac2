internal import Glibc

/// Writes the canonical form: keys sorted by their UTF-8 bytes at every depth, no white space, only `"`, `\` and
/// characters below U+0020 escaped, the last value of a repeated key, numbers as they were written.
///
/// What the PDA's database rejects is repaired and counted: `\u0000` and lone surrogates become U+FFFD.
public struct CanonicalJSON {
    /// The output so far.
    public var bytes: [UInt8]
    /// How many characters had to be replaced.
    public var repaired = 0
    /// The members of the objects that are being written, the innermost object's last; empty between calls.
    private var members: [Member] = []

    /// A writer with room for some bytes.
    public init(capacity: Int = 0) {
        bytes = []
        bytes.reserveCapacity(capacity)
    }

    /// Appends text in one piece.
    ///
    /// - Parameters:
    ///   - count: How many bytes.
    ///   - write: Writes all of them.
    @inline(__always)
    public mutating func append(count: Int, _ write: (UnsafeMutablePointer<UInt8>) -> Void) {
        bytes.append(addingCapacity: count) { span in
            span.withUnsafeMutableBufferPointer { room, written in
                guard let base = room.baseAddress else { return }
                write(base)
                written = count
            }
        }
    }

    /// Appends one byte of syntax.
    @inline(__always)
    public mutating func append(_ byte: UInt8) { bytes.append(byte) }

    /// Appends `null`.
    public mutating func appendNull() { bytes.append(contentsOf: "null".utf8) }

    /// Appends the canonical form of a value in a document.
    public mutating func append(_ cursor: JSONCursor, _ node: Int) {
        switch cursor.kind(node) {
        case .null, .bool, .number, .string:
            guard let scalar = cursor.canonicalScalar(node) else { return appendString(cursor, node) }
            bytes.append(contentsOf: scalar)
        case .array:
            bytes.append(UInt8(ascii: "["))
            var at = cursor.first(in: node)
            while let current = at {
                append(cursor, current)
                at = cursor.next(after: current)
                if at != nil { bytes.append(UInt8(ascii: ",")) }
            }
            bytes.append(UInt8(ascii: "]"))
        case .object: appendObject(cursor, node)
        }
    }

    /// Appends a string that has escapes.
    private mutating func appendString(_ cursor: JSONCursor, _ node: Int) {
        var text: [UInt8] = []
        repaired += cursor.appendText(node, to: &text)
        append(utf8: text)
    }

    /// Appends decoded UTF-8 as a string.
    public mutating func append(utf8 text: UnsafeBufferPointer<UInt8>) {
        bytes.append(UInt8(ascii: "\""))
        appendInside(text)
        bytes.append(UInt8(ascii: "\""))
    }

    /// Appends decoded UTF-8 as a string.
    public mutating func append(utf8 text: [UInt8]) { text.withUnsafeBufferPointer { append(utf8: $0) } }

    /// Appends a text as a string.
    public mutating func append(text: String) {
        var text = text
        text.withUTF8 { append(utf8: $0) }
    }

    /// Appends a piece of a string's inside, escaped; quotes are up to the caller.
    public mutating func appendInside(_ text: UnsafeBufferPointer<UInt8>) {
        if !JSONText.isAnyEscaped(text) { return bytes.append(contentsOf: text) }
        var written = 0
        for at in text.indices where JSONText.isEscaped(text[at]) {
            bytes.append(contentsOf: UnsafeBufferPointer(rebasing: text[written..<at]))
            written = at + 1
            if text[at] == 0 {
                bytes.append(contentsOf: [0xEF, 0xBF, 0xBD])
                repaired += 1
            } else {
                JSONText.appendEscaped(text[at], to: &bytes)
            }
        }
        bytes.append(contentsOf: UnsafeBufferPointer(rebasing: text[written...]))
    }

    /// Appends the canonical form of an object with one extra member, unless it already has that key.
    ///
    /// - Parameters:
    ///   - key: The new member's key, which needs no escapes.
    ///   - text: The new member's value, a string's decoded UTF-8.
    /// - Returns: `false`, with nothing written, if the object has a member of that name.
    public mutating func append(
        _ cursor: JSONCursor,
        object node: Int,
        inserting key: [UInt8],
        text: UnsafeBufferPointer<UInt8>
    ) -> Bool {
        key.withUnsafeBufferPointer { name in
            guard cursor.member(node, name) == nil else { return false }
            if !appendMembers(of: node, cursor, inserting: (name, text)) {
                appendSorted(cursor, node, inserting: (key, Array(text)))
            }
            return true
        }
    }

    private mutating func appendObject(_ cursor: JSONCursor, _ node: Int) {
        if !appendMembers(of: node, cursor, inserting: nil) { appendSorted(cursor, node) }
    }

    /// A member of an object being written: the position of its key's inside, and its value's node.
    private struct Member: BitwiseCopyable {
        var key: UnsafeBufferPointer<UInt8>
        /// -1 for the member that is inserted.
        var value: Int
    }

    /// Appends an object whose keys are free of escapes.
    ///
    /// The members of all objects around a value are on one stack, so an object costs no allocation.
    ///
    /// - Returns: `false`, with nothing written, if a key has an escape.
    private mutating func appendMembers(
        of node: Int,
        _ cursor: JSONCursor,
        inserting extra: (key: UnsafeBufferPointer<UInt8>, text: UnsafeBufferPointer<UInt8>)?
    ) -> Bool {
        let base = members.count
        var isSorted = true
        if let extra { members.append(Member(key: extra.key, value: -1)) }
        var hasEscape = false
        cursor.forEachMember(of: node) { name, value in
            let key = cursor.rawString(name)
            if cursor.hasEscapedKeys, cursor.hasEscape(name) { hasEscape = true }
            if isSorted, members.count > base { isSorted = Self.isAscending(members[members.count - 1].key, key) }
            members.append(Member(key: key, value: value))
        }
        if hasEscape {
            members.removeSubrange(base...)
            return false
        }
        if !isSorted { sortMembers(from: base) }
        bytes.append(UInt8(ascii: "{"))
        let end = members.count
        var isFirst = true
        for index in base..<end {
            let member = members[index]
            // For a repeated key the last value counts; a stable order keeps it after the others.
            if !isSorted, index + 1 < end, !Self.isAscending(member.key, members[index + 1].key) { continue }
            appendLabel(member.key, isFirst: isFirst)
            isFirst = false
            if let extra, member.value < 0 { append(utf8: extra.text) } else { append(cursor, member.value) }
        }
        bytes.append(UInt8(ascii: "}"))
        members.removeSubrange(base...)
        return true
    }

    /// Appends a key that needs no escapes, with what precedes and follows it.
    @inline(__always)
    private mutating func appendLabel(_ key: UnsafeBufferPointer<UInt8>, isFirst: Bool) {
        append(count: key.count + (isFirst ? 3 : 4)) { target in
            var target = target
            if !isFirst {
                target.pointee = UInt8(ascii: ",")
                target += 1
            }
            target[0] = UInt8(ascii: "\"")
            if let start = key.baseAddress { (target + 1).initialize(from: start, count: key.count) }
            target[key.count + 1] = UInt8(ascii: "\"")
            target[key.count + 2] = UInt8(ascii: ":")
        }
    }

    /// Sorts the members of one object by key, equal keys in the order in which they were written.
    private mutating func sortMembers(from base: Int) {
        guard members.count - base <= 32 else {
            members[base...].sort { Self.isAscending($0.key, $1.key) }
            return
        }
        members.withUnsafeMutableBufferPointer { members in
            for index in (base + 1)..<members.count {
                let member = members[index]
                var place = index
                while place > base, Self.isAscending(member.key, members[place - 1].key) {
                    members[place] = members[place - 1]
                    place -= 1
                }
                members[place] = member
            }
        }
    }

    private static func isAscending(_ left: UnsafeBufferPointer<UInt8>, _ right: UnsafeBufferPointer<UInt8>) -> Bool {
        let common = min(left.count, right.count)
        guard common > 0, let a = left.baseAddress, let b = right.baseAddress else { return left.count < right.count }
        let order = memcmp(a, b, common)
        return order < 0 || (order == 0 && left.count < right.count)
    }

    private mutating func appendSorted(
        _ cursor: JSONCursor,
        _ node: Int,
        inserting extra: (key: [UInt8], text: [UInt8])? = nil
    ) {
        var members: [(key: [UInt8], value: Int?)] = extra.map { [($0.key, nil)] } ?? []
        cursor.forEachMember(of: node) { key, value in
            var text: [UInt8] = []
            repaired += cursor.appendText(key, to: &text)
            // Before sorting: a repaired key may sort elsewhere, or equal another one.
            repaired += Self.replaceNUL(&text)
            members.append((text, value))
        }
        // The sort is stable, so among equal keys the last written comes last.
        members.sort { $0.key.lexicographicallyPrecedes($1.key) }
        bytes.append(UInt8(ascii: "{"))
        var isFirst = true
        for (index, member) in members.enumerated() {
            if index + 1 < members.count, members[index + 1].key == member.key { continue }
            if !isFirst { bytes.append(UInt8(ascii: ",")) }
            isFirst = false
            append(utf8: member.key)
            bytes.append(UInt8(ascii: ":"))
            if let value = member.value { append(cursor, value) } else { append(utf8: extra?.text ?? []) }
        }
        bytes.append(UInt8(ascii: "}"))
    }

    /// Appends the canonical form of an owned value.
    public mutating func append(_ value: JSONValue) {
        switch value {
        case .null, .bool, .number: value.write(to: &bytes)
        case .string(let string): append(text: string.text)
        case .array(let elements):
            bytes.append(UInt8(ascii: "["))
            for (at, element) in elements.enumerated() {
                if at > 0 { bytes.append(UInt8(ascii: ",")) }
                append(element)
            }
            bytes.append(UInt8(ascii: "]"))
        case .object(let object):
            let object = withoutNUL(object)
            bytes.append(UInt8(ascii: "{"))
            for (at, member) in object.members.sorted(by: { $0.key < $1.key }).enumerated() {
                if at > 0 { bytes.append(UInt8(ascii: ",")) }
                append(text: member.key.text)
                bytes.append(UInt8(ascii: ":"))
                append(member.value)
            }
            bytes.append(UInt8(ascii: "}"))
        }
    }

    /// The object with U+FFFD for U+0000 in its keys; if keys become equal, the last one's value stays.
    private mutating func withoutNUL(_ object: JSONObject) -> JSONObject {
        guard object.members.contains(where: { $0.key.text.utf8.contains(0) }) else { return object }
        var result = JSONObject()
        for member in object.members {
            var key = Array(member.key.text.utf8)
            repaired += Self.replaceNUL(&key)
            result[JSONString(String(decoding: key, as: UTF8.self))] = member.value
        }
        return result
    }

    /// - Returns: How many bytes were replaced.
    private static func replaceNUL(_ text: inout [UInt8]) -> Int {
        guard text.contains(0) else { return 0 }
        let count = text.count { $0 == 0 }
        text = text.flatMap { $0 == 0 ? [0xEF, 0xBF, 0xBD] : [$0] }
        return count
    }
}
