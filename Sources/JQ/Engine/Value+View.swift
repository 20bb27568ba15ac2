import LosslessJSON

extension Value {
    /// Wraps a value of a document; scalars are opened at once.
    init(_ cursor: JSONCursor, _ node: Int, in document: JSONDocument) {
        switch cursor.kind(node) {
        case .null: self = .null
        case .bool: self = .bool(cursor.firstByte(node) == UInt8(ascii: "t"))
        case .number: self = .literal(cursor.number(node))
        case .string: self = .string(JSONString(cursor.text(node)))
        case .array, .object: self = .view(JSONView(document: document, node: node))
        }
    }

    /// A container to go through by its elements' numbers: in a document they have none.
    var iterable: Value {
        if case .view(let view) = self { view.opened } else { self }
    }
}

extension JSONView {
    /// The container with its members or elements as values; those that are containers stay in the document.
    var opened: Value {
        document.withCursor { cursor in
            guard cursor.kind(node) == .object else {
                var elements: [Value] = []
                var at = cursor.first(in: node)
                while let element = at {
                    elements.append(Value(cursor, element, in: document))
                    at = cursor.next(after: element)
                }
                return .array(ValueArray(shallow: elements))
            }
            var members: [ValueObject.Member] = []
            cursor.forEachMember(of: node) { key, value in
                members.append(
                    ValueObject.Member(JSONString(cursor.text(key)), Value(cursor, value, in: document))
                )
            }
            // A repeated key keeps its first place and its last value, as in `JSONObject`.
            return .object(ValueObject(members))
        }
    }

    /// The member of an object, `null` where it has none; `nil` where this is an array.
    ///
    /// - Parameter isWritten: Whether a scalar, too, stays in the document: nothing but the writer may meet such a view.
    @inline(__always)
    func member(_ name: JSONString, isWritten: Bool = false) -> Value? {
        var name = name.text
        return name.withUTF8 { name in
            document.withCursor { cursor -> Value? in
                guard cursor.kind(node) == .object else { return nil }
                guard let member = cursor.member(node, name) else { return .null }
                if isWritten { return .view(JSONView(document: document, node: member)) }
                return Value(cursor, member, in: document)
            }
        }
    }

    /// Whether an object has a member of this name.
    func has(_ name: JSONString) -> Bool {
        var name = name.text
        return name.withUTF8 { name in document.withCursor { $0.member(node, name) != nil } }
    }

    /// How many elements an array has, `nil` for an object, whose keys may be repeated.
    var elementCount: Int? {
        document.withCursor { cursor in
            cursor.kind(node) == .array ? cursor.count(of: node) : nil
        }
    }

    /// The element of an array, a negative number counted from its end; `null` where it has none.
    func element(_ number: Int) -> Value {
        document.withCursor { cursor in
            var number = number < 0 ? number + (elementCount ?? 0) : number
            if number < 0 { return .null }
            var at = cursor.first(in: node)
            while let current = at {
                if number == 0 { return Value(cursor, current, in: document) }
                number -= 1
                at = cursor.next(after: current)
            }
            return .null
        }
    }
}
