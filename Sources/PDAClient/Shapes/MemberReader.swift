internal import LosslessJSON

/// Reads an object's members; errors name the member's path.
struct MemberReader {
    let object: JSONObject
    let path: String

    init(_ value: JSONValue, at path: String) throws(PDAError) {
        guard let object = value.object else {
            throw .undecodable(path, "should be an object, not \(value.article)")
        }
        self.object = object
        self.path = path
    }

    func place(_ key: String) -> String { path.isEmpty ? key : "\(path).\(key)" }

    /// A member's JSON; `null` counts as none.
    func value(_ key: String) -> JSONValue? {
        guard let value = object[JSONString(key)], !value.isNull else { return nil }
        return value
    }

    func required<Value: MemberValue>(_ key: String) throws(PDAError) -> Value {
        guard let value = object[JSONString(key)] else { throw .undecodable(place(key), "is missing") }
        return try Value.read(value, at: place(key))
    }

    func optional<Value: MemberValue>(_ key: String) throws(PDAError) -> Value? {
        guard let value = value(key) else { return nil }
        return try Value.read(value, at: place(key))
    }
}

/// Writes an object's members: known ones in their old places, new ones at the end, unknown ones unchanged.
struct MemberWriter {
    private(set) var object: JSONObject
    private(set) var keys: Set<JSONString> = []

    init(_ original: JSONObject) { object = original }

    mutating func set(_ key: String, _ value: (any MemberValue)?) {
        let key = JSONString(key)
        keys.insert(key)
        let old = object[key]
        guard let new = value?.written else {
            // A PDA expresses "none" as null in some places and by leaving the member out in others.
            if old?.isNull != true { object[key] = nil }
            return
        }
        // Equal numbers may be written differently; the original text stays.
        if old != new { object[key] = new }
    }
}

extension JSONValue {
    /// `a string`, `an object`, `null`.
    var article: String {
        switch self {
        case .null: "null"
        case .array, .object: "an \(typeName)"
        default: "a \(typeName)"
        }
    }
}
