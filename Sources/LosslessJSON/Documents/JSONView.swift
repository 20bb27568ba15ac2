/// A value in a parsed document: a reference to the document and a position in it.
public struct JSONView: Sendable {
    /// The document, kept alive by the view.
    public let document: JSONDocument
    /// The node at which the value begins.
    public let node: Int

    /// A view of a node of this document.
    public init(document: JSONDocument, node: Int) {
        self.document = document
        self.node = node
    }

    /// The kind of the value.
    public var kind: JSONKind { document.withCursor { $0.kind(node) } }

    /// The text of a string, `nil` for anything else.
    public var text: String? { document.withCursor { $0.kind(node) == .string ? $0.text(node) : nil } }

    /// A number with its text, `nil` for anything else.
    public var number: JSONNumber? {
        document.withCursor { cursor in
            guard cursor.kind(node) == .number else { return nil }
            return cursor.number(node)
        }
    }

    /// The member of an object, `nil` if there is none or this is not an object.
    public subscript(key: String) -> JSONView? {
        var key = key
        return key.withUTF8 { key in
            document.withCursor { cursor in
                guard cursor.kind(node) == .object else { return nil }
                return cursor.member(node, key).map { JSONView(document: document, node: $0) }
            }
        }
    }

    /// The elements of an array, `nil` for anything else.
    public var elements: [JSONView]? {
        document.withCursor { cursor in
            guard cursor.kind(node) == .array else { return nil }
            // Not counted first: that would read the whole array once more.
            var elements: [JSONView] = []
            var at = cursor.first(in: node)
            while let current = at {
                elements.append(JSONView(document: document, node: current))
                at = cursor.next(after: current)
            }
            return elements
        }
    }

    /// The value's own text, as it was written.
    public var slice: [UInt8] { document.withCursor { Array($0.slice(node)) } }

    /// Whether a U+0000 is written in it, which no PDA's database accepts: as an escape, the only way JSON allows it.
    public var holdsNUL: Bool {
        document.withCursor { cursor in JSONEscapes.find(cursor.slice(node)) { $0 == 0 } }
    }

    /// Whether it contains an escape that `CanonicalJSON` could count as repaired: of U+0000 or of a surrogate, which may be
    /// a lone one.
    public var mayNeedRepairs: Bool {
        document.withCursor { cursor in
            JSONEscapes.find(cursor.slice(node)) { $0 == 0 || 0xD800...0xDFFF ~= $0 }
        }
    }

    /// Whether it nests arrays and objects deeper than this: code that builds a tree recurses.
    public func isDeeper(than limit: Int) -> Bool {
        document.withCursor { cursor in
            var depth = 0
            for at in node..<cursor.after(node) {
                if cursor.isContainer(at) {
                    depth += 1
                    if depth > limit { return true }
                } else if cursor.isEnd(at) {
                    depth -= 1
                }
            }
            return false
        }
    }

    /// The value as an owned tree.
    public var value: JSONValue { document.withCursor { JSONValue($0, node) } }
}

extension JSONValue {
    /// Copies a value out of a document. The reader has bounded the depth.
    init(_ cursor: JSONCursor, _ node: Int) {
        switch cursor.kind(node) {
        case .null: self = .null
        case .bool: self = .bool(cursor.firstByte(node) == UInt8(ascii: "t"))
        case .number: self = .number(cursor.number(node))
        case .string: self = .string(JSONString(cursor.text(node)))
        case .array:
            var elements: [JSONValue] = []
            elements.reserveCapacity(cursor.count(of: node))
            var at = cursor.first(in: node)
            while let current = at {
                elements.append(JSONValue(cursor, current))
                at = cursor.next(after: current)
            }
            self = .array(elements)
        case .object:
            var object = JSONObject(capacity: cursor.count(of: node) / 2)
            cursor.forEachMember(of: node) { key, value in
                object[JSONString(cursor.text(key))] = JSONValue(cursor, value)
            }
            self = .object(object)
        }
    }

    /// Parses a text.
    public init(parsing text: String, limits: JSONLimits = JSONLimits()) throws(JSONError) {
        try self.init(parsing: Array(text.utf8), limits: limits)
    }

    /// Parses bytes.
    public init(parsing bytes: [UInt8], limits: JSONLimits = JSONLimits()) throws(JSONError) {
        self = try JSONDocument(bytes: bytes, limits: limits).root.value
    }
}
