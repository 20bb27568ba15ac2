internal import LosslessJSON

/// Why a query could not be evaluated.
enum EvaluationFailure: Error, Equatable {
    /// A field's text is not what a transformation can read.
    case cast
    /// What PostgreSQL, or the server in front of it, would have refused.
    case refused
}

/// A condition on one field of the raw data.
struct FieldFilter: Sendable {
    enum Operator: Sendable {
        case contains(JSONValue)
        case `in`(JSONValue)
        case between(JSONValue, JSONValue)
        case find(JSONValue)
    }

    enum Transformation: Sendable, Equatable {
        case identity
        case datetimeExtract(String)
        case timestampExtract(String)
        case searchable
    }

    /// A tag that is missing or not a text is an exception in the reference server's parser, which is not mapped.
    struct TagMissing: Error {}

    var field: String
    var transformation: Transformation?
    var `operator`: Operator

    init(_ field: String, _ operator: Operator, _ transformation: Transformation? = nil) {
        (self.field, self.operator, self.transformation) = (field, `operator`, transformation)
    }

    init(_ reader: ShapeReader) throws {
        field = try reader.member("field").text()
        transformation = try reader.optional("transformation").map { try Transformation($0) }
        `operator` = try Operator(reader.member("operator"))
    }

    var json: JSONValue {
        var members: [JSONObject.Member] = [("field", .text(field))]
        if let transformation { members.append(("transformation", transformation.json)) }
        members.append(("operator", `operator`.json))
        return .object(JSONObject(members))
    }

    /// Whether a record's data meets it. A missing field never does.
    func matches(_ data: JSONValue) throws(EvaluationFailure) -> Bool {
        switch (`operator`, transformation) {
        // The reference server omits both of these pairs from its query: they filter nothing.
        case (.find, let other) where other != .searchable: return true
        case (.contains, .searchable), (.in, .searchable), (.between, .searchable): return true
        default: break
        }
        let path = field.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
        guard let value = JSONBOrder.value(in: data, at: path) else { return false }
        switch transformation {
        case nil, .identity: return compare(value)
        case .datetimeExtract(let part): return try DatePart(part).ofText(value).map(compare) ?? false
        case .timestampExtract(let part): return try DatePart(part).ofSeconds(value).map(compare) ?? false
        case .searchable:
            guard case .find(let search) = `operator` else { return true }
            return TextSearch.matches(value, search)
        }
    }

    private func compare(_ value: JSONValue) -> Bool {
        switch `operator` {
        case .contains(let part): JSONBContainment.contains(value, part)
        case .in(let whole): JSONBContainment.contains(whole, value)
        case .between(let lower, let upper):
            JSONBOrder.compare(lower, value) <= 0 && JSONBOrder.compare(value, upper) <= 0
        case .find: true
        }
    }
}

extension FieldFilter.Operator {
    init(_ reader: ShapeReader) throws {
        guard let tag = reader.value["operator"]?.stringText else { throw FieldFilter.TagMissing() }
        switch tag {
        case "contains": self = .contains(try reader.member("value").value)
        case "in": self = .in(try reader.member("value").value)
        case "between": self = .between(try reader.member("lower").value, try reader.member("upper").value)
        case "find": self = .find(try reader.member("search").value)
        default: throw ShapeRefusal(path: "\(reader.path).operator", code: "Unexpected operator type")
        }
    }

    var json: JSONValue {
        switch self {
        case .contains(let value): .object(["operator": .text("contains"), "value": value])
        case .in(let value): .object(["operator": .text("in"), "value": value])
        case .between(let lower, let upper):
            .object(["operator": .text("between"), "lower": lower, "upper": upper])
        case .find(let search): .object(["operator": .text("find"), "search": search])
        }
    }
}

extension FieldFilter.Transformation {
    init(_ reader: ShapeReader) throws {
        guard let tag = reader.value["transformation"]?.stringText else { throw FieldFilter.TagMissing() }
        switch tag {
        case "identity": self = .identity
        case "searchable": self = .searchable
        case "datetimeExtract": self = .datetimeExtract(try reader.member("part").text())
        case "timestampExtract": self = .timestampExtract(try reader.member("part").text())
        default: throw ShapeRefusal(path: "\(reader.path).transformation", code: "Unexpected transformation type")
        }
    }

    var json: JSONValue {
        switch self {
        case .identity: .object(["transformation": .text("identity")])
        case .searchable: .object(["transformation": .text("searchable")])
        case .datetimeExtract(let part):
            .object(["transformation": .text("datetimeExtract"), "part": .text(part)])
        case .timestampExtract(let part):
            .object(["transformation": .text("timestampExtract"), "part": .text(part)])
        }
    }
}
