import LosslessJSON
import PlugCore

/// The shape of an answer's records, by its schema: their path, their members, and an example.
struct RecordShape {
    /// Names that APIs give to their lists, most likely first.
    private static let listNames = [
        "data", "items", "results", "records", "entries", "values", "content", "list", "elements",
    ]
    /// The largest number of members taken over.
    private static let memberLimit = 24

    private let description: OpenAPIDescription
    /// The program of `records`.
    let records: String
    let answer: PlugDraft.Answer
    /// The schema of one record.
    private let record: JSONValue

    /// - Parameters:
    ///   - schema: The schema of the whole answer.
    ///   - others: The answer's members besides the records, with their values on the last page.
    ///   - hint: The stream's name, which is tried first as the name of the list.
    init(_ description: OpenAPIDescription, _ schema: JSONValue, others: JSONValue, hint: String) {
        self.description = description
        if schema.type == "array" {
            (records, answer) = (".", .list)
            record = description.schema(schema["items"])
        } else if let path = Self.list(description, schema, hint, depth: 0) {
            (records, answer) = (PathNotation.path(path), .object(path: path, others: others))
            record = description.schema(Self.schema(at: path, schema, description)["items"])
        } else {
            let path = Self.single(description, schema)
            (records, answer) = (PathNotation.path(path), .single(path: path))
            record = Self.schema(at: path, schema, description)
        }
    }

    /// Whether an answer is a single record.
    var isSingle: Bool { if case .single = answer { true } else { false } }

    /// Whether a record has a member that may identify it.
    var hasKey: Bool { properties.contains { Self.mayIdentify($0.schema) } }

    /// The path of an answer's single record: inside objects that hold nothing else.
    private static func single(_ description: OpenAPIDescription, _ schema: JSONValue) -> [String] {
        var (path, schema) = ([String](), schema)
        for _ in 0..<4 {
            let properties = (schema["properties"]?.object?.members ?? []).map {
                ($0.key.text, description.schema($0.value))
            }
            if properties.contains(where: { isScalar($0.1) }) { return path }
            guard let inner = properties.first(where: { $0.1.type == "object" }) else { return path }
            path.append(inner.0)
            schema = inner.1
        }
        return path
    }

    private static func list(_ description: OpenAPIDescription, _ schema: JSONValue, _ hint: String, depth: Int)
        -> [String]?
    {
        let properties = (schema["properties"]?.object?.members ?? []).map {
            ($0.key.text, description.schema($0.value))
        }
        let lists = properties.filter { property in
            property.1.type == "array" && description.schema(property.1["items"]).type == "object"
        }
        func rank(_ name: String) -> Int {
            if name.lowercased() == hint.lowercased() { return -1 }
            return listNames.firstIndex(of: name.lowercased()) ?? listNames.count
        }
        if let best = lists.min(by: { rank($0.0) < rank($1.0) }) { return [best.0] }
        guard depth < 2 else { return nil }
        for (name, inner) in properties where inner.type == "object" {
            if let path = list(description, inner, hint, depth: depth + 1) { return [name] + path }
        }
        return nil
    }

    private static func schema(at path: [String], _ schema: JSONValue, _ description: OpenAPIDescription) -> JSONValue {
        path.reduce(schema) { description.schema($0["properties"]?[$1]) }
    }

    // MARK: - Members

    private var properties: [(name: String, schema: JSONValue)] {
        (record["properties"]?.object?.members ?? []).map { ($0.key.text, description.schema($0.value)) }
    }

    /// The program of the key: a member with a usual name, else the first text or number.
    var key: String {
        let names = properties.filter { Self.mayIdentify($0.schema) }.map(\.name)
        let found =
            ["id", "_id", "uuid", "guid", "key", "uri", "url"].lazy.compactMap { wanted in
                names.first { $0.lowercased() == wanted }
            }
            .first ?? names.first { $0.lowercased().hasSuffix("id") } ?? names.first
        return PathNotation.path([found ?? "id"])
    }

    /// A member that changes whenever the record changes.
    var version: String {
        let wanted = [
            "updated_at", "updatedat", "modified_at", "modifiedat", "last_modified", "lastmodified", "updated", "etag",
        ]
        let names = properties.map(\.name)
        return wanted.lazy.compactMap { word in names.first { $0.lowercased() == word } }.first.map {
            PathNotation.path([$0])
        }
            ?? "content"
    }

    /// The members of the delivered record, and the names of those left out.
    var members: (taken: [PlugDraft.Member], leftOut: [String]) {
        var taken: [PlugDraft.Member] = []
        var leftOut: [String] = []
        func take(_ name: String, _ program: String, _ schema: JSONValue, isID: Bool) {
            let member = Self.camelCase(name)
            guard taken.count < Self.memberLimit, !member.isEmpty, !taken.contains(where: { $0.name == member }) else {
                leftOut.append(name)
                return
            }
            let isNumber = ["integer", "number"].contains(schema.type)
            taken.append(
                PlugDraft.Member(
                    name: member,
                    program: isID && isNumber ? "(\(program) | tostring)" : program,
                    cast: Self.cast(schema)
                )
            )
        }
        for (name, schema) in properties {
            let step = PathNotation.path([name])
            if Self.isScalar(schema) {
                take(name == "_id" ? "id" : name, step, schema, isID: step == key || name.lowercased().hasSuffix("id"))
            } else if schema.type == "array", Self.isScalar(description.schema(schema["items"])) {
                take(name, step, .null, isID: false)
            } else if schema.type == "object", schema["properties"] != nil {
                for inner in ["id", "name"] {
                    let found = description.schema(schema["properties"]?[inner])
                    guard Self.isScalar(found) else { continue }
                    take("\(name)_\(inner)", "\(step).\(inner)", found, isID: inner == "id")
                }
            } else {
                leftOut.append(name)
            }
        }
        return (taken, leftOut)
    }

    private static func mayIdentify(_ schema: JSONValue) -> Bool { isScalar(schema) && schema.type != "boolean" }

    private static func isScalar(_ schema: JSONValue) -> Bool {
        ["string", "integer", "number", "boolean"].contains(schema.type)
    }

    private static func cast(_ schema: JSONValue) -> String? {
        guard schema.type == "string" else { return nil }
        switch schema["format"]?.stringText {
        case "date-time": return "time"
        case "date": return "date"
        default: return nil
        }
    }

    /// `created_at` and `created-at` as `createdAt`.
    static func camelCase(_ name: String) -> String {
        let words = name.split { !$0.isLetter && !$0.isNumber || !$0.isASCII }
        guard let first = words.first else { return "" }
        let head =
            first.allSatisfy { !$0.isLowercase } ? first.lowercased() : first.prefix(1).lowercased() + first.dropFirst()
        return head + words.dropFirst().map { $0.prefix(1).uppercased() + $0.dropFirst() }.joined()
    }

    // MARK: - Examples

    /// Two records that differ in their key.
    var examples: [JSONValue] {
        switch answer {
        case .single: [example(1)]
        default: [example(1), example(2)]
        }
    }

    private func example(_ number: Int) -> JSONValue {
        var object = JSONObject()
        for (name, schema) in properties {
            let isKey = PathNotation.path([name]) == key
            object[JSONString(name)] = Self.example(of: schema, name, number, isKey: isKey, description, depth: 0)
        }
        if properties.isEmpty { object["id"] = .integer(number) }
        return .object(object)
    }

    static func example(
        of schema: JSONValue,
        _ name: String,
        _ number: Int,
        isKey: Bool = false,
        _ description: OpenAPIDescription,
        depth: Int
    ) -> JSONValue {
        guard depth < 3 else { return .null }
        let given = schema["example"] ?? schema["examples"]?.elements?.first ?? schema["enum"]?.elements?.first
        switch schema.type {
        case "integer", "number":
            if isKey { return .integer(number) }
            return given.flatMap { $0.number == nil ? nil : $0 } ?? .integer(number)
        case "boolean": return given.flatMap { $0.bool == nil ? nil : $0 } ?? .bool(true)
        case "array":
            // Lists of objects are not taken over, and may contain their own parent.
            let items = description.schema(schema["items"])
            guard isScalar(items) else { return .array([]) }
            return .array([example(of: items, name, number, description, depth: depth + 1)])
        case "object":
            // From an inner object 'map' takes only scalars.
            let members = (schema["properties"]?.object?.members ?? []).compactMap { key, value -> JSONObject.Member? in
                let inner = description.schema(value)
                guard isScalar(inner) else { return nil }
                return (key, example(of: inner, key.text, number, description, depth: depth + 1))
            }
            return .object(JSONObject(members))
        default:
            let format = schema["format"]?.stringText
            if format == "date-time" { return .text("2026-11-2\(number)T08:00:00Z") }
            if format == "date" { return .text("2026-11-2\(number)") }
            if !isKey, let text = given?.stringText { return .text(text) }
            if format == "uri" || format == "url" { return .text("https://example.org/\(name)/\(number)") }
            if format == "uuid" { return .text("00000000-0000-4000-8000-00000000000\(number)") }
            return .text(isKey ? "\(number)" : "\(name) \(number)")
        }
    }
}
