package import LosslessJSON

/// A program's output, as the engine holds it: most outputs are written once and need no tree.
package struct JQOutput: Sendable {
    private var value: Value

    init(_ value: Value, _ meter: Meter) throws(JQError) {
        try value.weigh(meter, depth: meter.limits.depth)
        // Outside the engine a NaN is `null`.
        if case .double(let double) = value, double.isNaN { self.value = .null } else { self.value = value }
    }

    /// The memory that this output holds.
    var census: Census {
        var census = Census()
        add(to: &census)
        return census
    }

    func add(to census: inout Census) {
        census.add(value)
        census.bytes += 64
    }

    /// The output of `.`.
    package init(_ input: JQInput) { value = input.value }

    /// The output as a tree. Not for one that a raised `JQLimits.depth` allowed to be deeper than the default.
    package var json: JSONValue { value.exported }
    /// Whether it is `null`.
    package var isNull: Bool { value.isNull }
    /// Truthy in jq: everything but `null` and `false`.
    package var isTruthy: Bool { value.isTruthy }
    /// The text of a string, `nil` for anything else.
    package var text: String? { value.asText }
    /// Whether it is an object.
    package var isObject: Bool { value.rank == 6 }
    /// `null`, `boolean`, `number`, `string`, `array` or `object`, as jq names them.
    package var typeName: String { value.typeName }

    /// The member of an object, `nil` if there is none or this is not an object; `nil` cannot be set.
    package subscript(key: JSONString) -> JSONValue? {
        get { value.openedObject?[key]?.exported }
        set {
            guard let newValue, var object = value.openedObject else { return }
            value = .null
            object.put(key, Value(newValue))
            value = .object(object)
        }
    }

    /// The array or object in its document, `nil` for anything else and for values that the program made.
    package var view: JSONView? {
        guard case .view(let view) = value, view.kind == .array || view.kind == .object else { return nil }
        return view
    }

    /// The elements of an array, `nil` for anything else.
    package var elements: [JQOutput]? {
        switch value {
        case .array(let array): array.elements.map { JQOutput(weighed: $0) }
        case .json(.array(let elements)): elements.map { JQOutput(weighed: Value($0)) }
        case .deep(let deep): JQOutput(weighed: deep.value).elements
        case .view(let view) where view.kind == .array:
            view.document.withCursor { cursor in
                view.nodes(cursor).map { JQOutput(weighed: Value(cursor, $0, in: view.document)) }
            }
        default: nil
        }
    }

    private init(weighed value: Value) { self.value = value }

    /// Appends the value without white space, members in their order.
    package func append(to bytes: inout [UInt8]) { _ = value.write(to: &bytes, limit: .max) }

    /// Appends the canonical form.
    package func append(to writer: inout CanonicalJSON) { value.writeCanonical(to: &writer) }

    /// Appends the canonical form of an object with one more member.
    ///
    /// - Parameters:
    ///   - key: The new member's key.
    ///   - text: The new member's value, a string's decoded UTF-8.
    /// - Returns: `false`, with nothing written, if the object has a member of that name, or this is not an object.
    package func append(to writer: inout CanonicalJSON, inserting key: JSONString, text: [UInt8]) -> Bool {
        if case .view(let view) = value, view.kind == .object, !view.holdsNUL {
            return view.document.withCursor { cursor in
                text.withUnsafeBufferPointer { text in
                    writer.append(cursor, object: view.node, inserting: Array(key.text.utf8), text: text)
                }
            }
        }
        guard let object = value.openedObject, object[key] == nil else { return false }
        object.writeCanonical(to: &writer, inserting: (key, text))
        return true
    }
}
