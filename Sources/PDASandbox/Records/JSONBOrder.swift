internal import LosslessJSON

/// PostgreSQL's order of `jsonb` values: objects, arrays, booleans, numbers, strings, null, from greatest to least.
enum JSONBOrder {
    /// The value at a path; a number indexes an array, a negative one from its end.
    static func value(in root: JSONValue, at path: [String]) -> JSONValue? {
        var value = root
        for part in path {
            switch value {
            case .object(let object):
                guard let member = object[JSONString(part)] else { return nil }
                value = member
            case .array(let elements):
                guard let number = Int(part) else { return nil }
                let index = number < 0 ? elements.count + number : number
                guard elements.indices.contains(index) else { return nil }
                value = elements[index]
            default: return nil
            }
        }
        return value
    }

    /// A number below, at or above zero.
    static func compare(_ left: JSONValue, _ right: JSONValue) -> Int {
        switch (left, right) {
        case (.bool(let a), .bool(let b)): return (a ? 1 : 0) - (b ? 1 : 0)
        case (.number(let a), .number(let b)): return a < b ? -1 : b < a ? 1 : 0
        case (.string(let a), .string(let b)): return a < b ? -1 : b < a ? 1 : 0
        case (.array(let a), .array(let b)):
            if a.count != b.count { return a.count - b.count }
            return zip(a, b).lazy.map { compare($0, $1) }.first { $0 != 0 } ?? 0
        case (.object(let a), .object(let b)):
            if a.count != b.count { return a.count - b.count }
            // Stored objects are already in jsonb's key order.
            for (one, other) in zip(a.members, b.members) {
                if one.key != other.key { return one.key < other.key ? -1 : 1 }
                let order = compare(one.value, other.value)
                if order != 0 { return order }
            }
            return 0
        default: return rank(left) - rank(right)
        }
    }

    private static func rank(_ value: JSONValue) -> Int {
        switch value {
        case .null: 0
        case .string: 1
        case .number: 2
        case .bool: 3
        case .array: 4
        case .object: 5
        }
    }
}

/// The value filter that any unknown query key of a GET becomes: applied after paging, strings only.
struct RecordFilter: Sendable {
    var key: String
    var values: [String]
    /// The reference server fails with 500 if a value has the wrong type.
    struct WrongType: Error {}

    func matches(_ data: JSONValue) throws(WrongType) -> Bool {
        guard key.contains(".") else { return try found(in: data) }
        let path = key.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
        guard let value = JSONBOrder.value(in: data, at: path) else { return false }
        guard let text = value.stringText else { throw WrongType() }
        return values.contains(text)
    }

    /// Searches for the key at any depth.
    private func found(in value: JSONValue) throws(WrongType) -> Bool {
        switch value {
        case .object(let object):
            for member in object.members {
                if member.key.text == key, try fits(member.value) { return true }
                if try found(in: member.value) { return true }
            }
            return false
        case .array(let elements):
            for element in elements where try found(in: element) { return true }
            return false
        default: return false
        }
    }

    private func fits(_ value: JSONValue) throws(WrongType) -> Bool {
        if let text = value.stringText { return values.contains(text) }
        guard let elements = value.elements else { return false }
        // The reference server reads the whole list before it searches.
        let texts = elements.compactMap(\.stringText)
        guard texts.count == elements.count else { throw WrongType() }
        return texts.contains(where: values.contains)
    }
}
