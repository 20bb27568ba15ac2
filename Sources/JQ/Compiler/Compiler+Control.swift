import LosslessJSON

extension Compiler {
    mutating func trying(_ body: JQSyntax, handler: JQSyntax?, _ syntax: JQSyntax) throws(JQSyntaxError) {
        let slot = context.slot()
        let fork = hole(syntax)
        try compile(body)
        emit(.tryEnd(slot), syntax)
        let jump = hole(syntax)
        fill(fork) { .tryBegin(slot: slot, $0, keepsInput: false) }
        if let handler { try compile(handler) } else { emit(.backtrack, syntax) }
        fill(jump) { .jump($0) }
    }

    mutating func condition(
        _ branches: [JQSyntax.Branch],
        _ otherwise: JQSyntax?,
        _ syntax: JQSyntax
    ) throws(JQSyntaxError) {
        var ends: [Int] = []
        for branch in branches {
            try operand(branch.condition, depth: 0, syntax)
            let decide = hole(syntax)
            try compile(branch.body)
            ends.append(hole(syntax))
            fill(decide) { .jumpUnless($0) }
        }
        if let otherwise { try compile(otherwise) }
        for end in ends { fill(end) { .jump($0) } }
    }

    mutating func reduce(
        _ source: JQSyntax,
        _ pattern: JQSyntax.Pattern,
        _ initial: JQSyntax,
        _ update: JQSyntax,
        _ syntax: JQSyntax
    ) throws(JQSyntaxError) {
        let state = context.slot()
        emit(.duplicate, syntax)
        try compile(initial)
        emit(.store(state), syntax)
        // The source takes over the input, so that the state is the only owner of its contents.
        emit(.refresh, syntax)
        let fork = hole(syntax)
        emit(.takeKept, syntax)
        try compile(source)
        try within(declare(pattern.variables)) { (compiler) throws(JQSyntaxError) in
            try compiler.bind(pattern, syntax)
            compiler.emit(.moveOut(state), syntax)
            try compiler.compile(update)
            compiler.emit(.store(state), syntax)
            compiler.emit(.backtrack, syntax)
        }
        fill(fork) { .fork($0) }
        emit(.moveOut(state), syntax)
        emit(.under, syntax)
    }

    mutating func foreach(
        _ source: JQSyntax,
        _ pattern: JQSyntax.Pattern,
        _ initial: JQSyntax,
        _ update: JQSyntax,
        _ extract: JQSyntax?,
        _ syntax: JQSyntax
    ) throws(JQSyntaxError) {
        let state = context.slot()
        emit(.duplicate, syntax)
        try compile(initial)
        emit(.store(state), syntax)
        emit(.copy(0), syntax)
        try compile(source)
        try within(declare(pattern.variables)) { (compiler) throws(JQSyntaxError) in
            try compiler.bind(pattern, syntax)
            compiler.emit(.moveOut(state), syntax)
            try compiler.compile(update)
            compiler.emit(.storeKeeping(state), syntax)
            compiler.emit(.under, syntax)
            if let extract { try compiler.compile(extract) }
        }
    }

    mutating func binding(
        _ source: JQSyntax,
        _ patterns: [JQSyntax.Pattern],
        _ body: JQSyntax,
        _ syntax: JQSyntax
    ) throws(JQSyntaxError) {
        try operand(source, depth: 0, syntax)
        var names: [String] = []
        for name in patterns.flatMap(\.variables) where !names.contains(name) { names.append(name) }
        let value = patterns.count > 1 ? context.slot() : 0
        if patterns.count > 1 { emit(.store(value), syntax) }
        try within(declare(names)) { (compiler) throws(JQSyntaxError) in
            guard patterns.count > 1 else {
                try compiler.bind(patterns[0], syntax)
                return try compiler.compile(body)
            }
            var ends: [Int] = []
            for (at, pattern) in patterns.enumerated() {
                let isLast = at == patterns.count - 1
                let slot = compiler.context.slot()
                let fork = isLast ? 0 : compiler.hole(syntax)
                for name in names { try compiler.clear(name, syntax) }
                compiler.emit(.copy(0), syntax)
                compiler.emit(.load(hops: 0, slot: value), syntax)
                try compiler.bind(pattern, syntax)
                try compiler.compile(body)
                if isLast { continue }
                compiler.emit(.tryEnd(slot), syntax)
                ends.append(compiler.hole(syntax))
                compiler.fill(fork) { .tryBegin(slot: slot, $0, keepsInput: true) }
            }
            for end in ends { compiler.fill(end) { .jump($0) } }
        }
    }

    private mutating func clear(_ name: String, _ syntax: JQSyntax) throws(JQSyntaxError) {
        if let (_, slot) = lookUp(name) { emit(.clear(slot), syntax) }
    }

    /// Destructures the top into variables that are already declared.
    mutating func bind(_ pattern: JQSyntax.Pattern, _ syntax: JQSyntax) throws(JQSyntaxError) {
        switch pattern {
        case .variable(let name): try store(name, syntax)
        case .array(let parts):
            for (at, part) in parts.enumerated() {
                emit(.copyIndex(depth: 0, constant(.count(at))), syntax)
                try bind(part, syntax)
            }
            emit(.pop, syntax)
        case .object(let entries):
            for entry in entries {
                if case .literal(let name) = entry.key.node {
                    note(entry.key, of: nil, syntax)
                    emit(.copyIndex(depth: 0, constant(Value(name))), syntax)
                } else {
                    emit(.copy(0), syntax)
                    try compile(entry.key)
                    emit(.checkKey, syntax)
                    emit(.copy(1), syntax)
                    emit(.index, syntax)
                }
                if let variable = entry.variable {
                    if entry.pattern != nil { emit(.copy(0), syntax) }
                    try store(variable, syntax)
                }
                if let inner = entry.pattern { try bind(inner, syntax) }
            }
            emit(.pop, syntax)
        }
    }

    private mutating func store(_ name: String, _ syntax: JQSyntax) throws(JQSyntaxError) {
        guard let (_, slot) = lookUp(name) else { throw problem("$\(name) is not defined", syntax) }
        emit(.strip, syntax)
        emit(.store(slot), syntax)
    }

    // MARK: Updates

    mutating func update(
        _ update: JQSyntax.Update,
        _ paths: JQSyntax,
        _ value: JQSyntax,
        _ syntax: JQSyntax
    ) throws(JQSyntaxError) {
        let base = context.slot(5)
        switch update {
        case .assign:
            try operand(value, depth: 0, syntax)
            emit(.store(base + 1), syntax)
            try collect(paths, base, syntax, asPaths: true)
            emit(.assign(base), syntax)
        case .modify:
            try modify(paths, base, syntax) { (compiler) throws(JQSyntaxError) in try compiler.compile(value) }
        case .arithmetic(let operation):
            let operand = context.slot()
            try self.operand(value, depth: 0, syntax)
            emit(.store(operand), syntax)
            try modify(paths, base, syntax) { (compiler) throws(JQSyntaxError) in
                compiler.emit(.pushConstant(compiler.constant(.null)), syntax)
                compiler.emit(.load(hops: 0, slot: operand), syntax)
                compiler.emit(.take(1), syntax)
                compiler.emit(.binary(operation), syntax)
            }
        case .alternative:
            let operand = context.slot()
            try self.operand(value, depth: 0, syntax)
            emit(.store(operand), syntax)
            try modify(paths, base, syntax) { (compiler) throws(JQSyntaxError) in
                compiler.emit(.copy(0), syntax)
                let decide = compiler.hole(syntax)
                let jump = compiler.hole(syntax)
                compiler.fill(decide) { .jumpUnless($0) }
                compiler.emit(.load(hops: 0, slot: operand), syntax)
                compiler.fill(jump) { .jump($0) }
            }
        }
    }

    private mutating func modify(
        _ paths: JQSyntax,
        _ base: Int32,
        _ syntax: JQSyntax,
        _ body: (inout Compiler) throws(JQSyntaxError) -> Void
    ) throws(JQSyntaxError) {
        try collect(paths, base, syntax, asPaths: true)
        emit(.modifyBegin(base), syntax)
        let start = here
        let next = hole(syntax)
        let fork = hole(syntax)
        emit(.refreshTaking, syntax)
        try body(&self)
        emit(.modifyStore(base), syntax)
        jumpBack(to: start, syntax)
        fill(fork) { .markedFork(slot: base + 4, $0) }
        emit(.modifyDelete(base), syntax)
        jumpBack(to: start, syntax)
        fill(next) { .modifyNext(base, $0) }
        emit(.modifyEnd(base), syntax)
    }
}
