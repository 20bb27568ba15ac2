internal import CProgram
internal import CurlTransport
internal import Glibc
internal import PlugCore
internal import Synchronization

/// A running program: its stdout, and the ways to end it.
///
/// Between it and us is a keeper (CProgram), a process that enforces its limits and kills it with all its descendants, whatever
/// happens to this process.
package final class RunningProgram: Sendable {
    private let limits: ProgramLimits
    private let output: SharedDescriptor
    let control: SharedDescriptor
    let report: SharedDescriptor
    /// Where the sandbox reports the program's end; `nil` without one.
    private let status: SharedDescriptor?
    let keeper: pid_t
    private let errors = ErrorOutput()
    private let egress: EgressProxy?
    /// Its own folder outside a sandbox, to be removed.
    private let scratch: String?
    private let secretFiles: [String]
    private let state = Mutex(State())
    /// Held while waiting for the end.
    private let ended = Mutex<ProgramEnd?>(nil)

    private struct State {
        /// Bytes of both outputs.
        var bytes = 0
        /// Why it was asked to end.
        var stop: ProgramEnd.Cause?
    }

    init(_ starting: StartingProgram, keeper: pid_t, egress: EgressProxy?) {
        limits = starting.call.limits
        output = starting.output.reading
        control = starting.control.writing
        report = starting.report.reading
        status = starting.sandbox == nil ? nil : starting.status.reading
        scratch = starting.scratch
        secretFiles = starting.secretFiles
        self.keeper = keeper
        self.egress = egress
        errors.read(starting.errors.reading) { [weak self] in self?.count($0) }
    }

    /// How many bytes of its output can wait to be read, at least one page.
    package var outputRoom: Int { max(4_096, Int(plughost_pipe_room(output.value))) }

    /// The result of waiting for output.
    package enum Output: Sendable, Equatable {
        /// The number of bytes.
        case bytes(Int)
        /// No output within the time waited.
        case silence
        /// The end of the output.
        case end
    }

    /// Waits for output of the program and reads it. Blocks its thread.
    ///
    /// - Parameters:
    ///   - buffer: Receives the bytes.
    ///   - patience: How long to wait, in milliseconds; negative for as long as the program runs.
    package func read(into buffer: UnsafeMutableRawBufferPointer, patience: Int32) -> Output {
        // The keeper's end hangs up; its report arrives before that.
        var watched = [
            pollfd(fd: output.value, events: Int16(POLLIN), revents: 0),
            pollfd(fd: report.value, events: 0, revents: 0),
        ]
        while true {
            // poll(2): 0 is a timeout, -1 with EINTR is a signal rather than a failure.
            let ready = poll(&watched, 2, patience)
            if ready == 0 { return .silence }
            if ready < 0 { if errno == EINTR { continue } else { return .end } }
            // If the keeper was killed, a process that it can no longer kill may hold the output open for ever.
            if watched[0].revents == 0, !hasReport { return .end }
            let count = Glibc.read(output.value, buffer.baseAddress, buffer.count)
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { return .end }
            self.count(count)
            return .bytes(count)
        }
    }

    /// Whether the keeper's report has arrived.
    private var hasReport: Bool {
        var watched = pollfd(fd: report.value, events: Int16(POLLIN), revents: 0)
        return poll(&watched, 1, 0) > 0 && watched.revents & Int16(POLLIN) != 0
    }

    private func count(_ bytes: Int) {
        let total = state.withLock { state in
            state.bytes += bytes
            return state.bytes
        }
        if total > limits.output { end(.limit("output (\(limits.output >> 20) MiB)")) }
    }

    /// Removes the files that contain secrets, once the program has read them; outside a sandbox, which has its own.
    package func removeSecrets() {
        // unlink(2): it fails if the program has removed its file itself.
        for file in secretFiles { unlink(file) }
    }

    /// Asks the program to end, and has it killed if it does not.
    package func stop() { end(.stopped) }

    private func end(_ cause: ProgramEnd.Cause) {
        let isFirst = state.withLock { state in
            guard state.stop == nil else { return false }
            state.stop = cause
            return true
        }
        // Writing one byte to an empty pipe never blocks.
        if isFirst { control.write(UInt8(ascii: "T")) }
    }

    /// Waits until the program and all its processes have ended, and returns how. Blocks its thread; later calls return the same
    /// result.
    ///
    /// - Parameter killing: Whether to kill what is left at once, instead of waiting for the program to end.
    package func finish(killing: Bool) -> ProgramEnd {
        if killing { control.close() }
        return ended.withLock { ended in
            let end = ended ?? waitForEnd()
            ended = end
            return end
        }
    }

    private func waitForEnd() -> ProgramEnd {
        var report = plughost_program_report()
        let size = MemoryLayout.size(ofValue: report)
        // Written in one piece, at the very end; 0 if the keeper was killed.
        let count = withUnsafeMutableBytes(of: &report) { Self.readAll(self.report.value, $0) }
        var code: Int32 = 0
        // The keeper is our child: only we wait for it.
        while waitpid(keeper, &code, 0) < 0, errno == EINTR {}
        control.close()
        errors.wait(isKept: count == size)
        egress?.stop()
        output.close()
        let wrapped = status.map { status -> String in
            var bytes = [UInt8](repeating: 0, count: 4_096)
            let count = bytes.withUnsafeMutableBytes { Self.readAll(status.value, $0) }
            return String(decoding: bytes.prefix(count), as: UTF8.self)
        }
        removeSecrets()
        if let scratch { ScratchFolder.remove(scratch) }
        return ProgramEnd(
            count == size ? report : nil,
            wrapped: wrapped,
            limits,
            stoppedFor: state.withLock { $0.stop },
            errors,
            refused: egress?.refused ?? []
        )
    }

    private static func readAll(_ descriptor: Int32, _ buffer: UnsafeMutableRawBufferPointer) -> Int {
        var count = 0
        while count < buffer.count {
            let one = Glibc.read(descriptor, buffer.baseAddress.map { $0 + count }, buffer.count - count)
            if one < 0, errno == EINTR { continue }
            guard one > 0 else { break }
            count += one
        }
        return count
    }

    static func notStarted(_ what: String, _ code: Int32) -> PlugError {
        // strerror(3) returns a distinct text for every number.
        PlugError(
            .programNotStarted,
            "the program was not started: \(what): \(String(cString: strerror(code)))",
            advice: "nothing is lost: run it again when the machine has more to give"
        )
    }
}
