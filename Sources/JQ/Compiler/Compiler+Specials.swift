import LosslessJSON

extension Compiler {
    static let specials = [
        "empty/0", "error/0", "error/1", "path/1", "getpath/1", "range/1", "range/2", "range/3", "first/1", "last/1",
        "limit/2",
        "recurse/0",
    ]

    /// Functions that are instructions.
    mutating func special(_ name: String, _ arguments: [JQSyntax], _ syntax: JQSyntax) throws(JQSyntaxError) -> Bool {
        switch (name, arguments.count) {
        case ("empty", 0): emit(.backtrack, syntax)
        case ("recurse", 0): emit(.recurse, syntax)
        case ("error", 0): emit(.raise, syntax)
        case ("error", 1):
            try compile(arguments[0])
            emit(.raise, syntax)
        case ("path", 1):
            emit(.copy(0), syntax)
            emit(.pathBegin, syntax)
            try compile(arguments[0])
            emit(.pathEnd, syntax)
            emit(.settle, syntax)
        case ("getpath", 1):
            try operand(arguments[0], depth: 0, syntax)
            emit(.getPath, syntax)
        case ("range", 1...3):
            // The first bound varies slowest.
            if arguments.count == 1 {
                emit(.pushConstant(constant(.integer(0))), syntax)
            } else {
                try operand(arguments[0], depth: 0, syntax)
            }
            try operand(arguments[arguments.count == 1 ? 0 : 1], depth: 1, syntax)
            if arguments.count == 3 {
                try operand(arguments[2], depth: 2, syntax)
            } else {
                emit(.pushConstant(constant(.integer(1))), syntax)
            }
            emit(.range, syntax)
        case ("first", 1):
            let slot = context.slot()
            emit(.label(slot), syntax)
            try compile(arguments[0])
            emit(.cut(slot), syntax)
        case ("last", 1): try last(arguments[0], syntax)
        case ("limit", 2):
            let slot = context.slot(2)
            try operand(arguments[0], depth: 0, syntax)
            emit(.limitBegin(slot), syntax)
            emit(.label(slot + 1), syntax)
            try compile(arguments[1])
            emit(.limitCount(slot), syntax)
        default: return false
        }
        return true
    }

    /// The last output with its path, nothing if there is no output.
    private mutating func last(_ body: JQSyntax, _ syntax: JQSyntax) throws(JQSyntaxError) {
        let slot = context.slot(2)
        emit(.clear(slot + 1), syntax)
        let fork = hole(syntax)
        try compile(body)
        emit(.store(slot), syntax)
        emit(.pushConstant(constant(.bool(true))), syntax)
        emit(.store(slot + 1), syntax)
        emit(.backtrack, syntax)
        fill(fork) { .fork($0) }
        emit(.pushConstant(constant(.null)), syntax)
        emit(.load(hops: 0, slot: slot + 1), syntax)
        let decide = hole(syntax)
        emit(.moveOut(slot), syntax)
        emit(.under, syntax)
        let end = hole(syntax)
        fill(decide) { .jumpUnless($0) }
        emit(.backtrack, syntax)
        fill(end) { .jump($0) }
    }
}
