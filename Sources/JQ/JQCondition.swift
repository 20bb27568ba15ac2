package import LosslessJSON

/// A yes-or-no program made of paths, comparisons with literals, `and`, `or` and `not`: it is evaluated over the tape, without
/// building a value.
///
/// If a record does not have the shape that the program expects (an index into a number, say), and for rare cases (a text with
/// escapes, a number with a fraction), it gives no answer and leaves the record to the engine.
package struct JQCondition: Sendable {
    private let test: Test

    /// The condition that a program is, `nil` if it is anything else, or if its member coverage is wanted.
    package init?(_ program: JQProgram) {
        guard program.coverage == nil else { return nil }
        self.init(program.syntax)
    }

    init?(_ syntax: JQSyntax) {
        guard let test = Test(syntax) else { return nil }
        self.test = test
    }

    /// Whether the program's output is true by jq's rules; `nil` if the engine has to decide.
    package func holds(_ cursor: JSONCursor, _ node: Int) -> Bool? { test.holds(cursor, node) }

    fileprivate indirect enum Test: Sendable {
        /// `.a`: neither `null` nor `false`.
        case truth(JQPath)
        /// `.a == "x"`
        case comparison(JQPath, JQSyntax.Operator, Scalar)
        case not(Test)
        case and(Test, Test)
        case or(Test, Test)
    }
}

extension JQCondition.Test {
    init?(_ syntax: JQSyntax) {
        if let path = JQPath(syntax) {
            guard !path.iterates else { return nil }
            self = .truth(path)
            return
        }
        switch syntax.node {
        case .pipe: self.init(stages: syntax.stages[...])
        case .and(let first, let second):
            guard let first = Self(first), let second = Self(second) else { return nil }
            self = .and(first, second)
        case .or(let first, let second):
            guard let first = Self(first), let second = Self(second) else { return nil }
            self = .or(first, second)
        case .binary(let operation, let left, let right):
            guard operation.isComparison else { return nil }
            if let path = JQPath(left), !path.iterates, let scalar = Scalar(right) {
                self = .comparison(path, operation, scalar)
            } else if let path = JQPath(right), !path.iterates, let scalar = Scalar(left) {
                self = .comparison(path, operation.mirrored, scalar)
            } else {
                return nil
            }
        default: return nil
        }
    }

    /// A test followed by any number of `not`.
    private init?(stages: ArraySlice<JQSyntax>) {
        if stages.count > 1, case .call("not", let arguments) = stages.last?.node, arguments.isEmpty {
            guard let inner = Self(stages: stages.dropLast()) else { return nil }
            self = .not(inner)
        } else {
            guard stages.count == 1, let only = stages.first else { return nil }
            self.init(only)
        }
    }

    func holds(_ cursor: JSONCursor, _ node: Int) -> Bool? {
        switch self {
        case .truth(let path):
            switch path.resolve(cursor, node) {
            case .node(let value): return cursor.kind(value) != .null && cursor.firstByte(value) != UInt8(ascii: "f")
            case .missing: return false
            case .unfit: return nil
            }
        case .comparison(let path, let operation, let scalar):
            switch path.resolve(cursor, node) {
            case .node(let value): return scalar.order(of: cursor, value).map(operation.holds)
            case .missing: return operation.holds(scalar.orderOfNull)
            case .unfit: return nil
            }
        case .not(let inner): return inner.holds(cursor, node).map { !$0 }
        case .and(let first, let second):
            guard let holds = first.holds(cursor, node) else { return nil }
            return holds ? second.holds(cursor, node) : false
        case .or(let first, let second):
            guard let holds = first.holds(cursor, node) else { return nil }
            return holds ? true : second.holds(cursor, node)
        }
    }
}

extension JQSyntax.Operator {
    fileprivate var isComparison: Bool {
        switch self {
        case .equal, .unequal, .less, .lessOrEqual, .greater, .greaterOrEqual: true
        case .add, .subtract, .multiply, .divide, .modulo: false
        }
    }

    /// The operator with its sides exchanged.
    fileprivate var mirrored: Self {
        switch self {
        case .less: .greater
        case .lessOrEqual: .greaterOrEqual
        case .greater: .less
        case .greaterOrEqual: .lessOrEqual
        case .equal, .unequal, .add, .subtract, .multiply, .divide, .modulo: self
        }
    }

    /// Whether a comparison holds if the left side is below, equal to or above the right one: −1, 0, 1.
    fileprivate func holds(_ order: Int) -> Bool {
        switch self {
        case .equal: order == 0
        case .unequal: order != 0
        case .less: order < 0
        case .lessOrEqual: order <= 0
        case .greater: order > 0
        case .greaterOrEqual: order >= 0
        case .add, .subtract, .multiply, .divide, .modulo: false
        }
    }
}
