internal import Dispatch
internal import Glibc
internal import PlugCore
internal import Synchronization

/// What a program says on stderr: read all the time, so that it never waits for us, and kept by its end.
final class ErrorOutput: Sendable {
    /// How much of the end is kept, in bytes.
    private static let kept = 16 << 10

    private struct Content {
        var tail: [UInt8] = []
        var count = 0
    }

    private let content = Mutex(Content())
    private let isOver = DispatchSemaphore(value: 0)

    /// Begins reading, on a thread of its own.
    ///
    /// - Parameter counting: Told of each piece's size.
    func read(_ descriptor: SharedDescriptor, counting: @escaping @Sendable (Int) -> Void) {
        let work: @Sendable () -> Void = { [self] in
            var chunk = [UInt8](repeating: 0, count: 64 << 10)
            while true {
                // read(2): 0 is the end, -1 with EINTR is a signal and no failure.
                let count = Glibc.read(descriptor.value, &chunk, chunk.count)
                if count < 0, errno == EINTR { continue }
                guard count > 0 else { break }
                keep(chunk.prefix(count))
                counting(count)
            }
            descriptor.close()
            isOver.signal()
        }
        // Where the system gives no more threads, what the program says is lost; it hears that its reader has gone.
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

    /// Waits until the program's last word is read. Blocks its thread.
    ///
    /// - Parameter isKept: Whether every writer has ended by then. Where the keeper was killed, some may be left, and their words
    ///   are not waited for.
    func wait(isKept: Bool) {
        guard isKept else { return _ = isOver.wait(timeout: .now() + .seconds(1)) }
        isOver.wait()
        isOver.signal()
    }

    /// The last lines, and how many bytes there were in all.
    var end: (lines: [String], bytes: Int) {
        content.withLock { content in
            var tail = content.tail[...]
            // Of a line that is not kept whole nothing is shown: a secret that is cut would not be recognised in it.
            if content.count > tail.count {
                tail = tail.firstIndex(of: 0x0A).map { tail[($0 + 1)...] } ?? []
                if tail.isEmpty { return (["(its last line has more than \(Self.kept >> 10) KiB)"], content.count) }
            }
            return (tail.split(separator: 0x0A).suffix(20).map { String(decoding: $0, as: UTF8.self) }, content.count)
        }
    }
}
