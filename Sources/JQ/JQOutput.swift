public import LosslessJSON

/// What a program gave, as the engine holds it: most outputs are written once and need no tree.
public struct JQOutput: Sendable {
    private var value: Value

    init(_ value: Value, _ meter: Meter) throws(JQError) {
        try value.weigh(meter)
        // Outside the engine a NaN is `null`.
        if case .double(let double) = value, double.isNaN { self.value = .null } else { self.value = value }
    }

    /// What `.` gives.
    public init(_ input: JQInput) { value = input.value }

    /// The output as a tree.
    public var json: JSONValue { value.exported }
    /// Whether it is `null`.
    public var isNull: Bool { value.isNull }
    /// jq's truth: everything but `null` and `false`.
    public var isTruthy: Bool { value.isTruthy }
    /// Whether it is an object.
    public var isObject: Bool { value.rank == 6 }
    /// `null`, `boolean`, `number`, `string`, `array` or `object`, as jq names them.
    public var typeName: String { value.typeName }

    /// The member of an object, `nil` where there is none or this is no object; `nil` cannot be set.
    public subscript(key: JSONString) -> JSONValue? {
        get { value.asObject?[key]?.exported }
        set {
            guard let newValue, var object = value.asObject else { return }
            value = .null
            object.put(key, Value(newValue))
            value = .object(object)
        }
    }

    /// Appends the canonical form.
    public func append(to writer: inout CanonicalJSON) { value.writeCanonical(to: &writer) }

    /// Appends the canonical form of an object with one more member.
    ///
    /// - Parameters:
    ///   - key: The new member's key.
    ///   - text: The new member's value, a string's decoded UTF-8.
    /// - Returns: `false`, with nothing written, where the object has a member of that name, or this is no object.
    public func append(to writer: inout CanonicalJSON, inserting key: JSONString, text: [UInt8]) -> Bool {
        if case .view(let view) = value, view.kind == .object, !view.holdsNUL {
            return view.document.withCursor { cursor in
                text.withUnsafeBufferPointer { text in
                    writer.append(cursor, object: view.node, inserting: Array(key.text.utf8), text: text)
                }
            }
        }
        guard let object = value.asObject, object[key] == nil else { return false }
        object.writeCanonical(to: &writer, inserting: (key, text))
        return true
    }
}
