extension JQSyntax.Node {
    /// The programs directly inside.
    var children: [JQSyntax] {
        switch self {
        case .identity, .recursion, .literal, .format, .breakTo, .variable: []
        case .index(let a, let b), .pipe(let a, let b), .comma(let a, let b), .binary(_, let a, let b),
            .and(let a, let b),
            .or(let a, let b), .alternative(let a, let b), .update(_, let a, let b):
            [a, b]
        case .slice(let target, let from, let to): [target] + [from, to].compactMap { $0 }
        case .iterate(let a), .attempt(let a), .negation(let a), .label(_, let a): [a]
        case .array(let a): a.map { [$0] } ?? []
        case .object(let entries): entries.flatMap { [$0.key, $0.value] }
        case .interpolation(_, let parts):
            parts.compactMap { if case .program(let program) = $0 { program } else { nil } }
        case .condition(let branches, let otherwise):
            branches.flatMap { [$0.condition, $0.body] } + (otherwise.map { [$0] } ?? [])
        case .trying(let body, let handler): [body] + (handler.map { [$0] } ?? [])
        case .reduce(let source, let pattern, let initial, let update): [source, initial, update] + pattern.programs
        case .foreach(let source, let pattern, let initial, let update, let extract):
            [source, initial, update] + (extract.map { [$0] } ?? []) + pattern.programs
        case .binding(let source, let patterns, let body): [source, body] + patterns.flatMap(\.programs)
        case .definition(let definition, let rest): [definition.body, rest]
        case .call(_, let arguments): arguments
        }
    }

    var childDepth: Int { children.reduce(0) { max($0, $1.depth) } }
}

extension JQSyntax {
    /// The programs that pipes join, first to last; a program without pipes is its only stage.
    var stages: [JQSyntax] {
        guard case .pipe(let first, let second) = node else { return [self] }
        return first.stages + second.stages
    }

    /// Whether a function of this name is called anywhere in it.
    package func calls(_ name: String) -> Bool {
        if case .call(name, _) = node { return true }
        // The depth is bounded by the parser's limit.
        return node.children.contains { $0.calls(name) }
    }
}

extension JQSyntax.Pattern {
    /// The keys that are programs.
    var programs: [JQSyntax] {
        switch self {
        case .variable: []
        case .array(let parts): parts.flatMap(\.programs)
        case .object(let entries): entries.flatMap { [$0.key] + ($0.pattern?.programs ?? []) }
        }
    }

    /// The names it binds, in order, each once.
    var variables: [String] {
        var seen: Set<String> = []
        return allVariables.filter { seen.insert($0).inserted }
    }

    private var allVariables: [String] {
        switch self {
        case .variable(let name): [name]
        case .array(let parts): parts.flatMap(\.allVariables)
        case .object(let entries):
            entries.flatMap { ($0.variable.map { [$0] } ?? []) + ($0.pattern?.allVariables ?? []) }
        }
    }
}

extension JQSyntax {
    /// Calls `body` for this node and every node in it.
    package func visit(_ body: (JQSyntax) -> Void) {
        body(self)
        for child in node.children { child.visit(body) }
    }
}
