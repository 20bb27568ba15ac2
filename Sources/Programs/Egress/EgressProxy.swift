internal import CProgram
internal import CurlTransport
internal import Glibc
internal import PlugCore
internal import Synchronization

/// The only thing in a sandboxed program's network: a proxy that connects to the plug's hosts and nothing else.
///
/// Its listening socket was created inside the program's network and belongs to it; the connections that it makes are this
/// process's. Each connection of the program has its own thread, which waits in poll(2); their number is limited.
final class EgressProxy: Sendable {
    /// Concurrent connections.
    static let width = 32
    /// Bytes in both directions together, for the program's lifetime.
    static let limit = 32 << 30

    private let listener: SharedDescriptor
    let rules: EgressRules
    /// Closed to end every wait.
    private let stopping: SharedDescriptor
    /// Watched by all waits: readable once `stopping` is closed.
    let stopped: SharedDescriptor
    private let state = Mutex(State())

    private struct State {
        var connections = 0
        var bytes = 0
        var refused: [String] = []

        mutating func enter() -> Bool {
            guard connections < EgressProxy.width else { return false }
            connections += 1
            return true
        }
    }

    init?(_ listener: SharedDescriptor, _ rules: EgressRules) {
        guard let pipe = try? Pipe() else { return nil }
        self.listener = listener
        self.rules = rules
        (stopped, stopping) = (pipe.reading, pipe.writing)
    }

    /// Starts accepting, on a thread of its own.
    func start() {
        let work: @Sendable () -> Void = { [self] in accept() }
        // Without a thread the program has no network, and says so.
        if !runsOnNewThread(work) { listener.close() }
    }

    /// Ends all connections.
    func stop() { stopping.close() }

    private func accept() {
        defer { listener.close() }
        while true {
            var watched = [
                pollfd(fd: stopped.value, events: Int16(POLLIN), revents: 0),
                pollfd(fd: listener.value, events: Int16(POLLIN), revents: 0),
            ]
            // poll(2): -1 with EINTR is a signal rather than a failure.
            if poll(&watched, 2, -1) < 0, errno != EINTR { return }
            if watched[0].revents != 0 { return }
            if watched[1].revents == 0 { continue }
            let accepted = plughost_accept(listener.value)
            guard accepted >= 0 else {
                // The connection was aborted before it was accepted; a lack of descriptors is transient, too.
                if [EINTR, EAGAIN, ECONNABORTED, EMFILE, ENFILE].contains(errno) { continue }
                return
            }
            let near = SharedDescriptor(accepted)
            guard state.withLock({ $0.enter() }) else { continue }
            let work: @Sendable () -> Void = { [self] in
                EgressConnection(near, self).run()
                state.withLock { $0.connections -= 1 }
            }
            if !runsOnNewThread(work) { state.withLock { $0.connections -= 1 } }
        }
    }

    /// Records a refused destination with the reason: the first few, each once.
    func refuse(_ place: String) {
        state.withLock { state in
            if state.refused.count < 5, !state.refused.contains(place) { state.refused.append(place) }
        }
    }

    /// The refused destinations.
    var refused: [String] { state.withLock { $0.refused } }

    /// Counts relayed bytes.
    ///
    /// - Returns: Whether the limit allows more.
    func count(_ bytes: Int) -> Bool {
        state.withLock { state in
            state.bytes += bytes
            return state.bytes <= Self.limit
        }
    }
}
