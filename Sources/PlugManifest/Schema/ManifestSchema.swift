package import LosslessJSON

/// The manifest language as a JSON Schema, for editors: completion, explanations and mistakes while one types.
///
/// It says less than the validator, which also reads programs, templates and what refers to what.
package enum ManifestSchema {
    /// The schema, draft 2020-12, as editors read it.
    package static var json: JSONValue {
        var definitions = JSONObject()
        for table in Tables.all.dropFirst() { definitions[JSONString(table.identifier)] = object(table) }
        var schema: [JSONObject.Member] = [
            ("$schema", .text("https://json-schema.org/draft/2020-12/schema")),
            ("title", .text("A plug of plughost, api: 1")),
        ]
        schema += members(Tables.manifest)
        schema.append(("$defs", .object(definitions)))
        return .object(JSONObject(schema))
    }

    private static func object(_ table: KeyTable) -> JSONValue { .object(JSONObject(members(table))) }

    private static func members(_ table: KeyTable) -> [JSONObject.Member] {
        var properties = JSONObject()
        for key in table.keys {
            // In a stream, 'none' leaves a default out.
            let isInherited = table.name == Tables.stream.name && Tables.defaults[key.name] != nil
            properties[JSONString(key.name)] = property(key, mayBeNone: isInherited)
        }
        var members: [JSONObject.Member] = [
            ("type", .text("object")),
            ("properties", .object(properties)),
            ("additionalProperties", .bool(false)),
        ]
        // 'defaults' may give a stream its request, and a request its path.
        let isInherited = [Tables.stream.name, Tables.request.name].contains(table.name)
        let required = isInherited ? [] : table.keys.filter(\.isRequired).map(\.name)
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

    private static func property(_ key: KeySpec, mayBeNone: Bool) -> JSONValue {
        let fallback = key.fallback.map { " Default: \($0)." } ?? ""
        let example = key.example.map { " Example: \($0)." } ?? ""
        var members = value(key.shape)
        if mayBeNone {
            members = [("anyOf", .array([.object(JSONObject(members)), .members(("const", .text("none")))]))]
        }
        return .object(JSONObject([("description", .text(key.doc + fallback + example))] + members))
    }

    /// What a value of a shape may be. Plain numbers and booleans are texts and programs, too: `limit: 50`, `more: false`.
    private static func value(_ shape: Shape) -> [JSONObject.Member] {
        switch shape {
        case .text, .template, .program, .programOrWord, .durationOrProgram: types("string", "number", "boolean")
        case .integer(let range):
            [
                ("type", .text("integer")), ("minimum", .integer(range.lowerBound)),
                ("maximum", .integer(range.upperBound)),
            ]
        case .boolean: [("type", .text("boolean"))]
        case .duration: pattern("^[0-9.]+(ms|s|m|h|d|w)$")
        case .size: types("string", "integer")
        case .rate: pattern("^[0-9]+/[0-9.]+(ms|s|m|h|d|w)$")
        case .share: pattern("^([1-9][0-9]?|100)%$")
        case .choice(let words, _): [("enum", .array(words.flatMap(spellings)))]
        case .anything: []
        case .list(let element, let orOne):
            orOne ? [("anyOf", .array([list(element), .object(JSONObject(value(element)))]))] : listMembers(element)
        case .names(let element):
            [("type", .text("object")), ("additionalProperties", .object(JSONObject(value(element))))]
        case .table(let table): [("$ref", .text("#/$defs/\(table.identifier)"))]
        case .wordOrTable(let words, let table):
            [("anyOf", .array([.members(("enum", texts(words))), .object(JSONObject(value(.table(table))))]))]
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

    /// Editors that read YAML 1.1 take `on` and `off` for booleans.
    private static func spellings(of word: String) -> [JSONValue] {
        switch word {
        case "on": [.text(word), .bool(true)]
        case "off": [.text(word), .bool(false)]
        default: [.text(word)]
        }
    }

    private static func listMembers(_ element: Shape) -> [JSONObject.Member] {
        [("type", .text("array")), ("items", .object(JSONObject(value(element))))]
    }

    private static func list(_ element: Shape) -> JSONValue { .object(JSONObject(listMembers(element))) }

    private static func pattern(_ text: String) -> [JSONObject.Member] {
        [("type", .text("string")), ("pattern", .text(text))]
    }

    private static func types(_ names: String...) -> [JSONObject.Member] { [("type", texts(names))] }

    private static func texts(_ words: [String]) -> JSONValue { .array(words.map { .text($0) }) }
}
