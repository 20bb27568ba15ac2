/// An owned JSON value that keeps every digit. Views into a page (`JSONView`) are the fast form; this one is standalone.
public indirect enum JSONValue: Sendable {
    /// `null`
    case null
    /// `true` or `false`
    case bool(Bool)
    /// A number with its text as written.
    case number(JSONNumber)
    /// A string.
    case string(JSONString)
    /// An array.
    case array([JSONValue])
    /// An object in insertion order.
    case object(JSONObject)

    /// A string of this text.
    public static func text(_ text: String) -> JSONValue { .string(JSONString(text)) }
    /// An integer.
    public static func integer(_ value: Int) -> JSONValue { .number(JSONNumber(Int64(value))) }

    /// The text of a string, otherwise `nil`.
    public var stringText: String? { if case .string(let string) = self { string.text } else { nil } }
    /// The elements of an array, otherwise `nil`.
    public var elements: [JSONValue]? { if case .array(let elements) = self { elements } else { nil } }
    /// The object, otherwise `nil`.
    public var object: JSONObject? { if case .object(let object) = self { object } else { nil } }
    /// The number, otherwise `nil`.
    public var number: JSONNumber? { if case .number(let number) = self { number } else { nil } }
    /// The truth value of a boolean, otherwise `nil`.
    public var bool: Bool? { if case .bool(let bool) = self { bool } else { nil } }
    /// Whether this is `null`.
    public var isNull: Bool { if case .null = self { true } else { false } }
    /// The member of an object, `nil` if there is none or this is not an object.
    public subscript(key: String) -> JSONValue? { object?[JSONString(key)] }

    /// `null`, `boolean`, `number`, `string`, `array` or `object`, as jq names them.
    public var typeName: String {
        switch self {
        case .null: "null"
        case .bool: "boolean"
        case .number: "number"
        case .string: "string"
        case .array: "array"
        case .object: "object"
        }
    }
}
