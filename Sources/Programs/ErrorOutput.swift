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

    /// Waits until the program's last word is read. Blocks its thread; every writer has ended by then.
    func wait() {
        isOver.wait()
        isOver.signal()
    }

    /// The last lines, and how many bytes there were in all.
    var end: (lines: [String], bytes: Int) {
        content.withLock { content in
            let lines = content.tail.split(separator: 0x0A).suffix(20).map { line in
                String(decoding: line.prefix(1_000), as: UTF8.self)
            }
            return (lines, content.count)
        }
    }
}
