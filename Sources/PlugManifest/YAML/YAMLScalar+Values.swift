package import LosslessJSON

extension YAMLScalar {
    /// Whether this is an empty value or `null`.
    package var isNull: Bool { isPlain && ["", "~", "null", "Null", "NULL"].contains(text) }

    /// The truth value, if this is one by the core schema. `yes`, `no`, `on` and `off` are texts.
    var bool: Bool? {
        guard isPlain else { return nil }
        return switch text {
        case "true", "True", "TRUE": true
        case "false", "False", "FALSE": false
        default: nil
        }
    }

    /// The number with its digits as written, if this is one by the core schema.
    ///
    /// Texts that YAML reads as numbers but that are not valid in JSON (`0x1F`, `0o17`, `+1`, `01`, `.5`) are converted to JSON's
    /// form; `.inf` and `.nan` have none and stay texts.
    package var number: JSONNumber? {
        guard isPlain, let first = text.utf8.first, first < 0x3A else { return nil }
        if let number = JSONNumber(text) { return number }
        if text.hasPrefix("0x"), let value = Int64(text.dropFirst(2), radix: 16) { return JSONNumber(value) }
        if text.hasPrefix("0o"), let value = Int64(text.dropFirst(2), radix: 8) { return JSONNumber(value) }
        return JSONNumber(Self.normalised(text))
    }

    /// `+01.5e3` → `1.5e3`, `.5` → `0.5`, `5.` → `5`; what is not a number is never turned into one.
    private static func normalised(_ text: String) -> String {
        var rest = Substring(text)
        var sign = ""
        if let first = rest.first, first == "+" || first == "-" {
            sign = first == "-" ? "-" : ""
            rest = rest.dropFirst()
        }
        let digits = rest.prefix { ("0"..."9").contains($0) }
        rest = rest.dropFirst(digits.count)
        if digits.isEmpty, !(rest.dropFirst().first.map { ("0"..."9").contains($0) } ?? false) { return text }
        let whole = digits.drop { $0 == "0" }
        if rest.first == ".", !(rest.dropFirst().first.map { ("0"..."9").contains($0) } ?? false) {
            rest = rest.dropFirst()
        }
        return sign + (whole.isEmpty ? "0" : String(whole)) + rest
    }

    /// The value by the core schema.
    var jsonValue: JSONValue {
        if isNull { return .null }
        if let bool { return .bool(bool) }
        if let number { return .number(number) }
        return .text(text)
    }

    /// What a person would call it.
    var kindName: String {
        if isNull { return "nothing" }
        if bool != nil { return "a boolean" }
        return number == nil ? "a text" : "a number"
    }
}

extension YAMLNode {
    /// The tree as JSON by the core schema.
    package var jsonValue: JSONValue {
        switch content {
        case .scalar(let scalar): scalar.jsonValue
        case .sequence(let nodes): .array(nodes.map(\.jsonValue))
        case .mapping(let entries): .object(JSONObject(entries.map { (JSONString($0.key), $0.value.jsonValue) }))
        }
    }
}
