import PlugManifest

/// A text containing expressions, as a template or as a program.
struct JinjaTemplate {
    /// How a value that is not a text is written into a request.
    enum Use {
        /// As Airbyte's client writes it: `True`, not `true`.
        case wire
        /// With its type: a JSON body, or a time that a stream begins at.
        case typed
    }

    private(set) var pieces: [JinjaPiece]
    /// Whether it was in quotes: then it is a text, whatever its expressions return.
    private let isQuoted: Bool
    private let translator: JinjaTranslator

    /// The settings that its expressions may use.
    var config: ConfigKeys { translator.scope.config }

    init(_ text: String, _ scope: JinjaScope) throws(Unsayable) {
        var scope = scope
        var rest: [JinjaPiece] = []
        for piece in try JinjaText.pieces(of: text) {
            // A name's value replaces the name where it is used.
            if case .set(let name, let value) = piece {
                scope.locals[name] = value.replacing(scope.locals)
            } else {
                rest.append(piece)
            }
        }
        pieces = Self.unquoted(rest)
        // Without expressions it is a text anyway.
        isQuoted = pieces != Self.withoutLineEnd(rest)
        translator = JinjaTranslator(scope)
    }

    /// The text as Airbyte sends it: without a trailing line break, and without quotes around the whole, which make it a text.
    private static func unquoted(_ pieces: [JinjaPiece]) -> [JinjaPiece] {
        var pieces = withoutLineEnd(pieces)
        guard case .text(let first)? = pieces.first, case .text(let last)? = pieces.last, let quote = first.first,
            quote == "'" || quote == "\"", last.last == quote, pieces.count > 1 || first.count > 1
        else { return pieces }
        let quotes = pieces.reduce(0) { count, piece in
            if case .text(let text) = piece {
                count + text.count { $0 == quote || $0 == "\\" || $0.isNewline }
            } else {
                count
            }
        }
        guard quotes == 2 else { return pieces }
        pieces[0] = .text(String(first.dropFirst()))
        if case .text(let last) = pieces[pieces.count - 1] { pieces[pieces.count - 1] = .text(String(last.dropLast())) }
        return pieces.filter { if case .text("") = $0 { pieces.count == 1 } else { true } }
    }

    private static func withoutLineEnd(_ pieces: [JinjaPiece]) -> [JinjaPiece] {
        guard case .text(let last)? = pieces.last, last.hasSuffix("\n") else { return pieces }
        return pieces.dropLast() + [.text(String(last.dropLast()))]
    }

    /// The template with its first piece replaced.
    func replacingFirst(with piece: JinjaPiece) -> JinjaTemplate {
        var template = self
        template.pieces[0] = piece
        return template
    }

    /// The single expression, if there is nothing else but white space.
    var only: JinjaExpression? { isQuoted ? nil : soleOutput }

    /// The same, with or without quotes around it.
    private var soleOutput: JinjaExpression? {
        let outputs = pieces.filter { if case .text(let text) = $0 { !text.allSatisfy(\.isWhitespace) } else { true } }
        guard outputs.count == 1, case .output(let expression) = outputs[0] else { return nil }
        return expression
    }

    /// Whether it always returns nothing.
    var isNothing: Bool {
        get throws(Unsayable) {
            if let constant { return constant.isEmpty }
            guard let only else { return false }
            let value = try translator.value(only)
            return value.kind == .null || value.constant == ""
        }
    }

    /// Whether it may return nothing, or an empty text.
    var mayBeNothing: Bool { get throws(Unsayable) { try mayBeNothing(pieces) } }

    private func mayBeNothing(_ pieces: [JinjaPiece]) throws(Unsayable) -> Bool {
        if isQuoted { return false }
        for piece in pieces {
            switch piece {
            case .text(let text): if !text.isEmpty { return false }
            case .output(let expression): if try !translator.mayBeNothing(expression) { return false }
            case .set: break
            case .branches(let branches, let otherwise):
                var isAny = try mayBeNothing(otherwise)
                for branch in branches where !isAny { isAny = try mayBeNothing(branch.pieces) }
                if !isAny { return false }
            }
        }
        return true
    }

    /// The text outside its expressions.
    var fixedText: String {
        pieces.reduce(into: "") { text, piece in if case .text(let part) = piece { text += part } }
    }

    /// The text, if there are no expressions.
    var constant: String? {
        var text = ""
        for piece in pieces {
            guard case .text(let part) = piece else { return nil }
            text += part
        }
        return text
    }

    /// The text that an expression returns whatever the settings are, `nil` if it depends on something: the name of a parameter, for
    /// instance, given with a default.
    func constant(of expression: JinjaExpression) throws(Unsayable) -> String? {
        if case .binary("or", let wish, let otherwise) = expression {
            let value = try translator.value(wish)
            if value.kind == .null || value.constant == "" { return try constant(of: otherwise) }
            return value.constant
        }
        return try translator.value(expression).constant
    }

    /// The text with `{{ … }}` in it, as in templates of a manifest.
    ///
    /// - Parameter optional: Whether a missing value omits the whole, and an unset setting is empty.
    func template(_ use: Use, optional: Bool = false) throws(Unsayable) -> String {
        if let constant { return constant.replacing("{{", with: "{{ \"{{\" }}") }
        if let sole = soleOutput {
            var value = try translator.value(sole)
            // Written as JSON and parsed again, a list is unchanged.
            if case .filter(let base, "tojson", _) = sole, let list = try? translator.value(base),
                [.list, .mapping].contains(list.kind)
            {
                value = list
            }
            if isQuoted, use == .typed { value = JQText(text: value.asText, kind: .text) }
            if let constant = value.constant { return constant.replacing("{{", with: "{{ \"{{\" }}") }
            // An empty text omits a parameter, just as nothing does.
            let mayBeEmpty = sole.mayBeEmptyText || value.text.contains("\"\"")
            if optional, mayBeEmpty, value.kind == .text || value.kind == .unknown {
                return "{{ \(value.atom) | if . == \"\" then null else . end }}"
            }
            return "{{ \(Self.written(value, use, optional)) }}"
        }
        // Nothing at all omits a parameter, as an empty text does.
        if optional, use == .wire, try mayBeNothing {
            return "{{ \(try program().atom) | if . == \"\" then null else . end }}"
        }
        var text = ""
        for piece in pieces {
            switch piece {
            case .text(let part): text += part
            case .output(let expression):
                let value = try translator.value(expression)
                // A constant becomes part of the text.
                if let constant = value.constant {
                    text += constant
                } else if optional, translator.isOpen(expression) {
                    // Within a text, an unset setting is empty.
                    text += "{{ \(value.kind == .bool ? value.asText : "\(value.text) // \"\"") }}"
                } else {
                    text += "{{ \(Self.written(value, use == .typed ? .wire : use, false)) }}"
                }
            case .set: break
            case .branches: text += "{{ \(try string([piece])) }}"
            }
        }
        return text
    }

    private static func written(_ value: JQText, _ use: Use, _ optional: Bool) -> String {
        switch (value.kind, use) {
        case (.bool, .wire) where optional && value.text.hasPrefix("config."):
            return "if \(value.text) == null then null elif \(value.text) then \"True\" else \"False\" end"
        case (.bool, .wire): return "if \(value.text) then \"True\" else \"False\" end"
        case (.time, .wire): return value.asText
        default:
            // A setting that is not configured is omitted, without an error, as is what a parent's record lacks.
            let steps = value.text.split(separator: ".").count
            let isPlain = !value.text.contains { " (|\"".contains($0) }
            let isOfParent = steps > 2 && value.text.first?.isLetter == true && value.kind != .number
            let mayLack = value.text.hasPrefix("config.") || isOfParent
            return optional && isPlain && mayLack && value.kind != .null ? "\(value.text) // null" : value.text
        }
    }

    /// The value, as a program.
    func program() throws(Unsayable) -> JQText {
        if let constant { return JQText(text: JQText.string(constant), kind: .text) }
        if let only { return try translator.value(only) }
        return JQText(text: try string(pieces), kind: .text, isAtom: false)
    }

    /// Whether an expression in it uses a root, such as `response`.
    func names(_ root: String) -> Bool {
        var isNamed = false
        for piece in pieces { piece.visit { if $0.path?.first == root { isNamed = true } } }
        return isNamed
    }

    /// Whether an expression next to others, or to text, contains a text with a slash. A whole one is an address.
    var makesSlashes: Bool { only == nil && pieces.contains { $0.hasSlashes } }

    /// Whether it holds, as a program that returns true or false.
    func condition() throws(Unsayable) -> String {
        if let only { return try translator.verdict(only) }
        if let constant {
            return ["", "false", "0", "[]", "{}", "none", "False", "None"].contains(constant) ? "false" : "true"
        }
        return "(\(try string(pieces)) | IN(\"\", \"False\", \"false\", \"0\", \"None\") | not)"
    }

    private func string(_ pieces: [JinjaPiece]) throws(Unsayable) -> String {
        var texts: [String] = []
        for piece in pieces {
            switch piece {
            case .text(let text): texts.append(JQText.string(text))
            case .output(let expression): texts.append(try translator.value(expression).asText)
            case .set: throw Unsayable("'{% set %}' inside '{% if %}' has no counterpart")
            case .branches(let branches, let otherwise):
                var text = ""
                for branch in branches {
                    text += text.isEmpty ? "if " : " elif "
                    text += "\(try translator.condition(branch.condition)) then \(try string(branch.pieces))"
                }
                texts.append("(\(text) else \(try string(otherwise)) end)")
            }
        }
        return texts.isEmpty ? "\"\"" : texts.joined(separator: " + ")
    }
}
