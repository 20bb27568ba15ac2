import LosslessJSON

extension Compiler {
    /// Emits code that turns the top cell into each output of the program.
    mutating func compile(_ syntax: JQSyntax) throws(JQSyntaxError) {
        guard size < Self.sizeLimit else { throw problem("the program is too large", syntax) }
        switch syntax.node {
        case .identity: break
        case .recursion: emit(.recurse, syntax)
        case .literal(let value): emit(.constant(constant(Value(opening: value))), syntax)
        case .index(let target, let key): try index(target, key, syntax)
        case .slice(let target, let from, let to):
            var count: Int32 = 0
            for bound in [from, to] {
                guard let bound else { continue }
                emit(.copy(count), syntax)
                try compile(bound)
                count += 1
            }
            if count > 0 { emit(.lift(count), syntax) }
            try compile(target)
            emit(.slice(from: from != nil, to: to != nil), syntax)
        case .iterate(let target):
            try compile(target)
            emit(.iterate, syntax)
        case .attempt(let body):
            switch body.node {
            case .index, .slice, .iterate:
                try compile(body)
                emit(.optional, syntax)
            default: try trying(body, handler: nil, syntax)
            }
        case .trying(let body, let handler): try trying(body, handler: handler, syntax)
        case .pipe(let first, let second):
            try compile(first)
            try compile(second)
        case .comma(let first, let second):
            let fork = hole(syntax)
            try compile(first)
            let jump = hole(syntax)
            fill(fork) { .fork($0) }
            try compile(second)
            fill(jump) { .jump($0) }
        case .array(let body): try array(body, syntax)
        case .object(let entries): try object(entries, syntax)
        case .interpolation(let format, let parts): try interpolation(format, parts, syntax)
        case .format(let name): emit(.format(try formatIndex(name, [], syntax)), syntax)
        case .negation(let operand):
            try compile(operand)
            emit(.negate, syntax)
        case .binary(let operation, let left, let right):
            if case .literal(let value) = right.node {
                try compile(left)
                emit(.binaryConstant(operation, constant(Value(opening: value))), syntax)
                return
            }
            try operand(right, depth: 0, syntax)
            emit(.take(1), syntax)
            try compile(left)
            emit(.binary(operation), syntax)
        case .and(let left, let right): try junction(left, right, isAnd: true, syntax)
        case .or(let left, let right): try junction(left, right, isAnd: false, syntax)
        case .alternative(let left, let right):
            let slot = context.slot()
            emit(.clear(slot), syntax)
            let fork = hole(syntax)
            try compile(left)
            emit(.found(slot), syntax)
            let jump = hole(syntax)
            fill(fork) { .fork($0) }
            emit(.unlessFound(slot), syntax)
            try compile(right)
            fill(jump) { .jump($0) }
        case .update(let update, let paths, let value): try self.update(update, paths, value, syntax)
        case .condition(let branches, let otherwise): try condition(branches, otherwise, syntax)
        case .reduce(let source, let pattern, let initial, let update):
            try reduce(source, pattern, initial, update, syntax)
        case .foreach(let source, let pattern, let initial, let update, let extract):
            try foreach(source, pattern, initial, update, extract, syntax)
        case .binding(let source, let patterns, let body): try binding(source, patterns, body, syntax)
        case .definition(let definition, let rest):
            let entry = DefinitionEntry(definition, context, scope, origin)
            let inner = Scope(.definition(entry), in: scope)
            entry.scope = inner
            try within(inner) { (compiler) throws(JQSyntaxError) in try compiler.compile(rest) }
        case .label(let name, let body):
            let slot = context.slot()
            emit(.label(slot), syntax)
            try within(Scope(.label(name, context, slot), in: scope)) { (compiler) throws(JQSyntaxError) in
                try compiler.compile(body)
            }
        case .breakTo(let name): try breakTo(name, syntax)
        case .variable(let name): try variable(name, syntax)
        case .call(let name, let arguments): try call(name, arguments, syntax)
        }
    }

    /// Pushes the output of a program for the cell at a depth; plain fields need no copy of it.
    mutating func operand(_ program: JQSyntax, depth: Int32, _ syntax: JQSyntax) throws(JQSyntaxError) {
        switch program.node {
        case .literal(let value): emit(.pushConstant(constant(Value(opening: value))), program)
        case .index(let target, let key) where code.coverage == nil:
            if case .identity = target.node, case .literal(let name) = key.node {
                emit(.copyIndex(depth: depth, constant(Value(opening: name))), program)
            } else if case .literal(let name) = key.node {
                try operand(target, depth: depth, syntax)
                emit(.indexConstant(constant(Value(opening: name))), program)
            } else {
                fallthrough
            }
        default:
            emit(.copy(depth), program)
            try compile(program)
        }
    }

    private mutating func index(_ target: JQSyntax, _ key: JQSyntax, _ syntax: JQSyntax) throws(JQSyntaxError) {
        if case .literal(let value) = key.node {
            try compile(target)
            note(key, of: target, syntax)
            emit(.indexConstant(constant(Value(opening: value))), syntax)
            return
        }
        try operand(key, depth: 0, syntax)
        emit(.lift(1), syntax)
        try compile(target)
        emit(.index, syntax)
    }

    /// Notes the top, whose member a key names, if coverage is wanted. Members that the prelude names are not the program's.
    mutating func note(_ key: JQSyntax, of target: JQSyntax?, _ syntax: JQSyntax) {
        guard let coverage = code.coverage, case .program = origin, case .literal(let value) = key.node,
            let name = value.stringText
        else { return }
        var global: String?
        switch target?.node {
        case .variable(let name)? where usedGlobals.contains(name): global = name
        case .call(let name, let arguments)? where arguments.isEmpty && usedGlobals.contains(name): global = name
        default: break
        }
        emit(.note(site: coverage.site(name, at: key.range, of: global)), syntax)
    }

    private mutating func array(_ body: JQSyntax?, _ syntax: JQSyntax) throws(JQSyntaxError) {
        guard let body else { return emit(.constant(constant(.array(ValueArray([])))), syntax) }
        let slot = context.slot()
        try collect(body, slot, syntax, asPaths: false)
        emit(.collectEnd(slot), syntax)
    }

    /// Collects outputs (or their paths) in a slot; the input stays.
    mutating func collect(
        _ body: JQSyntax,
        _ slot: Int32,
        _ syntax: JQSyntax,
        asPaths: Bool
    ) throws(JQSyntaxError) {
        emit(.collectBegin(slot), syntax)
        let fork = hole(syntax)
        emit(asPaths ? .pathBegin : .strip, syntax)
        try compile(body)
        if asPaths { emit(.pathEnd, syntax) }
        emit(.append(slot), syntax)
        emit(.backtrack, syntax)
        fill(fork) { .fork($0) }
    }

    private mutating func object(_ entries: [JQSyntax.Entry], _ syntax: JQSyntax) throws(JQSyntaxError) {
        var depth: Int32 = 0
        var shape: [JSONString?] = []
        var plain: [Int] = []
        for entry in entries {
            if case .literal(.string(let name)) = entry.key.node {
                shape.append(name)
            } else {
                try operand(entry.key, depth: depth, syntax)
                depth += 1
                shape.append(nil)
            }
            try operand(entry.value, depth: depth, syntax)
            if case .index(_, let key) = entry.value.node, case .literal = key.node { plain.append(here - 1) }
            depth += 1
        }
        context.plainMembers.append((here, plain))
        code.shapes.append(shape)
        emit(.makeObject(Int32(code.shapes.count - 1)), syntax)
    }

    private mutating func formatIndex(
        _ name: String,
        _ pieces: [Piece],
        _ syntax: JQSyntax
    ) throws(JQSyntaxError) -> Int32 {
        guard let format = Format(rawValue: name) else {
            throw problem(
                "\(name) is not a format",
                syntax,
                help: NearestName.to(name, among: Format.allCases.map(\.rawValue)).map { "did you mean '\($0)'?" }
            )
        }
        code.texts.append((format, pieces))
        return Int32(code.texts.count - 1)
    }

    private mutating func interpolation(
        _ format: String?,
        _ parts: [JQSyntax.Part],
        _ syntax: JQSyntax
    ) throws(JQSyntaxError) {
        // The last program varies slowest, as in jq: it is evaluated first.
        var depth: Int32 = 0
        for part in parts.reversed() {
            guard case .program(let program) = part else { continue }
            try operand(program, depth: depth, syntax)
            depth += 1
        }
        let pieces = parts.map { part in
            if case .text(let text) = part { Piece.text(text) } else { Piece.hole }
        }
        emit(.interpolate(try formatIndex(format ?? "@text", pieces, syntax)), syntax)
    }

    private mutating func junction(
        _ left: JQSyntax,
        _ right: JQSyntax,
        isAnd: Bool,
        _ syntax: JQSyntax
    ) throws(JQSyntaxError) {
        try operand(left, depth: 0, syntax)
        let decide = hole(syntax)
        if isAnd {
            try operand(right, depth: 0, syntax)
            emit(.truth, syntax)
        } else {
            emit(.pushConstant(constant(.bool(true))), syntax)
        }
        let jump = hole(syntax)
        fill(decide) { .jumpUnless($0) }
        if isAnd {
            emit(.pushConstant(constant(.bool(false))), syntax)
        } else {
            try operand(right, depth: 0, syntax)
            emit(.truth, syntax)
        }
        fill(jump) { .jump($0) }
        emit(.settle, syntax)
    }
}
