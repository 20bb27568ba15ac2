import LosslessJSON

/// Errors in jq's words.
enum Failure {
    /// A value as error messages show it: at most 29 bytes, the last of which is its closing bracket or quote.
    static func shown(_ value: Value) -> String {
        let text = value.shortText(limit: 64)
        guard text.utf8.count > 29 else { return text }
        let closing: String =
            switch value.rank {
            case 4: "\""
            case 5: "]"
            case 6: "}"
            default: ""
            }
        var short = String.UnicodeScalarView()
        var count = closing.utf8.count + 3
        for scalar in text.unicodeScalars {
            count += UTF8.width(scalar)
            if count > 29 { break }
            short.append(scalar)
        }
        return String(short) + "..." + closing
    }

    /// The beginning of a text for a message.
    static func excerpt(_ text: String) -> String {
        guard text.utf8.count > 200 else { return text }
        var short = String.UnicodeScalarView()
        short.append(contentsOf: text.unicodeScalars.prefix(50))
        return String(short) + "..."
    }

    static func described(_ value: Value) -> String { "\(value.typeName) (\(shown(value)))" }

    static func notIterable(_ value: Value) -> JQError {
        var error = JQError(
            "Cannot iterate over \(described(value))",
            withoutValues: "Cannot iterate over \(value.typeName)"
        )
        error.isIterationOfNull = value.isNull
        return error
    }

    static func notANumber(_ name: String, _ value: Value) -> JQError { single(value, "number required") }

    static func index(_ target: Value, _ key: Value) -> JQError {
        var error = JQError(
            "Cannot index \(target.typeName) with \(described(key))",
            withoutValues: "Cannot index \(target.typeName) with \(key.rank == 4 ? "a " : "")\(key.typeName)"
        )
        if case .string(let name) = key { error.unquotedKey = name.text }
        return error
    }

    static func key(_ key: Value) -> JQError {
        JQError(
            "Cannot use \(described(key)) as object key",
            withoutValues: "Cannot use \(key.typeName) as object key"
        )
    }

    static func notAPath(_ value: Value) -> JQError {
        JQError("Invalid path expression with result \(shown(value))", withoutValues: "Invalid path expression")
    }

    static func nearAccess(_ value: Value, _ key: Value) -> JQError {
        JQError(
            "Invalid path expression near attempt to access element \(shown(key)) of \(shown(value))",
            withoutValues: "Invalid path expression"
        )
    }

    static func nearIteration(_ value: Value) -> JQError {
        JQError(
            "Invalid path expression near attempt to iterate through \(shown(value))",
            withoutValues: "Invalid path expression"
        )
    }

    static func pair(_ a: Value, _ b: Value, _ what: String) -> JQError {
        refused(a, b, "cannot be \(what)")
    }

    static func refused(_ a: Value, _ b: Value, _ what: String) -> JQError {
        JQError("\(described(a)) and \(described(b)) \(what)", withoutValues: "\(a.typeName) and \(b.typeName) \(what)")
    }

    static func single(_ value: Value, _ what: String) -> JQError {
        JQError("\(described(value)) \(what)", withoutValues: "\(value.typeName) \(what)")
    }

    /// Stands in for a value that the machine keeps until it is caught.
    static let raised = JQError("the program raised an error")

    /// The error that `error` raises.
    static func thrown(_ value: JSONValue) -> JQError {
        let message =
            switch value {
            case .string(let text): text.text
            case .null: "null (null) not a string"
            default: "\(value.compactText) (not a string)"
            }
        return JQError(.thrown(value), message: message, withoutValues: "the program raised an error")
    }
}
