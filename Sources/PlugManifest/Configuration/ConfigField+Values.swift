package import LosslessJSON

extension ConfigField {
    /// The largest number of elements in a list.
    package static let listLimit = 100_000

    /// Reads a person's input as a value of this field: `1.10` is a text for `string` and a number for `number`.
    ///
    /// For a list, a JSON array is taken as its elements, and any other text as its only one.
    ///
    /// - Returns: `nil` if the text does not have the type, or is not in `enum`.
    package func value(of text: String) -> JSONValue? {
        guard let value = type.value(of: text), allows(value) else { return nil }
        return value
    }

    /// Reads a person's inputs from several places as a value of this field: a list of all of them, or the last.
    ///
    /// - Returns: `nil` as for a single text.
    package func value(of texts: [String]) -> JSONValue? {
        guard type == .list else { return texts.last.flatMap { value(of: $0) } }
        var elements: [JSONValue] = []
        for text in texts {
            guard let some = type.value(of: text)?.elements else { return nil }
            elements += some
        }
        return elements.count <= Self.listLimit && allows(.array(elements)) ? .array(elements) : nil
    }

    /// Whether `enum` has a value, or for a list every element.
    func allows(_ value: JSONValue) -> Bool {
        choices.isEmpty || (value.elements ?? [value]).allSatisfy(choices.contains)
    }

    /// Whether a value that was read before is still valid for this field.
    package func accepts(_ value: JSONValue) -> Bool {
        let isOfType =
            switch (type, value) {
            case (.string, .string), (.number, .number), (.boolean, .bool): true
            case (.integer, .number(let number)): number.int64 != nil
            case (.date, .string), (.host, .string), (.file, .string):
                value.stringText.map { type.value(of: $0) != nil } ?? false
            case (.list, .array(let elements)): elements.allSatisfy { $0.stringText != nil }
            default: false
            }
        return isOfType && allows(value)
    }

    /// The expected value, for messages: `a whole number`, `one of 'a', 'b'`.
    package var expectation: String {
        if choices.isEmpty { return type.expectation }
        let words = MessageText.list(choices.map(Template.text), conjunction: type == .list ? "or" : "and")
        return type == .list ? "a list of \(words)" : "one of \(words)"
    }
}

extension ConfigField.Kind {
    /// Reads a text as a value of this type; a number keeps its digits.
    func value(of text: String) -> JSONValue? {
        let scalar = YAMLScalar(text: text, style: .plain, start: .init(line: 0, column: 0), isPlain: true)
        switch self {
        case .string: return .text(text)
        case .integer: return scalar.number.flatMap { $0.int64 == nil ? nil : .number($0) }
        case .number: return scalar.number.map { .number($0) }
        case .boolean: return scalar.bool.map { .bool($0) }
        case .date: return ManifestBuilder.isDate(text) ? .text(text) : nil
        case .host:
            guard case .exact = HostPattern.parse(text) else { return nil }
            return .text(text)
        case .list: return Self.list(text)
        case .file: return text.isEmpty || text.utf8.contains(0) || text.utf8.count > 4096 ? nil : .text(text)
        }
    }

    /// The elements as texts.
    private static func list(_ text: String) -> JSONValue? {
        guard text.utf8.first(where: { $0 != 0x20 }) == UInt8(ascii: "[") else { return .array([.text(text)]) }
        guard let elements = (try? JSONValue(parsing: text))?.elements, elements.count <= ConfigField.listLimit else {
            return nil
        }
        var texts: [JSONValue] = []
        for element in elements {
            switch element {
            case .string: texts.append(element)
            case .number, .bool: texts.append(.text(element.compactText))
            case .null, .array, .object: return nil
            }
        }
        return .array(texts)
    }

    /// The expected type, for messages.
    var expectation: String {
        switch self {
        case .string: "a text"
        case .integer: "a whole number"
        case .number: "a number"
        case .boolean: "true or false"
        case .date: "a date such as \"2026-11-21\""
        case .host: "a host such as api.example.org"
        case .file: "the path of a file"
        case .list: "a list of texts, at most \(ConfigField.listLimit)"
        }
    }
}
