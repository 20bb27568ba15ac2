public import LosslessJSON

/// A compiled jq program; compile it once, run it on many inputs.
public struct JQProgram: Sendable {
    /// The program's text.
    public let source: String
    /// The parsed tree.
    public let syntax: JQSyntax
    /// Which of the globals the program mentions, as `name` or `$name`.
    public let usedGlobals: Set<String>
    private let globals: [String]

    /// Compiles a program.
    ///
    /// - Parameters:
    ///   - source: The jq program.
    ///   - globals: Names usable both as functions (`config.user`) and as variables (`$config`), bound when it runs.
    ///   - functions: Functions of the host, beside the language's own.
    /// - Throws: `JQSyntaxError` with the place of the first fault.
    public init(_ source: String, globals: [String] = [], functions: [JQFunction] = []) throws(JQSyntaxError) {
        let syntax = try JQParser.parse(source)
        self.source = source
        self.syntax = syntax
        self.globals = globals
        usedGlobals = []
    }

    /// Calls `body` for each output, in order, as it is produced.
    ///
    /// - Throws: `JQError` for errors of the program, or whatever `body` throws.
    public func forEach(
        _ input: JSONValue,
        globals: [JSONValue] = [],
        limits: JQLimits = JQLimits(),
        _ body: (JSONValue) throws -> Void
    ) throws {
    }

    /// All outputs, in order.
    public func run(
        _ input: JSONValue,
        globals: [JSONValue] = [],
        limits: JQLimits = JQLimits()
    ) throws(JQError) -> [JSONValue] {
        []
    }
}
