package import LosslessJSON

/// A compiled jq program; compile it once, run it on many inputs.
///
/// A class: it never changes, and copies of its parts would be reference-counted for each record.
package final class JQProgram: Sendable {
    /// The program's text.
    package let source: String
    /// The parsed tree.
    package let syntax: JQSyntax
    /// Which of the globals the program mentions, as `name` or `$name`.
    package let usedGlobals: Set<String>
    /// The path that the program is, `nil` if it is more than that.
    let path: JQPath?
    /// Notes which members are met when it runs; `nil` if coverage is not wanted.
    package let coverage: MemberCoverage?
    private let globals: [String]
    private let code: LinkedCode

    /// Compiles a program.
    ///
    /// - Parameters:
    ///   - source: The jq program.
    ///   - globals: Names usable both as functions (`config.user`) and as variables (`$config`), bound when it runs.
    ///   - functions: Functions of the host, in addition to the builtins.
    ///   - coverage: Notes which members are met, new for this program.
    /// - Throws: `JQSyntaxError` with the place of the first fault.
    package init(
        _ source: String,
        globals: [String] = [],
        functions: [JQFunction] = [],
        coverage: MemberCoverage? = nil
    ) throws(JQSyntaxError) {
        let syntax = try JQParser.parse(source)
        var compiler = Compiler(globals: globals, functions: functions, coverage: coverage)
        try compiler.program(syntax)
        self.source = source
        self.syntax = syntax
        path = JQPath(syntax)
        self.globals = globals
        self.coverage = coverage
        usedGlobals = compiler.usedGlobals
        code = LinkedCode(compiler.code)
    }

    /// Calls `body` for each output, in order, as it is produced. Outputs that are not requested are not computed: an error
    /// thrown by `body` ends the run.
    ///
    /// - Parameters:
    ///   - input: The value of `.`.
    ///   - globals: The values of the globals, in the order they were declared; missing ones are `null`.
    ///   - limits: The limits of the run.
    ///   - body: Receives the outputs.
    /// - Throws: `JQError` for errors of the program, or whatever `body` throws.
    package func forEach(
        _ input: JSONValue,
        globals: [JSONValue] = [],
        limits: JQLimits = JQLimits(),
        _ body: (JSONValue) throws -> Void
    ) throws {
        try forEach(JQInput(input), globals: JQGlobals(globals), limits: limits) { try body($0.json) }
    }

    /// Calls `body` for each output of an input that is still in its document.
    ///
    /// - Throws: `JQError` for errors of the program, or whatever `body` throws.
    package func forEach(
        _ input: JQInput,
        globals: JQGlobals = JQGlobals(),
        limits: JQLimits = JQLimits(),
        _ body: (JQOutput) throws -> Void
    ) throws {
        var machine = machine(input, globals, limits, nil)
        while let value = try machine.next() { try body(try JQOutput(value, machine.meter)) }
    }

    /// All outputs, in order.
    ///
    /// - Throws: `JQError`; the outputs before an error are lost, but `forEach` gives them.
    package func run(
        _ input: JSONValue,
        globals: [JSONValue] = [],
        limits: JQLimits = JQLimits()
    ) throws(JQError) -> [JSONValue] {
        try run(JQInput(input), globals: JQGlobals(globals), limits: limits).map(\.json)
    }

    /// All outputs, in order, of an input that is shared with other programs, or still in its document. Use this one to run a
    /// program on one record after another.
    ///
    /// - Parameter workspace: Storage from the previous run.
    /// - Throws: `JQError`; the outputs before an error are lost, but `forEach` gives them.
    package func run(
        _ input: JQInput,
        globals: JQGlobals = JQGlobals(),
        limits: JQLimits = JQLimits(),
        workspace: JQWorkspace? = nil
    ) throws(JQError) -> [JQOutput] {
        var machine = machine(input, globals, limits, workspace)
        var outputs: [JQOutput] = []
        var census: Census?
        while let value = try machine.next() {
            outputs.append(try JQOutput(value, machine.meter))
            // A single output is bounded by what the machine may hold; several add up.
            if outputs.count == 1 { continue }
            var held = census.take() ?? outputs[0].census
            outputs[outputs.count - 1].add(to: &held)
            if held.bytes > limits.bytes { throw machine.meter.bytesError }
            census = held
        }
        if let workspace { machine.leave(to: workspace) }
        return outputs
    }

    /// Runs the program alongside a walk of its path or projection, so that the members it meets are noted. Does nothing without
    /// coverage.
    package func cover(_ input: @autoclosure () -> JQInput, globals: @autoclosure () -> JQGlobals) {
        // A failure here is one for the caller as well, or did not occur on the caller's way.
        if coverage != nil { _ = try? run(input(), globals: globals()) }
    }

    private func machine(
        _ input: JQInput,
        _ globals: JQGlobals,
        _ limits: JQLimits,
        _ workspace: JQWorkspace?
    ) -> Machine {
        var values = globals.values
        while values.count < self.globals.count { values.append(.null) }
        return Machine(code, input: input.value, globals: values, limits: limits, workspace: workspace)
    }
}
