public import LosslessJSON

/// A program that is one plain path, `.a.b[0].c[]`, to be walked over a page's tape.
public struct JQPath: Sendable, Equatable {
    /// One step of a path.
    public enum Step: Sendable, Equatable {
        /// A member of an object, by the key's UTF-8.
        case member([UInt8])
        /// An element of an array, from the end where negative.
        case element(Int)
        /// Each element of an array or each member's value.
        case each
    }

    /// Where a path leads.
    public enum Target: Sendable, Equatable {
        /// A value in the document.
        case node(Int)
        /// Nothing is there, which is `null`.
        case missing
        /// The value has no such step; the engine knows the error.
        case unfit
    }

    /// The steps, outermost first; none is `.` itself.
    public private(set) var steps: [Step]
    /// Whether the path has any number of outputs.
    public var iterates: Bool { steps.contains(.each) }

    /// The path that a program is, `nil` where it is more than a path.
    public init?(_ program: JQProgram) { self.init(program.syntax) }

    private init(steps: [Step]) { self.steps = steps }

    init?(_ syntax: JQSyntax) {
        guard let steps = Self.steps(syntax) else { return nil }
        self.steps = steps
    }

    private static func steps(_ syntax: JQSyntax) -> [Step]? {
        switch syntax.node {
        case .identity: return []
        case .index(let target, let key):
            guard let steps = steps(target), let step = step(key) else { return nil }
            return steps + [step]
        case .iterate(let target): return steps(target).map { $0 + [.each] }
        case .pipe(let first, let second):
            guard let first = steps(first), let second = steps(second) else { return nil }
            return first + second
        default: return nil
        }
    }

    private static func step(_ key: JQSyntax) -> Step? {
        switch key.node {
        case .literal(.string(let text)): return .member(Array(text.text.utf8))
        case .literal(.number(let number)): return Int(number.text).map { .element($0) }
        case .negation(let inner):
            guard case .literal(.number(let number)) = inner.node else { return nil }
            return Int(number.text).map { .element(-$0) }
        default: return nil
        }
    }

    /// The path that a program begins with, up to its first `[]`: where it finds what it goes through, as `.items[]` in
    /// `.items[] | select(.kind == "a")` and `.items` in `.items | map(select(.a))`. `nil` where it begins otherwise.
    public static func leading(_ program: JQProgram) -> JQPath? {
        guard var path = leading(program.syntax) else { return nil }
        if let each = path.steps.firstIndex(of: .each) { path.steps.removeSubrange((each + 1)...) }
        return path
    }

    private static func leading(_ syntax: JQSyntax) -> JQPath? {
        if let whole = JQPath(syntax) { return whole }
        switch syntax.node {
        case .pipe(let first, _): return leading(first)
        case .array(let inner?): return leading(inner)
        case .alternative(let first, _): return leading(first)
        case .attempt(let inner): return leading(inner)
        case .call("map", _): return JQPath(steps: [])
        default: return nil
        }
    }

    /// Follows a path without `[]`.
    public func resolve(_ cursor: JSONCursor, _ node: Int) -> Target {
        var node = node
        for step in steps {
            switch Self.follow(step, cursor, node) {
            case .node(let next): node = next
            case .missing: return .missing
            case .unfit: return .unfit
            }
        }
        return .node(node)
    }

    /// Visits every output of a path with `[]`; `nil` stands for `null`.
    ///
    /// - Returns: `false` where the engine has to decide.
    public func forEach(_ cursor: JSONCursor, _ node: Int, _ body: (Int?) -> Void) -> Bool {
        visit(cursor, node, from: 0, body)
    }

    private func visit(_ cursor: JSONCursor, _ start: Int, from first: Int, _ body: (Int?) -> Void) -> Bool {
        var node = start
        for index in first..<steps.count {
            guard steps[index] == .each else {
                switch Self.follow(steps[index], cursor, node) {
                case .node(let next): node = next
                case .missing:
                    // `null[]` is an error, `null.a` is null.
                    guard !steps[index...].contains(.each) else { return false }
                    body(nil)
                    return true
                case .unfit: return false
                }
                continue
            }
            return each(cursor, node, from: index + 1, body)
        }
        body(node)
        return true
    }

    private func each(_ cursor: JSONCursor, _ node: Int, from index: Int, _ body: (Int?) -> Void) -> Bool {
        // A repeated key has one value, the last, in the first one's place: objects are the engine's.
        guard cursor.kind(node) == .array else { return false }
        var at = cursor.first(in: node)
        while let current = at {
            guard visit(cursor, current, from: index, body) else { return false }
            at = cursor.next(after: current)
        }
        return true
    }

    private static func follow(_ step: Step, _ cursor: JSONCursor, _ node: Int) -> Target {
        let kind = cursor.kind(node)
        if kind == .null, step != .each { return .missing }
        switch step {
        case .member(let key):
            guard kind == .object else { return .unfit }
            return key.withUnsafeBufferPointer { cursor.member(node, $0) }.map { .node($0) } ?? .missing
        case .element(let index):
            guard kind == .array else { return .unfit }
            return element(index, cursor, node)
        case .each: return .unfit
        }
    }

    private static func element(_ index: Int, _ cursor: JSONCursor, _ node: Int) -> Target {
        var remaining = index
        if index < 0 {
            var count = 0
            var at = cursor.first(in: node)
            while let current = at {
                count += 1
                at = cursor.next(after: current)
            }
            remaining += count
            guard remaining >= 0 else { return .missing }
        }
        var at = cursor.first(in: node)
        while let current = at {
            if remaining == 0 { return .node(current) }
            remaining -= 1
            at = cursor.next(after: current)
        }
        return .missing
    }
}
