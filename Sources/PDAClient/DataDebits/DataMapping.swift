public import LosslessJSON

/// Which fields a record's data keeps, and under which names: `{"text": "body.text", "first": "items[0].name"}`.
///
/// A key is where a value goes; dots make nested objects. A value is where it comes from: names of letters, digits and
/// `_` separated by dots, with an optional `[0]`. Anything missing in a record is left out.
public struct DataMapping: Sendable, Equatable {
    /// The source of a value.
    public enum Source: Sendable, Equatable {
        /// A field, with dots.
        case field(String)
        /// An object at a field, or with `[]` at both ends an array of them, with a mapping of its own.
        case nested(field: String, mapping: DataMapping)
    }

    /// The mapping on the wire. Servers treat anything that is not an object as no mapping.
    public var json: JSONValue

    /// A mapping as on the wire; nothing is checked.
    public init(json: JSONValue) { self.json = json }

    /// The source of a field's value, `nil` if there is none or servers do not know its form.
    public subscript(destination: String) -> Source? {
        get { json[destination].flatMap(Self.source) }
        set {
            var members = json.object ?? JSONObject()
            members[JSONString(destination)] = newValue.map(Self.value)
            json = .object(members)
        }
    }

    private static func source(_ value: JSONValue) -> Source? {
        if let field = value.stringText { return .field(field) }
        guard let field = value["source"]?.stringText, let mapping = value["mappings"] else { return nil }
        return .nested(field: field, mapping: DataMapping(json: mapping))
    }

    private static func value(_ source: Source) -> JSONValue {
        switch source {
        case .field(let field): .text(field)
        case .nested(let field, let mapping): .object(["source": .text(field), "mappings": mapping.json])
        }
    }

    /// Why servers would not apply it as written, `nil` if they would.
    var fault: String? {
        guard let members = json.object?.members else { return "should be an object, not \(json.article)" }
        for (key, value) in members {
            switch Self.source(value) {
            case .field: continue
            case .nested(_, let mapping):
                if let fault = mapping.fault { return "has at '\(key.text)' a mapping that \(fault)" }
            case nil: return "has at '\(key.text)' neither a field nor an object of 'source' and 'mappings'"
            }
        }
        return nil
    }
}

extension DataMapping: ExpressibleByDictionaryLiteral {
    /// A mapping from destinations to source fields.
    public init(dictionaryLiteral fields: (String, String)...) {
        json = .object(JSONObject(fields.map { (JSONString($0.0), .text($0.1)) }))
    }
}

extension DataMapping: MemberValue {
    static func read(_ value: JSONValue, at path: String) throws(PDAError) -> DataMapping { DataMapping(json: value) }
    var written: JSONValue { json }
}
