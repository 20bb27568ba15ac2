internal import LosslessJSON

/// Maps a record's data to another shape.
enum DataMapper {
    /// A mapping's value is neither a path nor `{"source", "mappings"}`.
    struct Malformed: Error, Equatable {}

    /// Maps a record's data: unchanged if the mapping is not an object, `{}` if it is malformed.
    ///
    /// - Throws: `EvaluationFailure.refused` if a path has invalid characters.
    static func data(_ data: JSONValue, by mapping: JSONValue?) throws(EvaluationFailure) -> JSONValue {
        guard let mapping = mapping?.object else { return data }
        do {
            return try apply(mapping, to: data)
        } catch let failure as EvaluationFailure {
            throw failure
        } catch {
            return .object(JSONObject())
        }
    }

    /// Every destination that has a source; data that is missing is left out.
    static func apply(_ mapping: JSONObject, to data: JSONValue) throws -> JSONValue {
        var result = JSONObject()
        for (key, source) in mapping.members {
            if let path = source.stringText {
                if let value = try SourcePath(path).value(in: data) { insert(value, at: key.text, in: &result) }
            } else {
                guard let path = source["source"]?.stringText, let nested = source["mappings"]?.object else {
                    throw Malformed()
                }
                if let value = try apply(nested, to: data, from: path, isArray: key.text.hasSuffix("[]")) {
                    insert(value, at: key.text, in: &result)
                }
            }
        }
        return .object(result)
    }

    /// A sub-object, or every element of an array that can be mapped.
    private static func apply(_ mapping: JSONObject, to data: JSONValue, from path: String, isArray: Bool) throws
        -> JSONValue?
    {
        guard let value = try SourcePath(path).value(in: data) else { return nil }
        guard isArray, path.hasSuffix("[]") else { return try apply(mapping, to: value) }
        guard let elements = value.elements else { return nil }
        var mapped: [JSONValue] = []
        for element in elements {
            do {
                mapped.append(try apply(mapping, to: element))
            } catch is Malformed {
                continue
            }
        }
        return .array(mapped)
    }

    /// Dots in a destination nest; `[]` at its end only says that an array follows.
    private static func insert(_ value: JSONValue, at destination: String, in object: inout JSONObject) {
        let path = destination.hasSuffix("[]") ? destination.dropLast(2) : destination[...]
        insert(value, at: path.split(separator: ".", omittingEmptySubsequences: false)[...], in: &object)
    }

    private static func insert(_ value: JSONValue, at path: ArraySlice<Substring>, in object: inout JSONObject) {
        guard let first = path.first else { return }
        let key = JSONString(String(first))
        guard path.count > 1 else { return object[key] = value }
        var inner = object[key]?.object ?? JSONObject()
        insert(value, at: path.dropFirst(), in: &inner)
        object[key] = .object(inner)
    }
}

/// `education[0].type`: word characters, with an index for an array; `[]` at the end denotes the array itself.
struct SourcePath {
    private var nodes: [(name: JSONString, index: Int?)] = []

    init(_ text: String) throws(EvaluationFailure) {
        let path = text.hasSuffix("[]") ? text.dropLast(2) : text[...]
        for part in path.split(separator: ".", omittingEmptySubsequences: false) {
            let name = part.prefix { $0 != "[" }
            let isWord = name.utf8.allSatisfy { byte in
                switch byte {
                case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                    UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"):
                    true
                default: false
                }
            }
            guard isWord, !name.isEmpty else { throw .refused }
            let rest = part.dropFirst(name.count)
            var index: Int?
            if !rest.isEmpty {
                guard rest.count > 2, rest.hasSuffix("]"), let number = Int(rest.dropFirst().dropLast()), number >= 0
                else { throw .refused }
                index = number
            }
            nodes.append((JSONString(String(name)), index))
        }
    }

    func value(in data: JSONValue) -> JSONValue? {
        var value = data
        for node in nodes {
            guard let member = value.object?[node.name] else { return nil }
            value = member
            if let index = node.index {
                guard let elements = value.elements, elements.indices.contains(index) else { return nil }
                value = elements[index]
            }
        }
        return value
    }
}
