internal import Glibc
package import PlugCore
internal import Synchronization

/// The destination of a command's output: stdout, stderr, or memory in tests.
///
/// A reader that went away (`plughost … | head`) is a clean end: further output is dropped, and `isClosed` says so.
/// A descriptor that fails for another reason, such as a full disk, is closed too, and `failure` has the reason.
package final class TextSink: Sendable {
    private struct State {
        var pending: [UInt8] = []
        var isClosed = false
        var failure: PlugError?
    }

    private static let bufferSize = 32 << 10
    private let descriptor: Int32?
    private let isBuffered: Bool
    /// Takes each text instead of a descriptor.
    private let receiver: (@Sendable (String) -> Void)?
    private let state = Mutex(State())

    /// Writes to a descriptor that stays open; buffered for answers, unbuffered for messages.
    package init(descriptor: Int32, isBuffered: Bool) {
        self.descriptor = descriptor
        self.isBuffered = isBuffered
        receiver = nil
    }

    /// Passes on each text as it is written, such as to a log.
    package init(receiver: @escaping @Sendable (String) -> Void) {
        (descriptor, isBuffered) = (nil, false)
        self.receiver = receiver
    }

    /// Keeps everything in memory.
    package init() {
        descriptor = nil
        isBuffered = true
        receiver = nil
    }

    /// The contents of a sink in memory.
    package var text: String { state.withLock { String(decoding: $0.pending, as: UTF8.self) } }

    /// Whether the reader went away.
    package var isClosed: Bool { state.withLock { $0.isClosed } }

    /// Why not everything could be written; a reader that went away is not a failure.
    package var failure: PlugError? { state.withLock { $0.failure } }

    /// Writes a text as it is.
    package func write(_ text: String) { write(Array(text.utf8)) }

    /// Writes bytes as they are.
    package func write(_ bytes: [UInt8]) {
        if let receiver { return receiver(String(decoding: bytes, as: UTF8.self)) }
        state.withLock { state in
            guard !state.isClosed else { return }
            state.pending += bytes
            if descriptor != nil, !isBuffered || state.pending.count >= Self.bufferSize { drain(&state) }
        }
    }

    /// Flushes the buffer.
    package func flush() { state.withLock { if descriptor != nil { drain(&$0) } } }

    private func drain(_ state: inout State) {
        guard let descriptor else { return }
        var at = 0
        while at < state.pending.count, !state.isClosed {
            // write(2) copies from the array during the call; -1 leaves the reason in errno.
            let count = state.pending[at...].withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
            if count >= 0 {
                at += count
            } else if errno == EAGAIN {
                var waiting = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
                poll(&waiting, 1, -1)
            } else if errno != EINTR {
                state.isClosed = true
                if errno != EPIPE { state.failure = Self.failure(errno) }
            }
        }
        state.pending.removeAll(keepingCapacity: true)
    }

    private static func failure(_ number: Int32) -> PlugError {
        PlugError(
            .outputFailed,
            "cannot write the output: \(String(cString: strerror(number)))",
            advice: "what the command did is not undone; only its output is incomplete"
        )
    }
}
