internal import Synchronization

/// A server on a loopback address that keeps the requests that it gets, and answers as it is told.
package final class KeepingServer: Sendable {
    private let kept: Kept
    private let server: LoopbackServer

    private final class Kept: Sendable {
        let requests = Mutex<[LoopbackRequest]>([])
        let statuses: Mutex<[Int]>

        init(_ statuses: [Int]) { self.statuses = Mutex(statuses) }
    }

    /// - Parameter statuses: The first answers; then it answers with 204.
    package init(answering statuses: [Int] = []) throws {
        let kept = Kept(statuses)
        self.kept = kept
        server = try LoopbackServer { connection in
            while let request = connection.next() {
                kept.requests.withLock { $0.append(request) }
                let status = kept.statuses.withLock { $0.isEmpty ? 204 : $0.removeFirst() }
                guard connection.answer(status, status == 302 ? ["Location: /elsewhere"] : [], []) else { return }
            }
        }
    }

    /// The requests in the order in which they came.
    package var requests: [LoopbackRequest] { kept.requests.withLock { $0 } }

    /// `http://127.0.0.1:PORT`
    package var origin: String { "http://\(server.authority)" }

    /// Refuses new connections.
    package func stop() { server.stop() }
}
