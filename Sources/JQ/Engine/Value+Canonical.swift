import LosslessJSON

extension Value {
    /// Appends the canonical form: the bytes that `CanonicalJSON` makes of the exported value, which is not built.
    func writeCanonical(to writer: inout CanonicalJSON) {
        switch self {
        case .null: writer.appendNull()
        case .bool(let bool): writer.bytes.append(contentsOf: (bool ? "true" : "false").utf8)
        case .integer, .double, .literal: writer.bytes.append(contentsOf: (numberText ?? "null").utf8)
        case .string(let string): writer.append(text: string.text)
        case .json(let json): writer.append(json)
        case .view(let view):
            // Where keys hold U+0000, tree and cursor differ in which of two repaired keys stays.
            if view.holdsNUL { return writer.append(view.value) }
            view.document.withCursor { writer.append($0, view.node) }
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
    /// Appends the canonical form, with one more member, whose key the object does not have.
    func writeCanonical(to writer: inout CanonicalJSON, inserting extra: (key: JSONString, text: [UInt8])?) {
        for member in members where member.key.holdsNUL { return writeRepaired(to: &writer, inserting: extra) }
        // The extra member's position is the one behind all others.
        withUnsafeTemporaryAllocation(of: Int.self, capacity: members.count + 1) { positions in
            let count = members.count + (extra == nil ? 0 : 1)
            func key(_ position: Int) -> JSONString {
                if position < members.count { members[position].key } else { extra?.key ?? "" }
            }
            sort(positions, count, by: key)
            writer.append(UInt8(ascii: "{"))
            for at in 0..<count {
                if at > 0 { writer.append(UInt8(ascii: ",")) }
                let position = positions[at]
                writer.append(text: key(position).text)
                writer.append(UInt8(ascii: ":"))
                if position < members.count {
                    members[position].value.writeCanonical(to: &writer)
                } else {
                    writer.append(utf8: extra?.text ?? [])
                }
            }
            writer.append(UInt8(ascii: "}"))
        }
    }

    /// Fills in the positions in the order of their keys, of which no two are the same.
    @inline(__always)
    private func sort(_ positions: UnsafeMutableBufferPointer<Int>, _ count: Int, by key: (Int) -> JSONString) {
        for at in 0..<count { positions.initializeElement(at: at, to: at) }
        guard count <= 24 else {
            var sorted = Array(positions[..<count])
            sorted.sort { key($0) < key($1) }
            for at in 0..<count { positions[at] = sorted[at] }
            return
        }
        // A few are sorted by insertion where they lie.
        for next in 1..<max(count, 1) {
            let own = key(next)
            var at = next
            while at > 0, own < key(positions[at - 1]) {
                positions[at] = positions[at - 1]
                at -= 1
            }
            positions[at] = next
        }
    }

    /// Repaired keys may stand elsewhere, or be another one's equal: the tree's writer knows what then stays.
    private func writeRepaired(to writer: inout CanonicalJSON, inserting extra: (key: JSONString, text: [UInt8])?) {
        guard var object = Value.object(self).exported.object else { return }
        if let (key, text) = extra { object[key] = .text(String(decoding: text, as: UTF8.self)) }
        writer.append(.object(object))
    }
}
