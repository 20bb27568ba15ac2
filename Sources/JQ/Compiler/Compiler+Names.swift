import LosslessJSON

extension Compiler {
    func lookUp(_ name: String) -> (Context, Int32)? {
        var at = scope
        while let entry = at {
            if case .variable(name, let context, let slot) = entry.entry { return (context, slot) }
            at = entry.outer
        }
        return nil
    }

    mutating func variable(_ name: String, _ syntax: JQSyntax) throws(JQSyntaxError) {
        if let (owner, slot) = lookUp(name) { return emit(.load(hops: hops(owner), slot: slot), syntax) }
        if let global = globals.lastIndex(of: name) {
            usedGlobals.insert(name)
            return emit(.global(Int32(global)), syntax)
        }
        if name == "ENV" || name == "__prog_args" {
            throw problem("$\(name) is not available: a program sees only its input", syntax)
        }
        let known = variableNames + globals
        throw problem(
            "$\(name) is not defined",
            syntax,
            help: NearestName.to(name, among: known).map { "did you mean '$\($0)'?" }
        )
    }

    private var variableNames: [String] {
        var names: [String] = []
        var at = scope
        while let entry = at {
            if case .variable(let name, _, _) = entry.entry { names.append(name) }
            at = entry.outer
        }
        return names
    }

    mutating func breakTo(_ name: String, _ syntax: JQSyntax) throws(JQSyntaxError) {
        var at = scope
        while let entry = at {
            if case .label(name, let owner, let slot) = entry.entry {
                return emit(.breakTo(hops: hops(owner), slot: slot), syntax)
            }
            at = entry.outer
        }
        throw problem("there is no label $\(name) here", syntax)
    }

    /// A call: the program's definitions take precedence, then globals, then the host's functions, then the builtins.
    mutating func call(_ name: String, _ arguments: [JQSyntax], _ syntax: JQSyntax) throws(JQSyntaxError) {
        var at = scope
        while let found = at {
            switch found.entry {
            case .definition(let entry)
            where entry.definition.name == name && entry.definition.parameters.count == arguments.count:
                return try invoke(entry, arguments, syntax)
            case .inlined(name, let body, let scope, let origin) where arguments.isEmpty:
                let outer = self.origin
                self.origin = origin
                defer { self.origin = outer }
                return try within(scope) { (compiler) throws(JQSyntaxError) in try compiler.compile(body) }
            case .parameter(name, let owner, let index) where arguments.isEmpty:
                return emit(.callParameter(hops: hops(owner), index: index, isTail: false), syntax)
            default: break
            }
            at = found.outer
        }
        // The prelude always calls the builtins, whatever the host names its own functions.
        if case .program = origin {
            if arguments.isEmpty, let global = globals.lastIndex(of: name) {
                usedGlobals.insert(name)
                return emit(.global(Int32(global)), syntax)
            }
            if let host = functions.lastIndex(where: { $0.name == name && $0.arity == arguments.count }) {
                try push(arguments, syntax)
                return emit(.host(Int32(host), arguments: Int32(arguments.count)), syntax)
            }
            // The prelude's own helpers trust their arguments.
            if Self.isPrivate(name) { throw unknown(name, arguments.count, syntax) }
        }
        if try special(name, arguments, syntax) { return }
        if let native = Natives.index["\(name)/\(arguments.count)"] {
            try push(arguments, syntax)
            return emit(.native(native, arguments: Int32(arguments.count)), syntax)
        }
        if let definition = Prelude.definitions["\(name)/\(arguments.count)"] {
            let key = "\(name)/\(arguments.count)"
            let entry = preludeEntries[key] ?? DefinitionEntry(definition, root, nil, .prelude(syntax.range))
            preludeEntries[key] = entry
            return try invoke(entry, arguments, syntax)
        }
        throw unknown(name, arguments.count, syntax)
    }

    /// Pushes the arguments of a native function; the first varies fastest, as in jq.
    private mutating func push(_ arguments: [JQSyntax], _ syntax: JQSyntax) throws(JQSyntaxError) {
        for (depth, argument) in arguments.reversed().enumerated() {
            try operand(argument, depth: Int32(depth), syntax)
        }
    }

    /// Helpers of the prelude, which nothing else may call; jq's own tests call one of jq's.
    static func isPrivate(_ name: String) -> Bool { name.hasPrefix("_") && name != "_strindices" }

    private func unknown(_ name: String, _ count: Int, _ syntax: JQSyntax) -> JQSyntaxError {
        if Self.unavailable.contains(name) {
            return problem("\(name) is not available: a program sees only its input", syntax)
        }
        let own = ownNames
        let known =
            Natives.index.keys.map { $0 } + Prelude.definitions.keys.map { $0 } + Self.specials + own
            + globals.map { $0 + "/0" } + functions.map { "\($0.name)/\($0.arity)" }
        let names = known.map { String($0.prefix { $0 != "/" }) }.filter { !Self.isPrivate($0) }
        let counts = known.filter { $0.hasPrefix(name + "/") }.compactMap { Int($0.dropFirst(name.count + 1)) }.sorted()
        if !counts.isEmpty, !Self.isPrivate(name) {
            let list = Set(counts).sorted().map { String($0) }.joined(separator: " or ")
            return problem(
                "\(name)/\(count) is not defined",
                syntax,
                help: "'\(name)' takes \(list) argument\(list == "1" ? "" : "s")"
            )
        }
        return problem(
            "\(name)/\(count) is not defined",
            syntax,
            help: NearestName.to(name, among: names).map { "did you mean '\($0)'?" }
        )
    }

    private var ownNames: [String] {
        var names: [String] = []
        var at = scope
        while let entry = at {
            switch entry.entry {
            case .definition(let entry): names.append("\(entry.definition.name)/\(entry.definition.parameters.count)")
            case .inlined(let name, _, _, _), .parameter(let name, _, _): names.append(name + "/0")
            default: break
            }
            at = entry.outer
        }
        return names
    }

    static let unavailable: Set<String> = [
        "env", "input", "inputs", "debug", "stderr", "input_filename", "input_line_number", "now", "localtime",
        "strflocaltime", "halt", "halt_error", "get_search_list", "modulemeta",
    ]

    // MARK: Definitions

    private mutating func invoke(
        _ entry: DefinitionEntry,
        _ arguments: [JQSyntax],
        _ syntax: JQSyntax
    ) throws(JQSyntaxError) {
        let body = entry.definition.body
        if !entry.isRecursive, inlineDepth < Self.inlineLimit, size < Self.sizeLimit / 20 {
            var inner = entry.scope
            for (parameter, argument) in zip(entry.definition.parameters, arguments) {
                let name = parameter.hasPrefix("$") ? String(parameter.dropFirst()) : parameter
                inner = Scope(.inlined(name, argument, scope, origin), in: inner)
            }
            return try with(entry, inner, syntax) { (compiler) throws(JQSyntaxError) in
                try compiler.parameters(entry, body) { (compiler) throws(JQSyntaxError) in try compiler.compile(body) }
            }
        }
        var sources: [ClosureSource] = []
        for argument in arguments { sources.append(try closure(argument, syntax)) }
        let unit = try unit(of: entry, syntax)
        code.closures.append(sources)
        emit(
            .call(
                unit: unit,
                hops: hops(entry.context),
                arguments: Int32(code.closures.count - 1),
                isTail: false
            ),
            syntax
        )
    }

    private mutating func with(
        _ entry: DefinitionEntry,
        _ inner: Scope?,
        _ syntax: JQSyntax,
        _ body: (inout Compiler) throws(JQSyntaxError) -> Void
    ) throws(JQSyntaxError) {
        let outer = origin
        if case .prelude = entry.origin {
            // A failure inside the prelude is reported at the user's call.
            if case .program = outer { origin = .prelude(syntax.range) }
        } else {
            origin = entry.origin
        }
        inlineDepth += 1
        defer {
            inlineDepth -= 1
            origin = outer
        }
        try within(inner, body)
    }

    /// Binds parameters with a dollar sign: `def f($x): …` is `def f(x): x as $x | …`.
    private mutating func parameters(
        _ entry: DefinitionEntry,
        _ syntax: JQSyntax,
        _ body: (inout Compiler) throws(JQSyntaxError) -> Void
    ) throws(JQSyntaxError) {
        var inner = scope
        for parameter in entry.definition.parameters where parameter.hasPrefix("$") {
            let name = String(parameter.dropFirst())
            emit(.copy(0), syntax)
            try call(name, [], syntax)
            let slot = context.slot()
            emit(.store(slot), syntax)
            inner = Scope(.variable(name, context, slot), in: inner)
        }
        try within(inner, body)
    }

    private mutating func unit(of entry: DefinitionEntry, _ syntax: JQSyntax) throws(JQSyntaxError) -> Int32 {
        if let unit = entry.unit { return unit }
        // Known before its body, which may call it.
        let number = Int32(code.units.count)
        entry.unit = number
        return try unit(in: entry.context, syntax) { (compiler) throws(JQSyntaxError) in
            var inner = entry.scope
            for (index, parameter) in entry.definition.parameters.enumerated() {
                let name = parameter.hasPrefix("$") ? String(parameter.dropFirst()) : parameter
                inner = Scope(.parameter(name, compiler.context, Int32(index)), in: inner)
            }
            try compiler.with(entry, inner, syntax) { (compiler) throws(JQSyntaxError) in
                try compiler.parameters(entry, entry.definition.body) { (compiler) throws(JQSyntaxError) in
                    try compiler.compile(entry.definition.body)
                }
            }
        }
    }

    /// What a call passes for an argument: a parameter as it is, anything else as code over this frame.
    private mutating func closure(_ argument: JQSyntax, _ syntax: JQSyntax) throws(JQSyntaxError) -> ClosureSource {
        if case .call(let name, let arguments) = argument.node, arguments.isEmpty {
            var at = scope
            search: while let found = at {
                switch found.entry {
                case .parameter(name, let owner, let index):
                    return .parameter(hops: hops(owner), index: index)
                case .inlined(name, let body, let scope, let origin):
                    let outer = self.origin
                    self.origin = origin
                    defer { self.origin = outer }
                    return try within(scope) { (compiler) throws(JQSyntaxError) in
                        try compiler.closure(body, syntax)
                    }
                case .definition(let entry)
                where entry.definition.name == name && entry.definition.parameters.isEmpty:
                    break search
                default: at = found.outer
                }
            }
        }
        return .unit(
            try unit(in: context, argument) { (compiler) throws(JQSyntaxError) in try compiler.compile(argument) }
        )
    }
}
