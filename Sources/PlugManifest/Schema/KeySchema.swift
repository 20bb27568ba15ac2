package import LosslessJSON

/// A language of key tables as a JSON Schema, for editors: completion, explanations and errors while typing.
package struct KeySchema {
    private let title: String
    private let tables: [KeyTable]
    private let isInherited: (KeyTable) -> Bool
    private let mayBeNone: (KeyTable, KeySpec) -> Bool

    /// Creates a schema.
    ///
    /// - Parameters:
    ///   - title: What a file of the language is.
    ///   - root: The file's own table.
    ///   - isInherited: Whether a mapping's required keys may be written elsewhere.
    ///   - mayBeNone: Whether a key takes the word `none` besides its own values.
    package init(
        _ title: String,
        of root: KeyTable,
        isInherited: @escaping (KeyTable) -> Bool = { _ in false },
        mayBeNone: @escaping (KeyTable, KeySpec) -> Bool = { _, _ in false }
    ) {
        self.title = title
        tables = root.withInnerTables
        self.isInherited = isInherited
        self.mayBeNone = mayBeNone
    }

    /// The schema, draft 2020-12, for editors.
    package var json: JSONValue {
        var definitions = JSONObject()
        for table in tables.dropFirst() { definitions[JSONString(table.identifier)] = object(table) }
        var schema: [JSONObject.Member] = [
            ("$schema", .text("https://json-schema.org/draft/2020-12/schema")),
            ("title", .text(title)),
        ]
        schema += tables.first.map(members) ?? []
        schema.append(("$defs", .object(definitions)))
        return .object(JSONObject(schema))
    }

    private func object(_ table: KeyTable) -> JSONValue { .object(JSONObject(members(table))) }

    private func members(_ table: KeyTable) -> [JSONObject.Member] {
        var properties = JSONObject()
        for key in table.keys {
            properties[JSONString(key.name)] = property(key, mayBeNone: mayBeNone(table, key))
        }
        var members: [JSONObject.Member] = [
            ("type", .text("object")),
            ("properties", .object(properties)),
            ("additionalProperties", .bool(false)),
        ]
        let required = table.keys.filter { $0.isRequired && !isInherited(table) }.map(\.name)
        if !required.isEmpty { members.append(("required", texts(required))) }
        let kinds = table.kinds.map { JSONValue.members(("required", texts([$0]))) }
        if !kinds.isEmpty { members.append(("oneOf", .array(kinds))) }
        let exclusions = table.keys.flatMap { key in
            key.excludes.map { other in
                JSONValue.members(("not", .members(("required", texts([key.name, other])))))
            }
        }
        if !exclusions.isEmpty { members.append(("allOf", .array(exclusions))) }
        return members
    }

    private func property(_ key: KeySpec, mayBeNone: Bool) -> JSONValue {
        let fallback = key.fallback.map { " Default: \($0)." } ?? ""
        let example = key.example.map { " Example: \($0)." } ?? ""
        var members = value(key.shape)
        if mayBeNone {
            members = [("anyOf", .array([.object(JSONObject(members)), .members(("const", .text("none")))]))]
        }
        return .object(JSONObject([("description", .text(key.doc + fallback + example))] + members))
    }

    /// The permitted values of a shape. Plain numbers and booleans are texts and programs, too: `limit: 50`, `more: false`.
    private func value(_ shape: Shape) -> [JSONObject.Member] {
        switch shape {
        case .text, .template, .program, .programOrWord, .durationOrProgram: types("string", "number", "boolean")
        case .integer(let range):
            [
                ("type", .text("integer")), ("minimum", .integer(range.lowerBound)),
                ("maximum", .integer(range.upperBound)),
            ]
        case .boolean: [("type", .text("boolean"))]
        case .duration: pattern(Self.duration)
        case .durationOrCount(let range):
            [("anyOf", .array([object(pattern(Self.duration)), object(value(.integer(range)))]))]
        case .size, .sizeFrom: types("string", "integer")
        case .rate: pattern("^[0-9]+/[0-9.]+(ms|s|m|h|d|w)$")
        case .share: pattern("^([1-9][0-9]?|100)%$")
        case .choice(let words, _): [("enum", .array(words.flatMap(Self.spellings)))]
        case .anything: []
        case .list(let element, let orOne):
            orOne ? [("anyOf", .array([list(element), .object(JSONObject(value(element)))]))] : listMembers(element)
        case .names(let element):
            [("type", .text("object")), ("additionalProperties", .object(JSONObject(value(element))))]
        case .table(let table): [("$ref", .text("#/$defs/\(table.identifier)"))]
        case .wordOrTable(let words, let table):
            [("anyOf", .array([.members(("enum", texts(words))), .object(JSONObject(value(.table(table))))]))]
        case .textOrTable(let table):
            [("anyOf", .array([object(types("string")), object(value(.table(table)))]))]
        case .secret:
            [("anyOf", .array([object(types("string", "number")), object(value(.table(Shape.secretFile)))]))]
        case .detail(let table):
            [
                (
                    "anyOf",
                    .array([
                        .members(("enum", .array([.null, .bool(true)]))),
                        table.map { .object(JSONObject(value(.table($0)))) }
                            ?? .members(("type", .text("object")), ("maxProperties", .integer(0))),
                    ])
                )
            ]
        }
    }

    private static let duration = "^[0-9.]+(ms|s|m|h|d|w)$"

    private func object(_ members: [JSONObject.Member]) -> JSONValue { .object(JSONObject(members)) }

    /// Editors that read YAML 1.1 treat `on` and `off` as booleans.
    private static func spellings(of word: String) -> [JSONValue] {
        switch word {
        case "on": [.text(word), .bool(true)]
        case "off": [.text(word), .bool(false)]
        default: [.text(word)]
        }
    }

    private func listMembers(_ element: Shape) -> [JSONObject.Member] {
        [("type", .text("array")), ("items", .object(JSONObject(value(element))))]
    }

    private func list(_ element: Shape) -> JSONValue { .object(JSONObject(listMembers(element))) }

    private func pattern(_ text: String) -> [JSONObject.Member] {
        [("type", .text("string")), ("pattern", .text(text))]
    }

    private func types(_ names: String...) -> [JSONObject.Member] { [("type", texts(names))] }

    private func texts(_ words: [String]) -> JSONValue { .array(words.map { .text($0) }) }
}
