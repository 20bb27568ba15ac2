internal import Dispatch
internal import Glibc
internal import PlugCore
internal import Synchronization

/// A program's stderr: read continuously, so that it never waits for us; only the tail is kept.
final class ErrorOutput: Sendable {
    /// The size of the kept tail, in bytes.
    private static let kept = 16 << 10

    private struct Content {
        var tail: [UInt8] = []
        var count = 0
    }

    private let content = Mutex(Content())
    private let isOver = DispatchSemaphore(value: 0)

    /// Starts reading, on a thread of its own.
    ///
    /// - Parameter counting: Called with the size of each piece.
    func read(_ descriptor: SharedDescriptor, counting: @escaping @Sendable (Int) -> Void) {
        let work: @Sendable () -> Void = { [self] in
            var chunk = [UInt8](repeating: 0, count: 64 << 10)
            while true {
                // read(2): 0 is the end, -1 with EINTR is a signal rather than a failure.
                let count = Glibc.read(descriptor.value, &chunk, chunk.count)
                if count < 0, errno == EINTR { continue }
                guard count > 0 else { break }
                keep(chunk.prefix(count))
                counting(count)
            }
            descriptor.close()
            isOver.signal()
        }
        // If the system has no more threads, the output is lost; the program finds its reader gone.
        if !runsOnNewThread(work) {
            descriptor.close()
            isOver.signal()
        }
    }

    private func keep(_ bytes: ArraySlice<UInt8>) {
        content.withLock { content in
            content.count += bytes.count
            content.tail += bytes
            if content.tail.count > 2 * Self.kept { content.tail.removeFirst(content.tail.count - Self.kept) }
        }
    }

    /// Waits until the program's last output is read. Blocks its thread.
    ///
    /// - Parameter isKept: Whether every writer has ended by then. If the keeper was killed, some may be left, and their output
    ///   is not waited for.
    func wait(isKept: Bool) {
        guard isKept else { return _ = isOver.wait(timeout: .now() + .seconds(1)) }
        isOver.wait()
        isOver.signal()
    }

    /// The last lines, and the total number of bytes.
    var end: (lines: [String], bytes: Int) {
        content.withLock { content in
            var tail = content.tail[...]
            // An incomplete line is not shown at all: a secret that was cut off would not be recognised in it.
            if content.count > tail.count {
                tail = tail.firstIndex(of: 0x0A).map { tail[($0 + 1)...] } ?? []
                if tail.isEmpty { return (["(its last line has more than \(Self.kept >> 10) KiB)"], content.count) }
            }
            return (tail.split(separator: 0x0A).suffix(20).map { String(decoding: $0, as: UTF8.self) }, content.count)
        }
    }
}
