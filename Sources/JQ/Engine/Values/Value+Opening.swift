import LosslessJSON

extension Value {
    /// A container that is being read: its elements, or its members and the last key read.
    private struct Level {
        var elements = ValueArray([])
        var members: ValueObject?
        var key: JSONString = ""

        var whole: Value { members.map { .object($0) } ?? .array(elements) }
    }

    /// Opens a whole document: what the engine has read is its own, and accounted for.
    init(opening cursor: JSONCursor) {
        // No recursion: a document may be deeper than the native stack.
        var levels: [Level] = []
        var node = 0
        func readKey() {
            levels[levels.count - 1].key = JSONString(cursor.text(node))
            node += 1
        }
        while true {
            var value: Value
            switch cursor.kind(node) {
            case .null: value = .null
            case .bool: value = .bool(cursor.firstByte(node) == UInt8(ascii: "t"))
            case .number: value = .literal(cursor.number(node))
            case .string: value = .string(JSONString(cursor.text(node)))
            case .array where cursor.first(in: node) == nil: value = .array(ValueArray([]))
            case .object where cursor.first(in: node) == nil: value = .object(ValueObject())
            case .array:
                levels.append(Level())
                node += 1
                continue
            case .object:
                levels.append(Level(members: ValueObject()))
                node += 1
                readKey()
                continue
            }
            node = cursor.after(node)
            // A complete value goes into the container around it, which may then be complete itself.
            while true {
                guard let last = levels.indices.last else {
                    self = value
                    return
                }
                if levels[last].members == nil {
                    levels[last].elements.append(value)
                } else {
                    let key = levels[last].key
                    levels[last].members?.put(key, value)
                }
                guard cursor.isEnd(node) else {
                    if levels[last].members != nil { readKey() }
                    break
                }
                value = levels.removeLast().whole
                node += 1
            }
        }
    }
}
