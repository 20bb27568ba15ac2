internal import CProgram
internal import CurlTransport
internal import Glibc
internal import PlugCore
internal import Synchronization

/// A program that runs: its stdout, and the ways to end it.
///
/// Between it and us is a keeper (CProgram), a process that watches its limits and ends it with all its descendants, whatever
/// becomes of this process.
package final class RunningProgram: Sendable {
    private let limits: ProgramLimits
    private let output: SharedDescriptor
    private let control: SharedDescriptor
    private let report: SharedDescriptor
    /// Where the sandbox tells of the program's end; `nil` without one.
    private let status: SharedDescriptor?
    let keeper: pid_t
    private let errors = ErrorOutput()
    private let egress: EgressProxy?
    /// A folder of its own outside a sandbox, to be removed.
    private let scratch: String?
    private let secretFiles: [String]
    private let state = Mutex(State())
    /// Held by whoever waits for the end.
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

    /// What came of waiting for output.
    package enum Output: Sendable, Equatable {
        /// So many bytes.
        case bytes(Int)
        /// Nothing, for as long as was waited.
        case silence
        /// Nothing any more.
        case end
    }

    /// Reads what the program has written, waiting for it. Blocks its thread.
    ///
    /// - Parameters:
    ///   - buffer: Takes the bytes.
    ///   - patience: How long to wait, in milliseconds; negative for as long as the program runs.
    package func read(into buffer: UnsafeMutableRawBufferPointer, patience: Int32) -> Output {
        // The keeper's end hangs up; its report comes before that.
        var watched = [
            pollfd(fd: output.value, events: Int16(POLLIN), revents: 0),
            pollfd(fd: report.value, events: 0, revents: 0),
        ]
        while true {
            // poll(2): 0 is the end of patience, -1 with EINTR is a signal and no failure.
            let ready = poll(&watched, 2, patience)
            if ready == 0 { return .silence }
            if ready < 0 { if errno == EINTR { continue } else { return .end } }
            // Where the keeper was killed, something that it can no longer end may hold the output open for ever.
            if watched[0].revents == 0, !hasReport { return .end }
            let count = Glibc.read(output.value, buffer.baseAddress, buffer.count)
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { return .end }
            self.count(count)
            return .bytes(count)
        }
    }

    /// Whether the keeper's report can be read.
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

    /// Removes the files that hold secrets, as soon as the program has read them; outside a sandbox, which has its own.
    package func removeSecrets() {
        // unlink(2): it fails where the program has removed its file itself.
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
        // One byte into an empty pipe never waits.
        if isFirst { control.write(UInt8(ascii: "T")) }
    }

    /// Waits until the program and all its processes have ended, and says how. Blocks its thread; once it has ended, gives the
    /// same answer again.
    ///
    /// - Parameter killing: Whether what is left is killed at once, instead of waiting for the program's own end.
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
        // Written in one piece, at the very end; 0 where the keeper was killed.
        let count = withUnsafeMutableBytes(of: &report) { Self.readAll(self.report.value, $0) }
        var code: Int32 = 0
        // The keeper is our child: nobody else waits for it.
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
        // strerror(3) gives a text of its own for every number.
        PlugError(
            .programNotStarted,
            "the program was not started: \(what): \(String(cString: strerror(code)))",
            advice: "nothing is lost: run it again when the machine has more to give"
        )
    }
}
