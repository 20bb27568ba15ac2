internal import CProgram
internal import CurlTransport
internal import Glibc
internal import PlugCore
internal import Synchronization

/// The only thing in a sandboxed program's network: a proxy that connects to the hosts of the plug and to nothing else.
///
/// Its listening socket was made inside the program's network and belongs to it; the connections that it makes are this process's.
/// Threads of its own carry them, which wait in poll(2): there are as many as the program has connections, and a bound for those.
final class EgressProxy: Sendable {
    /// Connections at a time.
    static let width = 32
    /// Bytes in both directions together, for the program's whole life.
    static let limit = 32 << 30

    private let listener: SharedDescriptor
    let rules: EgressRules
    /// Closed to end every wait.
    private let stopping: SharedDescriptor
    /// What all waits look at: readable once `stopping` is closed.
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

    /// Begins to accept, on a thread of its own.
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
            // poll(2): -1 with EINTR is a signal and no failure.
            if poll(&watched, 2, -1) < 0, errno != EINTR { return }
            if watched[0].revents != 0 { return }
            if watched[1].revents == 0 { continue }
            let accepted = plughost_accept(listener.value)
            guard accepted >= 0 else {
                // What was given up before it was accepted; a lack of descriptors passes, too.
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

    /// Notes where the program was not let, and why: the first few places, each once.
    func refuse(_ place: String) {
        state.withLock { state in
            if state.refused.count < 5, !state.refused.contains(place) { state.refused.append(place) }
        }
    }

    /// Where the program was not let.
    var refused: [String] { state.withLock { $0.refused } }

    /// Counts bytes that went through.
    ///
    /// - Returns: Whether more may.
    func count(_ bytes: Int) -> Bool {
        state.withLock { state in
            state.bytes += bytes
            return state.bytes <= Self.limit
        }
    }
}
