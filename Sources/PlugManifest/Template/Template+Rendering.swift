import JQ
package import LosslessJSON
package import PlugCore

extension Template {
    /// The value for these roots: a whole template keeps its JSON type, as does a plain number or boolean; anything else is a
    /// string.
    ///
    /// - Throws: `PlugError` `template-undefined` if a program returns nothing or `null` and has no default, `template-many` if
    ///   it returns several values, `template-failed` if it fails.
    package func render(_ roots: TemplateRoots) throws(PlugError) -> JSONValue {
        if let constant { return constant }
        if isWhole, let expression = expressions.first { return try value(of: expression, roots) }
        return .text(try renderText(roots))
    }

    /// The value of a whole template; `nil` if its program explicitly returns nothing, as in `empty` or `// empty`.
    ///
    /// - Throws: As `render`.
    func renderIfAny(_ roots: TemplateRoots) throws(PlugError) -> JSONValue? {
        guard isWhole, let expression = expressions.first else { return try render(roots) }
        return try valueIfAny(of: expression, roots)
    }

    /// The text for these roots; objects and arrays appear as compact JSON, a `null` from a default as nothing.
    ///
    /// - Parameter encode: Applied to the output of each program (which is passed along) and to nothing else, such as the
    ///   percent-encoding of a path segment.
    /// - Throws: As `render`.
    package func renderText(
        _ roots: TemplateRoots,
        encode: (String, Expression) -> String = { text, _ in text }
    ) throws(PlugError) -> String {
        var text = ""
        for part in parts {
            switch part {
            case .text(let piece): text += piece
            case .program(let expression): text += encode(Self.text(of: try value(of: expression, roots)), expression)
            }
        }
        return text
    }

    /// A value as it appears inside a text.
    static func text(of value: JSONValue) -> String {
        switch value {
        case .null: ""
        case .string(let string): string.text
        default: value.compactText
        }
    }

    private func value(of expression: Expression, _ roots: TemplateRoots) throws(PlugError) -> JSONValue {
        try valueIfAny(of: expression, roots) ?? .null
    }

    private func valueIfAny(of expression: Expression, _ roots: TemplateRoots) throws(PlugError) -> JSONValue? {
        let outputs: [JSONValue]
        do {
            outputs = try expression.program.run(.null, globals: globals.map { roots.value(of: $0) })
        } catch {
            if let interruption = error.interruption { throw interruption }
            // An engine's message quotes values, and those from `config` may be secret.
            let used = expression.program.usedGlobals
            let reason = used.contains("config") || used.contains("vars") ? "" : ": \(error.withoutValues)"
            throw failure(.templateFailed, expression, "fails\(reason)", advice: "check the values that it uses")
        }
        if outputs.count > 1 {
            let advice = "wrap it in [ ] or take the first value with first( )"
            throw failure(
                .templateMany,
                expression,
                "gives \(outputs.count) values instead of one",
                advice: advice
            )
        }
        if let value = outputs.first, !value.isNull || expression.hasDefault {
            roots.observer?(value, expression)
            return value
        }
        if expression.hasDefault { return nil }
        let used = expression.program.usedGlobals
        let answer =
            if used.contains("config") {
                "set it with --config KEY=VALUE"
            } else if used.contains("grant") {
                "compare 'keep' of 'auth.oauth2' with the answer that has the token, and connect again"
            } else {
                "set what it refers to"
            }
        let advice = "\(answer), or give it a default, as in {{ \(expression.source) // \"…\" }}"
        throw failure(.templateUndefined, expression, "has no value", advice: advice)
    }

    private func failure(
        _ code: PlugError.Code.Open,
        _ expression: Expression,
        _ what: String,
        advice: String
    ) -> PlugError {
        let isSetting = expression.program.usedGlobals.isDisjoint(with: ["parent", "page", "since", "until"])
        let place = "line \(expression.location.line), column \(expression.location.column)"
        return PlugError(
            code,
            exit: isSetting ? .configuration : .data,
            "{{ \(expression.source) }} (\(place) of the manifest) \(what)",
            advice: advice
        )
    }
}
