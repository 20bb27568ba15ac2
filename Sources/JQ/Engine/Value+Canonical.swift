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
        guard !members.contains(where: { $0.key.text.utf8.contains(0) }) else {
            return writeRepaired(to: &writer, inserting: extra)
        }
        var rest = extra
        writer.append(UInt8(ascii: "{"))
        var isFirst = true
        for at in sortedPositions {
            let member = members[at]
            if let (key, text) = rest, key < member.key {
                write(key, to: &writer, &isFirst)
                writer.append(utf8: text)
                rest = nil
            }
            write(member.key, to: &writer, &isFirst)
            member.value.writeCanonical(to: &writer)
        }
        if let (key, text) = rest {
            write(key, to: &writer, &isFirst)
            writer.append(utf8: text)
        }
        writer.append(UInt8(ascii: "}"))
    }

    private func write(_ key: JSONString, to writer: inout CanonicalJSON, _ isFirst: inout Bool) {
        if !isFirst { writer.append(UInt8(ascii: ",")) }
        isFirst = false
        writer.append(text: key.text)
        writer.append(UInt8(ascii: ":"))
    }

    /// Repaired keys may stand elsewhere, or be another one's equal: the tree's writer knows what then stays.
    private func writeRepaired(to writer: inout CanonicalJSON, inserting extra: (key: JSONString, text: [UInt8])?) {
        guard var object = Value.object(self).exported.object else { return }
        if let (key, text) = extra { object[key] = .text(String(decoding: text, as: UTF8.self)) }
        writer.append(.object(object))
    }

    private var sortedPositions: [Int] {
        var positions = Array(members.indices)
        positions.sort { members[$0].key < members[$1].key }
        return positions
    }
}
