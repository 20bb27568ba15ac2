internal import LosslessJSON

extension JQProgram {
    /// Whether the program may read more than the last element of the list at these members of its input: `.next`, `.meta.total`
    /// and `.items[-1].id` do not read `items`; `.items | length` and `.` do.
    ///
    /// A program that does not can be run on an input whose list has only its last element. In case of doubt the answer is yes.
    package func looks(atListOf names: [String]) -> Bool {
        var look = Look(names, usedGlobals)
        look.use(syntax, [.onTheWay(0)])
        return look.hasSeen
    }
}

/// Analyses a program once, knowing nothing of its input but the list's position in it.
private struct Look {
    /// How a value relates to the list.
    enum Value: Hashable {
        /// It is this many members inside the input, on the way to the list; after all of them it is the list.
        case onTheWay(Int)
        /// It does not hold the list and is not derived from it.
        case apart
    }

    private let names: [String]
    /// Names whose values come from the caller, whatever the input is.
    private let globals: Set<String>
    /// Whether the list was read.
    private(set) var hasSeen = false

    init(_ names: [String], _ globals: Set<String>) { (self.names, self.globals) = (names, globals) }

    /// The outputs of a program are read as a whole.
    mutating func use(_ syntax: JQSyntax, _ inputs: Set<Value>) { use(outputs(syntax, inputs)) }

    private mutating func use(_ values: Set<Value>) { if values != [.apart], !values.isEmpty { hasSeen = true } }

    /// The possible outputs of a program for these inputs: for all at once, so that each of its nodes is visited once. The depth
    /// is bounded by the parser's limit.
    private mutating func outputs(_ syntax: JQSyntax, _ inputs: Set<Value>) -> Set<Value> {
        switch syntax.node {
        case .identity: return inputs
        case .literal, .variable: return [.apart]
        case .index(let target, let key):
            use(key, inputs)
            return Set(outputs(target, inputs).map { member($0, key) })
        case .attempt(let inner), .trying(let inner, handler: nil): return outputs(inner, inputs)
        case .pipe(let first, let second): return outputs(second, outputs(first, inputs))
        // Whether it is `null` or `false` can be told from a list with one element as well, here and in conditions.
        case .comma(let first, let second), .alternative(let first, let second):
            return outputs(first, inputs).union(outputs(second, inputs))
        case .and(let first, let second), .or(let first, let second):
            _ = outputs(first, inputs).union(outputs(second, inputs))
            return [.apart]
        case .condition(let branches, let otherwise):
            var all = otherwise.map { outputs($0, inputs) } ?? inputs
            for branch in branches {
                _ = outputs(branch.condition, inputs)
                all.formUnion(outputs(branch.body, inputs))
            }
            return all
        case .call("empty", let arguments) where arguments.isEmpty: return []
        case .call("not", let arguments) where arguments.isEmpty: return [.apart]
        case .call("select", let arguments) where arguments.count == 1:
            _ = outputs(arguments[0], inputs)
            return inputs
        case .call("last", let arguments) where arguments.isEmpty && isList(inputs): return [.apart]
        case .call("last", let arguments) where arguments.count == 1:
            if case .iterate(let list) = arguments[0].node, isList(outputs(list, inputs)) { return [.apart] }
            return everything(in: syntax, inputs)
        case .call(let name, let arguments) where arguments.isEmpty && globals.contains(name): return [.apart]
        case .array, .object, .interpolation, .negation, .binary: return made(of: syntax.node.children, inputs)
        default: return everything(in: syntax, inputs)
        }
    }

    private func isList(_ values: Set<Value>) -> Bool { values == [.onTheWay(names.count)] }

    private mutating func member(_ value: Value, _ key: JQSyntax) -> Value {
        guard case .onTheWay(let depth) = value else { return .apart }
        if depth < names.count, case .literal(.string(let name)) = key.node {
            return name.text == names[depth] ? .onTheWay(depth + 1) : .apart
        }
        if depth < names.count || !Self.isLast(key) { hasSeen = true }
        return .apart
    }

    /// Whether a key is `-1`.
    private static func isLast(_ key: JQSyntax) -> Bool {
        guard case .negation(let one) = key.node, case .literal(.number(let number)) = one.node else { return false }
        return number.int64 == 1
    }

    private mutating func made(of programs: [JQSyntax], _ inputs: Set<Value>) -> Set<Value> {
        for program in programs { use(program, inputs) }
        return [.apart]
    }

    /// Reads the inputs as a whole, and so do the programs in it.
    private mutating func everything(in syntax: JQSyntax, _ inputs: Set<Value>) -> Set<Value> {
        use(inputs)
        return made(of: syntax.node.children, inputs)
    }
}
