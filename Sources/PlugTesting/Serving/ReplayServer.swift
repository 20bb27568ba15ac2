internal import Dispatch
internal import Glibc
package import PlugCore
internal import Synchronization

/// A small HTTP/1.1 server on loopback that answers from a cassette.
///
/// It takes the requests of `RedirectingTransport`: the `Forwarded` header says what was really requested. Requests that the
/// cassette lacks are answered with 404 and the nearest exchange; a used exchange answers again.
package final class ReplayServer: Sendable {
    private struct State {
        var matcher: ExchangeMatcher
        var connections: Set<Int32> = []
        var isStopped = false
    }

    /// `http://127.0.0.1:PORT`
    package let origin: String
    private let listener: Int32
    private let state: Mutex<State>

    /// Starts serving; the system chooses the port.
    ///
    /// - Throws: `PlugError` `replay-server`, exit 69, if the system refuses a socket.
    package init(_ cassette: Cassette) throws(PlugError) {
        // socket(2): ours to close; on -1, errno says why.
        listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        guard listener >= 0 else { throw Self.failure() }
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = inet_addr("127.0.0.1")
        var size = socklen_t(MemoryLayout<sockaddr_in>.size)
        let descriptor = listener
        let listens = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(descriptor, $0, size) == 0 && listen(descriptor, 16) == 0
                    && getsockname(descriptor, $0, &size) == 0
            }
        }
        guard listens else {
            let error = Self.failure()
            close(descriptor)
            throw error
        }
        origin = "http://127.0.0.1:\(UInt16(bigEndian: address.sin_port))"
        state = Mutex(State(matcher: ExchangeMatcher(cassette)))
        // Separate queues: these calls block, which is not allowed on a thread that runs tasks.
        DispatchQueue(label: "plughost.replay").async { self.accept() }
    }

    /// Stops accepting and closes all connections.
    package func stop() {
        state.withLock { state in
            guard !state.isStopped else { return }
            state.isStopped = true
            // shutdown(2) wakes accept(2) and recv(2); the waiting queue closes the socket.
            shutdown(listener, Int32(SHUT_RDWR))
            for connection in state.connections { shutdown(connection, Int32(SHUT_RDWR)) }
        }
    }

    private func accept() {
        while true {
            let connection = Glibc.accept(listener, nil, nil)
            if connection < 0, errno == EINTR || errno == ECONNABORTED { continue }
            let isWanted = state.withLock { state in
                if connection >= 0, !state.isStopped { state.connections.insert(connection) }
                return !state.isStopped
            }
            guard connection >= 0, isWanted else {
                if connection >= 0 { close(connection) }
                close(listener)
                return
            }
            DispatchQueue(label: "plughost.replay.connection").async { self.serve(connection) }
        }
    }

    private func serve(_ connection: Int32) {
        var socket = ReplaySocket(descriptor: connection)
        var isOpen = true
        while isOpen, let request = socket.next() {
            switch state.withLock({ $0.matcher.serve(request) }) {
            case .success(let exchange): isOpen = socket.send(exchange.status, exchange.headers, exchange.body)
            case .failure(let error): isOpen = socket.send(404, [], Array(error.message.utf8))
            }
        }
        // Removed from the set before it is closed: a reused number must not be shut down.
        _ = state.withLock { $0.connections.remove(connection) }
        close(connection)
    }

    private static func failure() -> PlugError {
        PlugError(.replayServer, "cannot start a server on 127.0.0.1: \(String(cString: strerror(errno)))")
    }
}
