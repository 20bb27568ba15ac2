internal import Glibc
internal import PlugCore
internal import Programs
internal import Singer
internal import Synchronization

/// Reads a program's stdout in batches of lines, on a thread that may block.
final class SingerInput: Sendable {
    /// The lines that have arrived.
    struct Portion: Sendable {
        var batch: LineBatch?
        /// Whether it is time to deliver what there is: nothing more has come for a while, or a period is over.
        var isDue = false
        var isEnd = false
    }

    /// How many bytes are read at once.
    private static let batchSize = 512 << 10
    /// How long records wait for others, in milliseconds.
    private static let longestWait: Int64 = 2_000
    /// Most programs write each message separately, and waking up for each costs more than reading it: if fewer than `smallRead` bytes
    /// have come, the next check is later. Meanwhile the pipe buffers their output.
    private static let smallRead = 32 << 10
    /// How much later, in microseconds: a program that writes 64 MB per second fills the pipe in that time. That is 16 ms with a
    /// pipe of 1 MiB.
    private let readPause: UInt32

    private let program: RunningProgram
    private let gatherer: Mutex<LineGatherer>
    private let begun = Latch()

    init(_ program: RunningProgram, lineLimit: Int) {
        self.program = program
        gatherer = Mutex(LineGatherer(limit: lineLimit))
        readPause = UInt32(program.outputRoom / 64)
    }

    /// Waits for the next input. Blocks its thread.
    ///
    /// - Parameter isHolding: Whether earlier input is already waiting.
    func next(isHolding: Bool) -> Portion {
        gatherer.withLock { gatherer in
            var portion = Portion()
            var isWaiting = isHolding
            let start = Self.now()
            withUnsafeTemporaryAllocation(byteCount: 128 << 10, alignment: 16) { buffer in
                while gatherer.byteCount < Self.batchSize, !gatherer.isFaulty {
                    let rest = Self.longestWait - (Self.now() - start)
                    if isWaiting, rest <= 0 {
                        portion.isDue = true
                        return
                    }
                    switch program.read(into: buffer, patience: isWaiting ? Int32(rest) : -1) {
                    case .bytes(let count):
                        gatherer.take(UnsafeRawBufferPointer(rebasing: buffer[..<count]))
                        if gatherer.byteCount > 0 { noteBegin() }
                        isWaiting = isWaiting || gatherer.byteCount > 0
                        // usleep(3) ends early on a signal, which only means an earlier check.
                        if count < Self.smallRead { usleep(readPause) }
                    case .silence:
                        portion.isDue = true
                        return
                    case .end:
                        gatherer.finish()
                        portion.isEnd = true
                        return
                    }
                }
            }
            portion.batch = gatherer.batch()
            return portion
        }
    }

    /// The program has written a line, so it has read its input: otherwise it would have nothing to say.
    private func noteBegin() {
        if begun.set() { program.removeSecrets() }
    }

    private static func now() -> Int64 {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        return Int64(time.tv_sec) * 1_000 + Int64(time.tv_nsec) / 1_000_000
    }
}
