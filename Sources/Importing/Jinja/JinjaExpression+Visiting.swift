extension JinjaPiece {
    /// Visits each expression in it, the outer ones first.
    func visit(_ look: (JinjaExpression) -> Void) {
        switch self {
        case .text: break
        case .output(let expression), .set(_, let expression): expression.visit(look)
        case .branches(let branches, let otherwise):
            for branch in branches {
                branch.condition.visit(look)
                branch.pieces.forEach { $0.visit(look) }
            }
            otherwise.forEach { $0.visit(look) }
        }
    }
}

extension JinjaPiece {
    /// Whether an expression or a branch in it makes slashes.
    var hasSlashes: Bool {
        var isMade = false
        visit { if case .text(let text) = $0, text.contains("/") { isMade = true } }
        guard case .branches(let branches, let otherwise) = self else { return isMade }
        return isMade
            || (branches.flatMap(\.pieces) + otherwise).contains { piece in
                if case .text(let text) = piece { text.contains("/") } else { piece.hasSlashes }
            }
    }

    /// The texts of its branches, outside of expressions.
    var branchTexts: [String] {
        guard case .branches(let branches, let otherwise) = self else { return [] }
        return (branches.flatMap(\.pieces) + otherwise).flatMap { piece in
            if case .text(let text) = piece { [text] } else { piece.branchTexts }
        }
    }
}

extension JinjaExpression {
    /// Visits the expression and each one in it. The parts of a path are not visited.
    func visit(_ look: (JinjaExpression) -> Void) {
        look(self)
        if let path, path.count > 1 { return }
        switch self {
        case .text, .number, .bool, .none, .name: break
        case .member(let base, _), .not(let base), .negative(let base): base.visit(look)
        case .index(let base, let key):
            base.visit(look)
            key.visit(look)
        case .slice(let base, let from, let to): [base, from, to].forEach { $0?.visit(look) }
        case .call(let base, let arguments), .filter(let base, _, let arguments), .test(let base, _, let arguments):
            if case .member(_, "get") = base, let whole = JinjaExpression.call(base, Array(arguments.prefix(1))).path {
                look(JinjaExpression.call(base, Array(arguments.prefix(1))))
                if whole.isEmpty { return }
            } else if case .call = self, case .member(let owner, _) = base {
                // A method is not a member.
                owner.visit(look)
            } else {
                base.visit(look)
            }
            arguments.forEach { $0.value.visit(look) }
        case .binary(_, let left, let right):
            left.visit(look)
            right.visit(look)
        case .conditional(let condition, let then, let otherwise):
            [condition, then, otherwise].forEach { $0?.visit(look) }
        case .list(let elements): elements.forEach { $0.visit(look) }
        case .mapping(let pairs):
            for pair in pairs {
                pair.key.visit(look)
                pair.value.visit(look)
            }
        }
    }
}

extension JinjaExpression {
    /// The expression with names replaced by values.
    func replacing(_ values: [String: JinjaExpression]) -> JinjaExpression {
        if values.isEmpty { return self }
        func replaced(_ arguments: [JinjaArgument]) -> [JinjaArgument] {
            arguments.map { JinjaArgument(name: $0.name, value: $0.value.replacing(values)) }
        }
        switch self {
        case .text, .number, .bool, .none: return self
        case .name(let name): return values[name] ?? self
        case .member(let base, let key): return .member(base.replacing(values), key)
        case .index(let base, let key): return .index(base.replacing(values), key.replacing(values))
        case .slice(let base, let from, let to):
            return .slice(base.replacing(values), from: from?.replacing(values), to: to?.replacing(values))
        case .call(let base, let arguments):
            // The name of a function is not that of a value.
            if case .name = base { return .call(base, replaced(arguments)) }
            return .call(base.replacing(values), replaced(arguments))
        case .filter(let base, let name, let arguments):
            return .filter(base.replacing(values), name, replaced(arguments))
        case .test(let base, let name, let arguments): return .test(base.replacing(values), name, replaced(arguments))
        case .not(let inner): return .not(inner.replacing(values))
        case .negative(let inner): return .negative(inner.replacing(values))
        case .binary(let sign, let left, let right):
            return .binary(sign, left.replacing(values), right.replacing(values))
        case .conditional(let condition, let then, let otherwise):
            return .conditional(
                condition.replacing(values),
                then: then.replacing(values),
                otherwise: otherwise?.replacing(values)
            )
        case .list(let elements): return .list(elements.map { $0.replacing(values) })
        case .mapping(let pairs):
            return .mapping(pairs.map { JinjaPair(key: $0.key.replacing(values), value: $0.value.replacing(values)) })
        }
    }
}
