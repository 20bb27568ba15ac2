internal import LosslessJSON

/// The members of a message that plughost reads, each as its start in the document.
struct MessageParts {
    /// The kinds of message.
    enum Kind {
        case record, schema, state, activation, batch
        case other(String)
        case none
    }

    private(set) var type = Kind.none
    private(set) var stream: Int?
    private(set) var record: Int?
    private(set) var value: Int?
    private(set) var keyProperties: Int?
    private(set) var bookmarkProperties: Int?

    init(_ node: Int, _ document: JSONDocument) {
        document.withCursor { cursor in
            guard cursor.kind(node) == .object else { return }
            cursor.forEachMember(of: node) { key, value in
                if Self.isKey(cursor, key, "record") {
                    record = cursor.kind(value) == .object ? value : nil
                } else if Self.isKey(cursor, key, "type") {
                    type = Self.kind(cursor, value)
                } else if Self.isKey(cursor, key, "stream") {
                    stream = cursor.kind(value) == .string ? value : nil
                } else if Self.isKey(cursor, key, "value") {
                    self.value = value
                } else if Self.isKey(cursor, key, "key_properties") {
                    keyProperties = value
                } else if Self.isKey(cursor, key, "bookmark_properties") {
                    bookmarkProperties = value
                }
            }
        }
    }

    @inline(__always)
    private static func isKey(_ cursor: JSONCursor, _ key: Int, _ name: StaticString) -> Bool {
        cursor.isKey(key, UnsafeBufferPointer(start: name.utf8Start, count: name.utf8CodeUnitCount))
    }

    private static func kind(_ cursor: JSONCursor, _ node: Int) -> Kind {
        func isText(_ text: StaticString) -> Bool {
            cursor.isEqual(node, UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount))
        }
        guard cursor.kind(node) == .string else { return .none }
        if isText("RECORD") { return .record }
        if isText("STATE") { return .state }
        if isText("SCHEMA") { return .schema }
        if isText("ACTIVATE_VERSION") { return .activation }
        if isText("BATCH") { return .batch }
        // Truncated for messages once secrets are hidden in it.
        return .other(String(cursor.text(node).prefix(4_000)))
    }

    /// The texts of a list; empty if it is missing or null, `nil` if it is anything else.
    func names(of node: Int?, _ document: JSONDocument) -> [String]? {
        guard let node else { return [] }
        let view = JSONView(document: document, node: node)
        if view.kind == .null { return [] }
        guard let elements = view.elements else { return nil }
        let texts = elements.compactMap(\.text)
        return texts.count == elements.count ? texts : nil
    }
}

extension JSONCursor {
    /// Whether the string at a node equals this text.
    func isEqual(_ string: Int, _ text: [UInt8]) -> Bool {
        text.withUnsafeBufferPointer { isEqual(string, $0) }
    }
}
