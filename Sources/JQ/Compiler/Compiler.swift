import LosslessJSON

/// Turns a syntax tree into code.
struct Compiler {
    /// The maximum nesting of definitions inlined in place of their calls; beyond it, calls are real.
    static let inlineLimit = 8
    /// The maximum number of instructions, so that definitions that multiply end in an error and do not exhaust memory.
    static let sizeLimit = 400_000

    var code = Code()
    var context = Context(depth: 0)
    var finished: [Int: Context] = [:]
    var scope: Scope?
    var origin = Origin.program
    var inlineDepth = 0
    var size = 0
    let globals: [String]
    let functions: [JQFunction]
    var usedGlobals: Set<String> = []
    var preludeEntries: [String: DefinitionEntry] = [:]
    var constantIndexes: [JSONString: Int32] = [:]
    let root: Context

    init(globals: [String], functions: [JQFunction], coverage: MemberCoverage? = nil) {
        self.globals = globals
        self.functions = functions
        root = context
        code.hosts = functions
        code.coverage = coverage
    }

    mutating func program(_ syntax: JQSyntax) throws(JQSyntaxError) {
        code.units = [(0, 0)]
        try compile(syntax)
        emit(.emit, syntax)
        finished[0] = context
        link()
    }

    /// Joins the units one after another.
    private mutating func link() {
        for unit in code.units.indices {
            guard let context = finished[unit] else { continue }
            code.units[unit] = (Int32(code.instructions.count), context.slots)
            code.instructions += TailCalls.marked(unit == 0 ? Results.marked(context) : context.instructions)
            code.offsets += context.offsets
        }
    }

    // MARK: Emitting

    func offset(_ syntax: JQSyntax) -> Int32 {
        if case .prelude(let range) = origin { return Int32(range.lowerBound) }
        return Int32(syntax.range.lowerBound)
    }

    mutating func emit(_ instruction: Instruction, _ syntax: JQSyntax) {
        context.instructions.append(instruction)
        context.offsets.append(offset(syntax))
        size += 1
    }

    /// A place in the code to jump to, once known.
    var here: Int { context.instructions.count }

    /// Emits an instruction whose jump target is not known yet.
    mutating func hole(_ syntax: JQSyntax) -> Int {
        emit(.backtrack, syntax)
        return here - 1
    }

    func fill(_ hole: Int, _ make: (Int32) -> Instruction) {
        context.instructions[hole] = make(Int32(here - hole))
    }

    mutating func jumpBack(to place: Int, _ syntax: JQSyntax) { emit(.jump(Int32(place - here)), syntax) }

    mutating func constant(_ value: Value) -> Int32 {
        if case .string(let string) = value {
            if let known = constantIndexes[string] { return known }
            constantIndexes[string] = Int32(code.constants.count)
        }
        code.constants.append(value)
        return Int32(code.constants.count - 1)
    }

    // MARK: Scopes

    mutating func within<Result>(
        _ inner: Scope?,
        _ body: (inout Compiler) throws(JQSyntaxError) -> Result
    ) throws(JQSyntaxError) -> Result {
        let outer = scope
        scope = inner
        defer { scope = outer }
        return try body(&self)
    }

    /// Declares variables for a pattern and returns the scope with them.
    mutating func declare(_ names: [String]) -> Scope? {
        var inner = scope
        for name in names { inner = Scope(.variable(name, context, context.slot()), in: inner) }
        return inner
    }

    func hops(_ target: Context) -> Int32 { context.depth - target.depth }

    /// Compiles code that runs in its own frame inside the current one, and returns its unit.
    mutating func unit(
        in parent: Context,
        _ syntax: JQSyntax,
        _ body: (inout Compiler) throws(JQSyntaxError) -> Void
    ) throws(JQSyntaxError) -> Int32 {
        let number = code.units.count
        code.units.append((0, 0))
        let outer = context
        context = Context(depth: parent.depth + 1)
        defer { context = outer }
        try body(&self)
        emit(.leave, syntax)
        finished[number] = context
        return Int32(number)
    }

    func problem(_ message: String, _ syntax: JQSyntax, help: String? = nil) -> JQSyntaxError {
        var range = syntax.range
        if case .prelude(let call) = origin { range = call }
        return JQSyntaxError(message, at: range, help: help)
    }
}

/// Marks calls in tail position, so that their frame replaces the caller's.
enum TailCalls {
    static func marked(_ instructions: [Instruction]) -> [Instruction] {
        var marked = instructions
        for at in instructions.indices {
            switch instructions[at] {
            case .call(let unit, let hops, let closures, _) where leaves(instructions, at + 1):
                marked[at] = .call(unit: unit, hops: hops, arguments: closures, isTail: true)
            case .callParameter(let hops, let index, _) where leaves(instructions, at + 1):
                marked[at] = .callParameter(hops: hops, index: index, isTail: true)
            default: break
            }
        }
        return marked
    }

    private static func leaves(_ instructions: [Instruction], _ start: Int) -> Bool {
        var at = start
        while at < instructions.count {
            switch instructions[at] {
            case .leave: return true
            case .jump(let jump) where jump > 0: at += Int(jump)
            default: return false
            }
        }
        return false
    }
}
