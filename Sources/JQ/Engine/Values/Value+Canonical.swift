import Glibc
import LosslessJSON

extension Value {
    /// Appends the canonical form: the bytes that `CanonicalJSON` would make of the exported value, without building it.
    func writeCanonical(to writer: inout CanonicalJSON) {
        switch self {
        case .null: writer.appendNull()
        case .bool(let bool): writer.bytes.append(contentsOf: (bool ? "true" : "false").utf8)
        case .integer, .double, .literal: writer.bytes.append(contentsOf: (numberText ?? "null").utf8)
        case .string(let string): writer.append(text: string.text)
        case .json(let json): writer.append(json)
        case .view(let view):
            view.document.withCursor { cursor in
                // If keys hold U+0000, tree and cursor differ in which of two repaired keys stays.
                if cursor.isContainer(view.node), view.holdsNUL { return writer.append(view.value) }
                writer.append(cursor, view.node)
            }
        case .deep(let deep): deep.value.writeCanonical(to: &writer)
        case .array(let array):
            writer.append(UInt8(ascii: "["))
            for at in array.elements.indices {
                if at > 0 { writer.append(UInt8(ascii: ",")) }
                array.elements[at].writeCanonical(to: &writer)
            }
            writer.append(UInt8(ascii: "]"))
        case .object(let object): object.writeCanonical(to: &writer, inserting: nil)
        }
    }
}

extension ValueObject {
    /// A member's position (the extra one's is after all others), by the first bytes of its key.
    private struct Place {
        var prefix: UInt64
        var position: Int
    }

    /// Appends the canonical form, with one more member, whose key the object does not have.
    func writeCanonical(to writer: inout CanonicalJSON, inserting extra: (key: JSONString, text: [UInt8])?) {
        let count = members.count + (extra == nil ? 0 : 1)
        let isWritten = withUnsafeTemporaryAllocation(of: Place.self, capacity: count) { places in
            for at in 0..<count {
                guard let prefix = key(at, extra?.key).prefix else { return false }
                places.initializeElement(at: at, to: Place(prefix: prefix, position: at))
            }
            sort(places, extra?.key)
            writer.append(UInt8(ascii: "{"))
            for at in 0..<count {
                if at > 0 { writer.append(UInt8(ascii: ",")) }
                let position = places[at].position
                writer.append(text: key(position, extra?.key).text)
                writer.append(UInt8(ascii: ":"))
                if position < members.count {
                    members[position].value.writeCanonical(to: &writer)
                } else {
                    writer.append(utf8: extra?.text ?? [])
                }
            }
            writer.append(UInt8(ascii: "}"))
            return true
        }
        if !isWritten { writeRepaired(to: &writer, inserting: extra) }
    }

    @inline(__always)
    private func key(_ position: Int, _ extra: JSONString?) -> JSONString {
        position < members.count ? members[position].key : extra ?? ""
    }

    /// Sorts by distinct keys.
    @inline(__always)
    private func sort(_ places: UnsafeMutableBufferPointer<Place>, _ extra: JSONString?) {
        func precedes(_ left: Place, _ right: Place) -> Bool {
            if left.prefix != right.prefix { return left.prefix < right.prefix }
            return key(left.position, extra) < key(right.position, extra)
        }
        // A few are sorted fastest by insertion.
        guard places.count <= 24 else {
            var places = places
            return places.sort(by: precedes)
        }
        for next in places.indices.dropFirst() {
            let own = places[next]
            var at = next
            while at > 0, precedes(own, places[at - 1]) {
                places[at] = places[at - 1]
                at -= 1
            }
            places[at] = own
        }
    }

    /// Repaired keys may sort elsewhere, or equal another one: the tree's writer knows what then stays.
    private func writeRepaired(to writer: inout CanonicalJSON, inserting extra: (key: JSONString, text: [UInt8])?) {
        guard var object = Value.object(self).exported.object else { return }
        if let (key, text) = extra { object[key] = .text(String(decoding: text, as: UTF8.self)) }
        writer.append(.object(object))
    }
}

extension JSONString {
    /// The first eight bytes, zero-padded for a shorter text, as a number in the texts' order; `nil` if U+0000 is in the text.
    fileprivate var prefix: UInt64? {
        var text = text
        return text.withUTF8 { bytes in
            guard let base = bytes.baseAddress, !bytes.isEmpty else { return 0 }
            if memchr(base, 0, bytes.count) != nil { return nil }
            var prefix: UInt64 = 0
            for at in 0..<min(8, bytes.count) { prefix |= UInt64(bytes[at]) << (56 - 8 * UInt64(at)) }
            return prefix
        }
    }
}
