package import PlugCore
internal import Programs

/// Passes notices to an operator's program: one JSON object on its stdin, no shell, a scrubbed environment, a time limit.
package struct CommandNotifier: Notifier {
    package let name: String
    package let namesPDAs: Bool
    private let words: [String]
    private let folder: String?
    private let patience: Duration

    /// - Parameters:
    ///   - words: The program and its arguments.
    ///   - folder: The base of a relative path.
    ///   - patience: The time limit.
    package init(_ name: String, words: [String], folder: String?, patience: Duration, namesPDAs: Bool) {
        (self.name, self.words, self.folder) = (name, words, folder)
        (self.patience, self.namesPDAs) = (patience, namesPDAs)
    }

    package func send(_ notice: Notice) async throws(PlugError) -> String {
        var limits = ProgramLimits()
        limits.time = patience
        limits.output = 1 << 20
        var call = ProgramCall(
            command: words.first ?? "",
            arguments: Array(words.dropFirst()),
            folder: folder,
            limits: limits
        )
        call.input = Secret(notice.json + "\n")
        let end: ProgramEnd
        do { end = try await OperatorProgram.run(call) } catch {
            throw PlugError(.noticeUnreachable, error.message, advice: error.advice)
        }
        let program = DisplayText.escaped(words.first ?? "")
        switch end.cause {
        case .exited(0): return "exited with 0"
        case .exited(let status): throw refused("\(program) exited with \(status)")
        case .signalled(let signal): throw refused("\(program) was ended by signal \(signal)")
        case .limit(let limit): throw refused("\(program) passed its limit: \(limit)")
        case .stopped: throw refused("\(program) was stopped, because the host ends")
        case .notStarted(let reason), .noSandbox(let reason):
            throw PlugError(.noticeUnreachable, "\(program) could not be started: \(reason)")
        }
    }

    private func refused(_ message: String) -> PlugError {
        PlugError(
            .noticeRefused,
            message,
            advice:
                "run it by hand with a JSON object on stdin; it starts in an empty folder, without the host's variables"
        )
    }
}
