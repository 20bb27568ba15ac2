internal import CProgram
internal import Glibc
package import PlugCore

/// How a program ended.
package struct ProgramEnd: Sendable, Equatable {
    /// What ended it.
    package enum Cause: Sendable, Equatable {
        /// It exited with this status.
        case exited(Int32)
        /// It was killed with this signal, by itself or something else.
        case signalled(Int32)
        /// A limit, described as in `memory (1024 MiB)`.
        case limit(String)
        /// We asked it to end.
        case stopped
        /// It was not started; a description of the reason.
        case notStarted(String)
        /// Its sandbox could not be built; a description of the reason.
        case noSandbox(String)
    }

    /// What ended it.
    package var cause: Cause
    /// Its last lines on stderr, unchanged: they may contain secrets.
    package var lastLines: [String] = []
    /// Hosts to which it was refused a connection, each with the reason.
    package var refused: [String] = []
    /// The total number of bytes on stderr.
    package var errorBytes = 0
    /// The number of its processes that were still running after it ended, and were killed.
    package var leftBehind = 0
    /// The peak memory of all its processes together, in bytes.
    package var peakMemory = 0
    /// Processor time of all its processes, in microseconds.
    package var processorTime = 0
    /// What limits the number of its processes, besides its keeper; `nil` without a sandbox.
    package var bound: ProcessBound?
}

extension ProgramEnd {
    /// The error of a program that was not run, because it would have run without a sandbox.
    package static func sandboxError(_ reason: String) -> PlugError { Sandbox.impossible(reason) }

    /// - Parameters:
    ///   - wrapped: What the sandbox reported about the program's end; `nil` without a sandbox.
    ///   - refused: Hosts to which it was refused a connection.
    init(
        _ report: plughost_program_report?,
        wrapped: String?,
        _ limits: ProgramLimits,
        stoppedFor stop: Cause?,
        _ errors: ErrorOutput,
        refused: [String]
    ) {
        let (lines, bytes) = errors.end
        self.refused = refused
        lastLines = lines
        errorBytes = bytes
        guard let report else {
            cause = .signalled(SIGKILL)
            return
        }
        leftBehind = Int(max(0, report.left_behind))
        peakMemory = Int(clamping: report.peak_memory)
        processorTime = Int(clamping: report.processor_time)
        bound = ProcessBound(report.bound)
        if let wrapped {
            // The sandbox itself is one process besides the program.
            leftBehind = max(0, leftBehind - 1)
            if report.end == Int32(PLUGHOST_PROGRAM_EXITED.rawValue), !wrapped.contains("\"exit-code\"") {
                cause = .noSandbox(Self.sandboxFailure(lines) + (bound == .otherUser ? Self.otherUser : ""))
                lastLines = []
                return
            }
        }
        cause = Self.cause(report, limits, stop, isWrapped: wrapped != nil)
    }

    private static func cause(
        _ report: plughost_program_report,
        _ limits: ProgramLimits,
        _ stop: Cause?,
        isWrapped: Bool
    ) -> Cause {
        switch UInt32(report.limit) {
        case PLUGHOST_PROGRAM_MEMORY.rawValue: return .limit("memory (\(limits.memory >> 20) MiB)")
        case PLUGHOST_PROGRAM_PROCESSES.rawValue: return .limit("processes (\(limits.processes))")
        case PLUGHOST_PROGRAM_TIME.rawValue: return .limit("time (\(HumanDuration.text(limits.time)))")
        default: break
        }
        if UInt32(report.end) == PLUGHOST_PROGRAM_NOT_STARTED.rawValue {
            let reason = String(cString: strerror(report.value))
            switch UInt32(report.step) {
            case PLUGHOST_PROGRAM_NAMESPACES.rawValue: return .noSandbox("the system gives no namespaces: \(reason)")
            case PLUGHOST_PROGRAM_NETWORK.rawValue: return .noSandbox("a network of its own cannot be made: \(reason)")
            case PLUGHOST_PROGRAM_UNBOUNDED.rawValue:
                return .noSandbox(
                    "plughost is root, whose processes the system does not limit; it may not make a cgroup that does, nor run "
                        + "programs as another user. Run plughost as a user of its own"
                )
            default: return .notStarted(reason)
            }
        }
        if let stop { return stop }
        if UInt32(report.end) == PLUGHOST_PROGRAM_SIGNALLED.rawValue { return .signalled(report.value) }
        // A sandbox reports a signal as a shell does.
        if isWrapped, report.value > 128, report.value < 128 + 65 { return .signalled(report.value - 128) }
        return .exited(report.value)
    }

    /// What is different for it, because it may be the reason.
    private static let otherUser =
        " (plughost is root and may not make a cgroup that limits processes, so programs run as user 61100, and read only what "
        + "everybody may read)"

    /// Bubblewrap's own error message.
    private static func sandboxFailure(_ lines: [String]) -> String {
        let own = lines.last { $0.hasPrefix("bwrap: ") }
        return own.map { DisplayText.escaped(String($0.dropFirst(7).prefix(300))) } ?? "bubblewrap ended at once"
    }
}
