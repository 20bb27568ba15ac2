public import LosslessJSON

/// How a filter compares (S28). The kind is encoded as a member that is itself called `operator`.
public struct FilterOperator: PDAShape {
    /// The four kinds.
    public enum Kind: Sendable, Equatable {
        /// The field contains this: equal for texts, numbers and booleans, an array with this element, an object with these
        /// members. Any JSON, not only a boolean as the documentation has it.
        case contains(JSONValue)
        /// The field is contained in this, normally an array: it equals one of its elements.
        case `in`(JSONValue)
        /// The field is at least the one and at most the other; any JSON, in the order null, text, number, boolean,
        /// array, object.
        case between(lower: JSONValue, upper: JSONValue)
        /// Full-text search. It works only with the transformation `searchable`; otherwise servers silently ignore it, so sending
        /// that is refused.
        case find(JSONValue)
    }

    /// The kind, with its values.
    public var kind: Kind

    var original = JSONObject()

    /// An operator.
    public init(_ kind: Kind) { self.kind = kind }

    /// `{"operator": "contains", "value": VALUE}`
    public static func contains(_ value: JSONValue) -> FilterOperator { FilterOperator(.contains(value)) }
    /// `{"operator": "in", "value": [VALUES]}`
    public static func `in`(_ values: [JSONValue]) -> FilterOperator { FilterOperator(.in(.array(values))) }
    /// `{"operator": "between", "lower": VALUE, "upper": VALUE}`
    public static func between(_ lower: JSONValue, _ upper: JSONValue) -> FilterOperator {
        FilterOperator(.between(lower: lower, upper: upper))
    }
    /// `{"operator": "find", "search": TEXT}`; use it with `FilterTransformation.searchable`.
    public static func find(_ text: String) -> FilterOperator { FilterOperator(.find(.text(text))) }
}

extension FilterOperator: ObjectShape {
    init(_ members: MemberReader) throws(PDAError) {
        let name: String = try members.required("operator")
        switch name {
        case "contains": kind = .contains(try members.required("value"))
        case "in": kind = .in(try members.required("value"))
        case "between":
            kind = .between(lower: try members.required("lower"), upper: try members.required("upper"))
        case "find": kind = .find(try members.required("search"))
        default:
            throw .undecodable(
                members.place("operator"),
                "is the unknown operator '\(name.prefix(40))'",
                advice: "use contains, in, between or find"
            )
        }
        original = members.object
    }

    func write(to members: inout MemberWriter) {
        let (name, values): (String, [String: JSONValue]) =
            switch kind {
            case .contains(let value): ("contains", ["value": value])
            case .in(let values): ("in", ["value": values])
            case .between(let lower, let upper): ("between", ["lower": lower, "upper": upper])
            case .find(let search): ("find", ["search": search])
            }
        members.set("operator", name)
        for key in ["value", "lower", "upper", "search"] { members.set(key, values[key]) }
    }
}
