import Glibc

/// An HTTP server on loopback that can misbehave: a thread for each connection, one closure that answers.
final class LoopbackServer: Sendable {
    struct Request: Sendable {
        var method: String
        /// Path and query.
        var target: String
        /// By lower-case name.
        var headers: [String: String]
        var body: [UInt8]
    }

    enum Answer: Sendable {
        case whole(Int, headers: [String: String] = [:], String)
        /// The head and the first half of the body, and then the end of the connection.
        case half(Int, String)
        /// The connection is reset without an answer.
        case reset
        /// Nothing, until the client ends the connection.
        case none
    }

    let authority: String
    private let listener: Int32
    private let answer: @Sendable (Request) -> Answer

    struct Failure: Error {}

    init(answer: @escaping @Sendable (Request) -> Answer) throws {
        self.answer = answer
        listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = inet_addr("127.0.0.1")
        var size = socklen_t(MemoryLayout<sockaddr_in>.size)
        let descriptor = listener
        let listens = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(descriptor, $0, size) == 0 && listen(descriptor, 64) == 0
                    && getsockname(descriptor, $0, &size) == 0
            }
        }
        guard listens else { throw Failure() }
        authority = "127.0.0.1:\(UInt16(bigEndian: address.sin_port))"
        onAThread { [weak self] in
            while true {
                let connection = accept(descriptor, nil, nil)
                guard connection >= 0, let self else { return }
                onAThread { self.serve(connection) }
            }
        }
    }

    /// Wakes `accept`, which then fails.
    func stop() { shutdown(listener, Int32(SHUT_RDWR)) }

    private func serve(_ connection: Int32) {
        defer { close(connection) }
        var buffer: [UInt8] = []
        while let request = Self.read(connection, &buffer) {
            switch answer(request) {
            case .whole(let status, let headers, let body):
                guard Self.write(connection, Self.head(status, headers, body) + body.utf8) else { return }
            case .half(let status, let body):
                _ = Self.write(connection, Self.head(status, [:], body) + body.utf8.prefix(body.utf8.count / 2))
                return
            case .none:
                var byte: UInt8 = 0
                _ = Glibc.read(connection, &byte, 1)
                return
            case .reset:
                // Closing with nothing to linger for sends a reset.
                var linger = linger(l_onoff: 1, l_linger: 0)
                setsockopt(connection, SOL_SOCKET, SO_LINGER, &linger, socklen_t(MemoryLayout.size(ofValue: linger)))
                return
            }
        }
    }

    private static func head(_ status: Int, _ headers: [String: String], _ body: String) -> [UInt8] {
        var head = "HTTP/1.1 \(status) X\r\nContent-Type: application/json\r\nContent-Length: \(body.utf8.count)\r\n"
        for (name, value) in headers { head += "\(name): \(value)\r\n" }
        return Array((head + "\r\n").utf8)
    }

    /// The next request; `nil` at the end of the connection, also where it ends inside a request.
    private static func read(_ connection: Int32, _ buffer: inout [UInt8]) -> Request? {
        let end = Array("\r\n\r\n".utf8)
        while true {
            if let head = buffer.firstRange(of: end) {
                let lines = String(decoding: buffer[..<head.lowerBound], as: UTF8.self).components(of: "\r\n")
                let words = lines[0].split(separator: " ").map(String.init)
                var headers: [String: String] = [:]
                for line in lines.dropFirst() {
                    let sides = line.split(separator: ":", maxSplits: 1).map(String.init)
                    if sides.count == 2 { headers[sides[0].lowercased()] = String(sides[1].drop { $0 == " " }) }
                }
                let length = headers["content-length"].flatMap { Int($0) } ?? 0
                if words.count == 3, buffer.count >= head.upperBound + length {
                    let body = Array(buffer[head.upperBound..<head.upperBound + length])
                    buffer.removeSubrange(..<(head.upperBound + length))
                    return Request(method: words[0], target: words[1], headers: headers, body: body)
                }
            }
            var chunk = [UInt8](repeating: 0, count: 16_384)
            let count = Glibc.read(connection, &chunk, chunk.count)
            guard count > 0 else { return nil }
            buffer += chunk[..<count]
        }
    }

    private static func write(_ connection: Int32, _ bytes: [UInt8]) -> Bool {
        // A client that was killed is no reason for a signal.
        send(connection, bytes, bytes.count, Int32(MSG_NOSIGNAL)) == bytes.count
    }
}

extension String {
    fileprivate func components(of separator: String) -> [String] {
        var parts: [String] = []
        var rest = self[...]
        while let range = rest.firstRange(of: separator) {
            parts.append(String(rest[..<range.lowerBound]))
            rest = rest[range.upperBound...]
        }
        return parts + [String(rest)]
    }
}

/// Runs something that blocks on a thread of its own.
func onAThread(_ work: @escaping @Sendable () -> Void) {
    final class Box: Sendable {
        let work: @Sendable () -> Void
        init(_ work: @escaping @Sendable () -> Void) { self.work = work }
    }
    var thread = pthread_t()
    let box = Unmanaged.passRetained(Box(work))
    pthread_create(
        &thread,
        nil,
        { context in
            guard let context else { return nil }
            Unmanaged<Box>.fromOpaque(context).takeRetainedValue().work()
            return nil
        },
        box.toOpaque()
    )
    pthread_detach(thread)
}
