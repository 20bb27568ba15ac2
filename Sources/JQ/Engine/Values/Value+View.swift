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
}

extension JSONView {
    /// Members that are passed per step: they are found at about one per nanosecond.
    private static let stepMembers = 32

    /// How many elements or members a container has.
    private func count(_ cursor: JSONCursor) -> Int {
        if cursor.kind(node) == .array { return cursor.count(of: node) }
        var count = 0
        cursor.forEachMember(of: node) { _, _ in count += 1 }
        return count
    }

    /// Whether nothing in it is far from its beginning, as in nearly every record: it is searched without counting steps.
    @inline(__always)
    private func isSmall(_ cursor: JSONCursor) -> Bool { cursor.after(node) - node <= 256 }

    /// Pays for `opened` before it allocates.
    func announce(_ meter: Meter) throws(JQError) {
        let count = document.withCursor { cursor in self.count(cursor) }
        let isArray = kind == .array
        try meter.copy(elements: isArray ? count : 3 * count)
        // Texts and numbers are taken out of the document.
        try meter.step(count / 2)
    }

    /// The container with its members or elements as values; nested containers stay in the document.
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

    /// The member of an object, `null` if it has none; `nil` if this is an array.
    ///
    /// - Parameter isWritten: Whether a scalar stays in the document as well: only the writer may encounter such a view.
    @inline(__always)
    func member(_ name: JSONString, _ meter: Meter, isWritten: Bool = false) throws(JQError) -> Value? {
        var text = name.text
        var isLarge = false
        let found = text.withUTF8 { name in
            document.withCursor { cursor -> Value? in
                guard cursor.kind(node) == .object else { return nil }
                guard isSmall(cursor) else {
                    isLarge = true
                    return nil
                }
                return member(cursor, name, isWritten)
            }
        }
        return isLarge ? try farMember(name, meter, isWritten) : found
    }

    /// The member of a large object, which takes time to find.
    @inline(never)
    private func farMember(_ name: JSONString, _ meter: Meter, _ isWritten: Bool) throws(JQError) -> Value? {
        let count = document.withCursor { cursor in self.count(cursor) }
        try meter.step(count / Self.stepMembers)
        var text = name.text
        return text.withUTF8 { name in document.withCursor { cursor in member(cursor, name, isWritten) } }
    }

    @inline(__always)
    private func member(_ cursor: JSONCursor, _ name: UnsafeBufferPointer<UInt8>, _ isWritten: Bool) -> Value {
        guard let member = cursor.member(node, name) else { return .null }
        if isWritten { return .view(JSONView(document: document, node: member)) }
        return Value(cursor, member, in: document)
    }

    /// Whether an object has a member of this name.
    func has(_ name: JSONString, _ meter: Meter) throws(JQError) -> Bool {
        try member(name, meter, isWritten: true).map { !$0.isNull } ?? false
    }

    /// How many elements an array has, `nil` for an object, whose keys may be repeated.
    func elementCount(_ meter: Meter) throws(JQError) -> Int? {
        let count = document.withCursor { cursor in
            cursor.kind(node) == .array ? cursor.count(of: node) : nil
        }
        if let count { try meter.step(count / Self.stepMembers) }
        return count
    }

    /// The element of an array, a negative number counted from its end; `null` if it has none.
    func element(_ number: Int, _ meter: Meter) throws(JQError) -> Value {
        let wanted = number < 0 ? number + (try elementCount(meter) ?? 0) : number
        if wanted < 0 { return .null }
        var passed = 0
        let value = document.withCursor { cursor -> Value in
            var at = cursor.first(in: node)
            while let current = at {
                if passed == wanted { return Value(cursor, current, in: document) }
                passed += 1
                at = cursor.next(after: current)
            }
            return .null
        }
        try meter.step(passed / Self.stepMembers)
        return value
    }

    /// The nodes of an array's elements.
    func nodes(_ cursor: JSONCursor) -> some Sequence<Int> {
        sequence(state: cursor.first(in: node)) { at in
            defer { at = at.flatMap { cursor.next(after: $0) } }
            return at
        }
    }

    /// Where an array's elements begin, `nil` if this is not an array or has none.
    var firstElement: Int? {
        document.withCursor { cursor in cursor.kind(node) == .array ? cursor.first(in: node) : nil }
    }

    /// An element of the array by its node, and the node of the next.
    @inline(__always)
    func element(at element: Int) -> (Value, next: Int?) {
        document.withCursor { cursor in (Value(cursor, element, in: document), cursor.next(after: element)) }
    }
}
