internal import LosslessJSON

extension JQProgram {
    /// Whether the program may look at the list that these members of its input lead to, at more than its last element:
    /// `.next`, `.meta.total` and `.items[-1].id` do not look at `items`; `.items | length` and `.` do.
    ///
    /// What does not can be run on an input in which the list has nothing but its last element. Where it cannot be told, the answer
    /// is yes.
    package func looks(atListOf names: [String]) -> Bool {
        var look = Look(names, usedGlobals)
        look.use(syntax, [.onTheWay(0)])
        return look.hasSeen
    }
}

/// Goes through a program once, with nothing known of its input but where the list stands in it.
private struct Look {
    /// What a value has to do with the list.
    enum Value: Hashable {
        /// It stands so many members inside of the input, on the way to the list; behind all of them it is the list.
        case onTheWay(Int)
        /// It does not hold the list, and is not made of it.
        case apart
    }

    private let names: [String]
    /// Names that give a value of the caller's, whatever the input is.
    private let globals: Set<String>
    /// Whether the list was looked at.
    private(set) var hasSeen = false

    init(_ names: [String], _ globals: Set<String>) { (self.names, self.globals) = (names, globals) }

    /// What a program gives is looked at as a whole.
    mutating func use(_ syntax: JQSyntax, _ inputs: Set<Value>) { use(outputs(syntax, inputs)) }

    private mutating func use(_ values: Set<Value>) { if values != [.apart], !values.isEmpty { hasSeen = true } }

    /// What a program may give for these inputs: for all at once, so that each of its nodes is visited once. No deeper than the
    /// parser lets a program be.
    private mutating func outputs(_ syntax: JQSyntax, _ inputs: Set<Value>) -> Set<Value> {
        switch syntax.node {
        case .identity: return inputs
        case .literal, .variable: return [.apart]
        case .index(let target, let key):
            use(key, inputs)
            return Set(outputs(target, inputs).map { member($0, key) })
        case .attempt(let inner), .trying(let inner, handler: nil): return outputs(inner, inputs)
        case .pipe(let first, let second): return outputs(second, outputs(first, inputs))
        // Whether it is `null` or `false`, a list with one element tells as well, here and in conditions.
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

    /// Takes the inputs as a whole, and so do the programs in it.
    private mutating func everything(in syntax: JQSyntax, _ inputs: Set<Value>) -> Set<Value> {
        use(inputs)
        return made(of: syntax.node.children, inputs)
    }
}
