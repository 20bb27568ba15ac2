internal import Dispatch
internal import Glibc
internal import LosslessJSON
package import PlugCore
package import PlugModules

/// A command's environment.
package struct CommandContext: Sendable {
    /// The destination of answers: stdout.
    package var output: TextSink
    /// The destination of everything else: stderr.
    package var errors: TextSink
    /// Whether a person at a terminal reads answers.
    package var outputIsTerminal: Bool
    /// Whether a person at a terminal reads messages.
    package var errorsAreTerminal: Bool
    /// The environment's variables.
    package var environment: [String: String]
    /// Time and randomness.
    package var clock: any HostClock
    /// How the program was called, for commands to be copied by a person.
    package var program = "plughost"
    /// The program's name in texts.
    var name = ProgramName(name: ProgramName.defaultName)
    /// The fetchers in Swift that manifests may name: those of the bundled plugs, and those that the program was started with.
    package var fetchers: FetcherRegistry
    /// Takes findings about files, such as a log for programs; `nil` writes them to stderr as text.
    var finding: (@Sendable (Diagnostic, DiagnosticPrinter) -> Void)?
    /// Asks the person at the terminal a yes-or-no question; `nil` if there is no one to ask.
    package var ask: (@Sendable (String) async -> Bool)?

    /// An environment for a command.
    package init(
        output: TextSink,
        errors: TextSink,
        outputIsTerminal: Bool = false,
        errorsAreTerminal: Bool = false,
        environment: [String: String] = [:],
        clock: any HostClock = SystemClock(),
        fetchers: FetcherRegistry = .ofBundledPlugs,
        ask: (@Sendable (String) async -> Bool)? = nil
    ) {
        self.fetchers = fetchers
        self.output = output
        self.errors = errors
        self.outputIsTerminal = outputIsTerminal
        self.errorsAreTerminal = errorsAreTerminal
        self.environment = environment
        self.clock = clock
        self.ask = ask
    }

    /// The process's own streams and variables.
    static func ofThisProcess() -> CommandContext {
        var context = CommandContext(
            output: TextSink(descriptor: STDOUT_FILENO, isBuffered: true),
            errors: TextSink(descriptor: STDERR_FILENO, isBuffered: false),
            outputIsTerminal: isatty(STDOUT_FILENO) == 1,
            errorsAreTerminal: isatty(STDERR_FILENO) == 1 && getenv("TERM").map { String(cString: $0) } != "dumb",
            environment: variables(),
            ask: isatty(STDIN_FILENO) == 1 && isatty(STDERR_FILENO) == 1 ? askAtTerminal : nil
        )
        if let path = CommandLine.arguments.first {
            if path.contains("/") { context.program = path }
            let name = path.split(separator: "/").last.map(String.init) ?? ProgramName.defaultName
            context.name = ProgramName(name: DisplayText.escaped(name))
        }
        return context
    }

    /// Writes the question and reads a line, on a thread that may block.
    @Sendable
    private static func askAtTerminal(_ question: String) async -> Bool {
        TextSink(descriptor: STDERR_FILENO, isBuffered: false).write(question)
        return await withCheckedContinuation { continuation in
            DispatchQueue.global().async {
                let answer = readLine()?.lowercased() ?? ""
                continuation.resume(returning: answer == "y" || answer == "yes")
            }
        }
    }

    /// The variables, copied before anything can change them: at the start of the process.
    private static func variables() -> [String: String] {
        var variables: [String: String] = [:]
        var entry = environ
        while let text = entry.pointee {
            let parts = String(cString: text).split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            if parts.count == 2 { variables[String(parts[0])] = String(parts[1]) }
            entry += 1
        }
        return variables
    }
}

extension CommandContext {
    /// Reports an error: as text with its advice, or as one line of JSON.
    func tell(_ error: PlugError, asJSON: Bool = false) {
        output.flush()
        errors.write(asJSON ? ErrorText.json(error).compactText + "\n" : name.shown(ErrorText.text(error)))
    }

    /// Reports a finding about a file on stderr.
    func tell(_ finding: Diagnostic, by printer: DiagnosticPrinter) {
        if let take = self.finding { return take(finding, printer) }
        errors.write(printer.text(finding))
    }

    /// Writes one line of JSON as an answer.
    func answer(_ value: JSONValue) {
        var bytes: [UInt8] = []
        value.write(to: &bytes)
        bytes.append(UInt8(ascii: "\n"))
        output.write(bytes)
    }
}
