extension JinjaPiece {
    /// Shows each expression in it, the outer ones first.
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

extension JinjaExpression {
    /// Shows the expression and each in it. What stands below a path is a part of it, and not shown.
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
                // A method is no member.
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
