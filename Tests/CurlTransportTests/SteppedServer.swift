import Glibc
import TestKit

/// A real server on a loopback address that does what it is told, byte by byte: one script for each connection.
final class SteppedServer: Sendable {
    enum Step: Sendable {
        /// Waits for a whole request and notes it.
        case read
        /// Sends bytes.
        case send([UInt8])
        /// Waits until the client closes.
        case hold
        /// Sends a byte over and over, with so many milliseconds between, until the client closes.
        case drip(UInt8, milliseconds: UInt32)
        /// Lets time pass.
        case pause(milliseconds: UInt32)
        /// Ends with a reset instead of an orderly end.
        case reset
        /// Goes back to the first step.
        case again

        static func send(_ text: String) -> Step { .send(Array(text.utf8)) }
    }

    private struct Record: Sendable {
        var requests: [String] = []
        var connections = 0
        var finished = 0
    }

    private let server: LoopbackServer
    private let record: Watched<Record>

    /// Connection n gets script n; the last script serves all further ones.
    init(version6: Bool = false, scripts: [[Step]]) throws {
        let record = Watched(Record())
        self.record = record
        server = try LoopbackServer(version6: version6) { connection in
            let script = record.change { record in
                record.connections += 1
                return scripts[min(record.connections, scripts.count) - 1]
            }
            Self.follow(script, on: &connection) { text in record.change { $0.requests.append(text) } }
            connection.end()
            record.change { $0.finished += 1 }
        }
    }

    var port: Int { server.port }
    var requests: [String] { record.value.requests }
    var connections: Int { record.value.connections }

    /// Refuses new connections; those that stand end with their clients.
    func stop() { server.stop() }

    /// Returns once so many requests have come.
    func waitForRequests(_ count: Int) async { await record.wait { $0.requests.count >= count } }

    /// Returns once so many connections are over.
    func waitForEnds(_ count: Int) async { await record.wait { $0.finished >= count } }

    private static func follow(
        _ script: [Step],
        on connection: inout LoopbackConnection,
        note: (String) -> Void
    ) {
        var index = 0
        while index < script.count {
            switch script[index] {
            case .read:
                guard let request = connection.next() else { return }
                note("\(request.head)\r\n\r\n\(request.text)")
            case .send(let bytes):
                guard connection.send(bytes) else { return }
            case .hold: return connection.waitForEnd()
            case .drip(let byte, let milliseconds):
                while connection.send([byte]) { usleep(milliseconds * 1000) }
                return
            case .pause(let milliseconds):
                usleep(milliseconds * 1000)
            case .reset: return connection.reset()
            case .again:
                index = -1
            }
            index += 1
        }
    }
}
