package import LosslessJSON

extension ConfigField {
    /// Reads what somebody wrote as a value of this field: `1.10` is a text for `string` and a number for `number`.
    ///
    /// - Returns: `nil` if the text is none of the type, or none of `enum`.
    package func value(of text: String) -> JSONValue? {
        guard let value = type.value(of: text) else { return nil }
        return choices.isEmpty || choices.contains(value) ? value : nil
    }

    /// What a value looks like, for messages: `a whole number`, `one of 'a', 'b'`.
    package var expectation: String {
        choices.isEmpty ? type.expectation : "one of \(MessageText.list(choices.map(Template.text)))"
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
        }
    }

    /// What it may hold, for messages.
    var expectation: String {
        switch self {
        case .string: "a text"
        case .integer: "a whole number"
        case .number: "a number"
        case .boolean: "true or false"
        case .date: "a date such as \"2026-11-21\""
        case .host: "a host such as api.example.org"
        }
    }
}
