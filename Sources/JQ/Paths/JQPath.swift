package import LosslessJSON

/// A program that is a single plain path, `.a.b[0].c[]`, to be followed over a page's tape.
package struct JQPath: Sendable, Equatable {
    /// Where a path leads.
    package enum Target: Sendable, Equatable {
        /// A value in the document; if the path leads on from a `null`, that `null`.
        case node(Int)
        /// An object without the member, or an array without the element; `null` as a value.
        case missing
        /// The value has no such step; the engine determines the error.
        case unfit
    }

    /// The steps, outermost first; none is `.` itself.
    private(set) var steps: PathSteps
    /// Whether the path may have any number of outputs.
    package let iterates: Bool
    /// Whether it is `.`, the value itself.
    package var isIdentity: Bool { steps.list.isEmpty }

    /// The path of `.`.
    package static let whole = JQPath(PathSteps())

    /// The path that a program is, `nil` if it is more than a path.
    package init?(_ program: JQProgram) {
        guard let path = program.path else { return nil }
        self = path
    }

    init(_ steps: PathSteps) {
        self.steps = steps
        iterates = steps.list.contains { $0.kind == .each }
    }

    init?(_ syntax: JQSyntax) {
        var steps = PathSteps()
        guard Self.collect(syntax, into: &steps) else { return nil }
        self.init(steps)
    }

    private static func collect(_ syntax: JQSyntax, into steps: inout PathSteps) -> Bool {
        switch syntax.node {
        case .identity: return true
        case .index(let target, let key): return collect(target, into: &steps) && step(key, into: &steps)
        case .iterate(let target):
            guard collect(target, into: &steps) else { return false }
            steps.appendEach()
            return true
        case .pipe(let first, let second): return collect(first, into: &steps) && collect(second, into: &steps)
        default: return false
        }
    }

    private static func step(_ key: JQSyntax, into steps: inout PathSteps) -> Bool {
        switch key.node {
        case .literal(.string(let text)):
            steps.append(member: Array(text.text.utf8))
            return true
        case .literal(.number(let number)): return steps.append(element: Int(number.text))
        case .negation(let inner):
            guard case .literal(.number(let number)) = inner.node else { return false }
            return steps.append(element: Int(number.text).map { -$0 })
        default: return false
        }
    }

    /// The path that a program begins with, up to its first `[]`: where it finds what it iterates over, such as `.items[]` in
    /// `.items[] | select(.kind == "a")` and `.items` in `.items | map(select(.a))`. `nil` if it begins otherwise.
    package static func leading(_ program: JQProgram) -> JQPath? {
        guard let path = program.path ?? leading(program.syntax) else { return nil }
        guard let each = path.steps.list.firstIndex(where: { $0.kind == .each }) else { return path }
        return JQPath(path.steps.prefix(each + 1))
    }

    private static func leading(_ syntax: JQSyntax) -> JQPath? {
        if let whole = JQPath(syntax) { return whole }
        switch syntax.node {
        case .pipe(let first, _): return leading(first)
        case .array(let inner?): return leading(inner)
        case .alternative(let first, _): return leading(first)
        case .attempt(let inner): return leading(inner)
        case .call("map", _): return .whole
        default: return nil
        }
    }

    /// The member of the input that it begins at; `nil` if it begins otherwise.
    package var firstMember: String? {
        guard let step = steps.list.first, step.kind == .member else { return nil }
        return String(decoding: steps.keys[step.start..<step.end], as: UTF8.self)
    }

    /// Follows a path without `[]`.
    package func resolve(_ cursor: JSONCursor, _ node: Int) -> Target {
        steps.withPointers { steps, keys in PathSteps.resolve(steps, keys, cursor, node) }
    }

    /// Visits every output of a path with `[]`; `nil` stands for `null`.
    ///
    /// - Returns: `false` if the engine has to decide.
    package func forEach(_ cursor: JSONCursor, _ node: Int, _ body: (Int?) -> Void) -> Bool {
        steps.withPointers { steps, keys in PathSteps.forEach(steps, keys, cursor, node, body) }
    }

    /// The first member on the path that an object has twice, wherever the path meets it.
    package func repeatedMember(_ cursor: JSONCursor, _ node: Int) -> String? {
        guard steps.list.contains(where: { $0.kind == .member }) else { return nil }
        return steps.withPointers { steps, keys in PathSteps.repeatedMember(steps, keys, cursor, node) }
    }
}
