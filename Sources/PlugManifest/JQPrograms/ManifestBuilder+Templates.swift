import JQ
import LosslessJSON
import PlugCore

extension ManifestBuilder {
    /// Parses the template in a scalar; `nil` if there is none, or it is invalid.
    func template(_ node: YAMLNode?, _ scope: ProgramScope) -> Template? {
        guard let node, let scalar = node.scalar else { return nil }
        let scalars = Array(scalar.text.unicodeScalars)
        let pieces = TemplateScanner.pieces(of: scalars)
        let positions = ScalarPositions(of: scalar, in: source)
        var parts: [Template.Part] = []
        var isFine = true
        for piece in pieces {
            switch piece {
            case .text(let range): parts.append(.text(Self.text(scalars[range])))
            case .unclosed(let range):
                let help = "close it with '}}'; to write '{{' as text, use {{ \"{{\" }}"
                let place = positions.location(of: range.lowerBound..<range.lowerBound + 2)
                findings.error(.templateUnclosed, "this '{{' is not closed", at: place, help: help)
                isFine = false
            case .program(let range):
                guard let expression = expression(scalars, range, scope, positions) else {
                    isFine = false
                    continue
                }
                parts.append(.program(expression))
            }
        }
        guard isFine else { return nil }
        return Template(
            source: scalar.text,
            parts: Self.withoutMargins(parts),
            globals: scope.globals,
            location: node.location,
            constant: pieces.contains { if case .program = $0 { true } else { false } } ? nil : Self.constant(scalar)
        )
    }

    /// A request body: a tree whose texts may be templates.
    func jsonTemplate(_ node: YAMLNode, _ scope: ProgramScope) -> JSONTemplate? {
        switch node.content {
        case .scalar(let scalar):
            guard scalar.text.contains("{{") else { return .constant(constant(inJSON: scalar, at: node.location)) }
            return template(node, scope).map { .template($0) }
        case .sequence(let nodes):
            let elements = nodes.map { jsonTemplate($0, scope) }
            let found = elements.compactMap(\.self)
            return found.count == elements.count ? .array(found) : nil
        case .mapping(let entries):
            let members = entries.map { (key: $0.key, value: jsonTemplate($0.value, scope)) }
            let found = members.compactMap { member in member.value.map { (key: member.key, value: $0) } }
            return found.count == members.count ? .object(found) : nil
        }
    }

    /// A mapping of names to templates, in file order.
    func templates(_ node: YAMLNode?, _ scope: ProgramScope) -> [(name: String, value: Template)] {
        (node?.mapping ?? []).compactMap { entry in
            guard Shape.template.check(entry.value, of: entry.key, findings) else { return nil }
            return template(entry.value, scope).map { (name: entry.key, value: $0) }
        }
    }

    private func expression(
        _ scalars: [Unicode.Scalar],
        _ range: Range<Int>,
        _ scope: ProgramScope,
        _ positions: ScalarPositions
    ) -> Template.Expression? {
        let text = Self.text(scalars[range])
        let location = positions.location(of: range)
        guard !range.isEmpty else {
            let help = "write an expression, such as {{ config.user }}"
            findings.error(.templateEmpty, "there is nothing between '{{' and '}}'", at: location, help: help)
            return nil
        }
        let program = compile(text, scope) { inner in
            positions.location(of: inner.lowerBound + range.lowerBound..<inner.upperBound + range.lowerBound)
        }
        guard let program else { return nil }
        var hasDefault = false
        program.syntax.visit { if case .alternative = $0.node { hasDefault = true } }
        hasDefault = hasDefault || program.syntax.mayEndInNothing
        return Template.Expression(source: text, program: program, hasDefault: hasDefault, location: location)
    }

    private static func text(_ scalars: ArraySlice<Unicode.Scalar>) -> String {
        String(String.UnicodeScalarView(scalars))
    }

    /// A single program surrounded only by white space, as in a block scalar, is a whole template.
    private static func withoutMargins(_ parts: [Template.Part]) -> [Template.Part] {
        let programs = parts.filter { if case .program = $0 { true } else { false } }
        let isBlank = parts.allSatisfy {
            if case .text(let text) = $0 { text.unicodeScalars.allSatisfy(\.properties.isWhitespace) } else { true }
        }
        return programs.count == 1 && isBlank ? programs : parts
    }

    /// Numbers and booleans keep their type, if JSON would write them as they are written here: a `01234` or `+49` in a query is sent
    /// as it stands.
    private static func constant(_ scalar: YAMLScalar) -> JSONValue? {
        let value = scalar.bool.map { .bool($0) } ?? scalar.number.map { JSONValue.number($0) }
        return value?.compactText == scalar.text ? value : nil
    }

    /// The value of a scalar in a place of JSON. What may be a number or a text there has to say what it is: a postcode and a telephone
    /// number would lose their first characters.
    private func constant(inJSON scalar: YAMLScalar, at location: Diagnostic.Location) -> JSONValue {
        let value = scalar.jsonValue
        let digits = scalar.text.drop { $0 == "-" }.prefix { $0.isNumber }
        guard case .number = value, scalar.text.hasPrefix("+") || (digits.count > 1 && digits.first == "0") else {
            return value
        }
        findings.error(
            .wrongType,
            "'\(MessageText.shortened(scalar.text))' may be a number or a text",
            at: location,
            help: "write \"\(MessageText.shortened(scalar.text))\" for the text, or \(value.compactText) for the number"
        )
        return value
    }
}

extension JQSyntax {
    /// Whether `null` or `empty` is written as an outcome, as in `null` for a parameter that is left out, or in a branch.
    fileprivate var mayEndInNothing: Bool {
        switch node {
        case .literal(.null): true
        case .call("empty", let arguments): arguments.isEmpty
        case .pipe(_, let last): last.mayEndInNothing
        case .condition(let branches, let otherwise):
            branches.contains { $0.body.mayEndInNothing } || otherwise?.mayEndInNothing ?? false
        default: false
        }
    }
}
