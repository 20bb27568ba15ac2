internal import PlugCore
internal import Programs

/// Describes how a program ended.
struct ProgramFailure {
    private let name: String
    private let redactor: Redactor

    private let memoryLimit: Int

    /// - Parameter memoryLimit: What its processes may take together, in bytes.
    init(_ command: String, memoryLimit: Int, _ redactor: Redactor) {
        self.memoryLimit = memoryLimit
        name = DisplayText.escaped(String(command.prefix(200)))
        self.redactor = redactor
    }

    /// The error for an end; `nil` for a successful one.
    ///
    /// - Parameter kept: What happened to its earlier output.
    func error(
        of end: ProgramEnd,
        _ kept: String =
            "what it had handed over is not affected; the next run continues from the last saved state"
    ) -> PlugError? {
        let quote = lastLines(end)
        let words = quote.isEmpty ? "it said nothing on stderr" : "it said: \(quote)"
        switch end.cause {
        case .exited(0): return nil
        case .exited(let status):
            return PlugError(
                .programFailed,
                "the program '\(name)' ended with the exit status \(status); \(words)",
                advice: kept + memoryHint(end)
            ).hiding(quote)
        case .signalled(let number):
            return PlugError(
                .programKilled,
                "the program '\(name)' was killed (signal \(number)); \(words)",
                advice: kept + memoryHint(end)
            ).hiding(quote)
        case .limit(let limit):
            return PlugError(
                .programLimit,
                "the program '\(name)' reached its limit of \(limit) and was ended; \(words)",
                advice: "\(kept); raise the limit under 'exec.limits' if the program needs more"
            ).hiding(quote)
        case .stopped: return .interrupted
        case .notStarted(let reason):
            return PlugError(
                .programNotStarted,
                "the program '\(name)' could not be started: \(reason)",
                advice: "check whether it is a program for this machine, and whether its interpreter is installed"
            )
        case .noSandbox(let reason): return ProgramEnd.sandboxError(reason)
        }
    }

    /// The system refuses a process more memory than it may have. Most programs then end themselves, in their own way.
    private func memoryHint(_ end: ProgramEnd) -> String {
        guard end.peakMemory > memoryLimit / 2 else { return "" }
        return
            "; it took \(HumanSize.text(end.peakMemory)) of the \(HumanSize.text(memoryLimit)) that 'exec.limits.memory' allows: "
            + "perhaps it needs more"
    }

    /// A warning about requests of the program that were denied; `nil` if there were none.
    func refusal(of end: ProgramEnd) -> PlugError? {
        guard !end.refused.isEmpty else { return nil }
        let hosts = end.refused.map { shown($0, 400) }
        return PlugError(
            .programHostRefused,
            "the program '\(name)' was not allowed to reach \(hosts.joined(separator: "; or "))",
            advice: "add the host to 'hosts' if the program needs it"
        )
    }

    /// The program's own last words, if any: those that report an error first.
    private func lastLines(_ end: ProgramEnd) -> String {
        let lines = end.lastLines.map { $0.trimming() }.filter { !$0.isEmpty }
        let marks = ["CRITICAL", "ERROR", "Error", "error:", "Exception"]
        let telling = lines.filter { line in marks.contains { line.contains($0) } }
        let chosen = (telling.isEmpty ? lines : telling).suffix(3)
        return chosen.map { shown($0, 300) }.joined(separator: " | ")
    }

    /// Secrets are redacted before the text is truncated: part of one would not be recognised.
    func shown(_ text: String, _ length: Int) -> String {
        DisplayText.escaped(String(redactor.shown(whole: text).prefix(length)))
    }
}

extension String {
    fileprivate func trimming() -> String {
        var text = self[...]
        while text.last?.isWhitespace == true { text.removeLast() }
        while text.first?.isWhitespace == true { text.removeFirst() }
        return String(text)
    }
}
