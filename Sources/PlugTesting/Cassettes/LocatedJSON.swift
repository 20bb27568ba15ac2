import LosslessJSON
import PlugCore

/// A value in a fixture that knows its place, for messages.
struct LocatedJSON {
    let path: String
    let bytes: [UInt8]
    let view: JSONView

    /// The document's only value.
    ///
    /// - Throws: `PlugError` `fixture-invalid` if the file is not JSON.
    init(path: String, bytes: [UInt8]) throws(PlugError) {
        do {
            view = try JSONDocument(bytes: bytes).root
        } catch {
            throw Self.failure("\(path):\(Self.place(error.offset, bytes))", "this is not JSON: \(error.reason)")
        }
        self.path = path
        self.bytes = bytes
    }

    private init(_ view: JSONView, in other: LocatedJSON) {
        path = other.path
        bytes = other.bytes
        self.view = view
    }

    /// The line at which the value begins, from 1.
    var line: Int { 1 + bytes[..<offset].count { $0 == UInt8(ascii: "\n") } }

    /// `LINE:COLUMN`, both from 1.
    var place: String { Self.place(offset, bytes) }

    private var offset: Int { min(view.document.offset(of: view.node), bytes.count) }

    /// An error at this value.
    func wrong(_ message: String, help: String? = nil) -> PlugError {
        Self.failure("\(path):\(Self.place(offset, bytes))", message, help)
    }

    /// The members of an object, each known key at most once.
    ///
    /// - Throws: `PlugError` if this is not an object, or a key is not among `known`.
    func members(_ what: String, known: [String]?) throws(PlugError) -> [(key: String, value: LocatedJSON)] {
        guard view.kind == .object else { throw wrong("\(what) must be an object, not \(kindName)") }
        var nodes: [(key: Int, value: Int)] = []
        view.document.withCursor { cursor in
            cursor.forEachMember(of: view.node) { key, value in nodes.append((key, value)) }
        }
        var members: [(key: String, value: LocatedJSON)] = []
        for node in nodes {
            let key = LocatedJSON(JSONView(document: view.document, node: node.key), in: self)
            let name = key.view.text ?? ""
            if let known, !known.contains(name) {
                throw key.wrong("'\(DisplayText.escaped(name))' is not a key of \(what)", help: Self.hint(name, known))
            }
            guard !members.contains(where: { $0.key == name }) else {
                throw key.wrong("the key '\(DisplayText.escaped(name))' is written twice", help: "remove one of them")
            }
            members.append((name, LocatedJSON(JSONView(document: view.document, node: node.value), in: self)))
        }
        return members
    }

    /// The elements of an array.
    func elements(_ what: String) throws(PlugError) -> [LocatedJSON] {
        guard let elements = view.elements else { throw wrong("\(what) must be an array, not \(kindName)") }
        return elements.map { LocatedJSON($0, in: self) }
    }

    /// The text of a string.
    func text(_ what: String) throws(PlugError) -> String {
        guard let text = view.text else { throw wrong("\(what) must be a text, not \(kindName)") }
        return text
    }

    var kindName: String {
        switch view.kind {
        case .null: "null"
        case .bool: "a boolean"
        case .number: "a number"
        case .string: "a text"
        case .array: "an array"
        case .object: "an object"
        }
    }

    private static func hint(_ name: String, _ known: [String]) -> String {
        let folded = name.lowercased()
        let near = known.first { $0.lowercased() == folded } ?? known.first { isNear(folded, $0.lowercased()) }
        return near.map { "did you mean '\($0)'?" } ?? "its keys are \(known.joined(separator: ", "))"
    }

    /// Whether one is the other with a letter added, missing, changed or swapped.
    private static func isNear(_ left: String, _ right: String) -> Bool {
        let (left, right) = (Array(left), Array(right))
        let start = zip(left, right).prefix { $0 == $1 }.count
        let end = zip(left.dropFirst(start).reversed(), right.dropFirst(start).reversed()).prefix { $0 == $1 }.count
        let middle = (left[start..<(left.count - end)], right[start..<(right.count - end)])
        return max(middle.0.count, middle.1.count) <= 1
            || (middle.0.count == 2 && middle.0.elementsEqual(middle.1.reversed()))
    }

    /// `LINE:COLUMN` of a byte, both from 1; columns count Unicode scalars.
    private static func place(_ offset: Int, _ bytes: [UInt8]) -> String {
        let before = bytes.prefix(offset)
        let line = before.count { $0 == UInt8(ascii: "\n") } + 1
        let start = before.lastIndex(of: UInt8(ascii: "\n")).map { $0 + 1 } ?? 0
        return "\(line):\(before[start...].count { $0 & 0xC0 != 0x80 } + 1)"
    }

    private static func failure(_ place: String, _ message: String, _ help: String? = nil) -> PlugError {
        let advice = help ?? "Plugs/README.md describes fixtures"
        return PlugError(.fixtureInvalid, "\(place): \(message)", advice: advice)
    }
}
