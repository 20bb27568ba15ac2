import Glibc
import Synchronization

/// A source on a loopback address: real sockets, one thread for each connection, answers from a closure.
final class SourceServer: Sendable {
    struct Request: Sendable {
        var method: String
        var target: String
        var head: String
        var body: String

        /// A parameter of the query, as it is written.
        func parameter(_ name: String) -> String? {
            let query = target.split(separator: "?", maxSplits: 1).dropFirst().first ?? ""
            return query.split(separator: "&").first { $0.hasPrefix("\(name)=") }.map {
                String($0.dropFirst(name.count + 1))
            }
        }
        var path: String { String(target.prefix { $0 != "?" }) }
    }

    struct Answer: Sendable {
        var status = 200
        var headers: [String] = []
        var body = ""
        /// Ends the connection so many bytes before the end of the body.
        var short = 0
        /// Ends the connection without an answer.
        var isMissing = false

        static func json(_ body: String, _ headers: String...) -> Answer { Answer(headers: headers, body: body) }
        static func status(_ status: Int, _ headers: String...) -> Answer {
            Answer(status: status, headers: headers, body: "{}")
        }
    }

    let port: Int
    private let listener: Int32
    private let requests = Mutex<[Request]>([])
    private let answer: @Sendable (Request, Int) -> Answer

    /// - Parameter answer: The answer to a request and its number, from 0.
    init(_ answer: @escaping @Sendable (Request, Int) -> Answer) throws {
        self.answer = answer
        let listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let isBound = withUnsafeMutablePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
                bind(listener, address, length) == 0 && listen(listener, 128) == 0
                    && getsockname(listener, address, &length) == 0
            }
        }
        struct CannotListen: Error {}
        guard listener >= 0, isBound else { throw CannotListen() }
        port = Int(UInt16(bigEndian: address.sin_port))
        self.listener = listener
        Self.thread { [self] in
            while case let client = accept(listener, nil, nil), client >= 0 { Self.thread { self.serve(client) } }
            close(listener)
        }
    }

    /// Refuses new connections; those that stand end with their clients.
    func stop() { shutdown(listener, Int32(SHUT_RDWR)) }

    /// What was asked, in order.
    var asked: [Request] { requests.withLock { $0 } }

    private func serve(_ client: Int32) {
        defer { close(client) }
        var input: [UInt8] = []
        while let request = read(from: client, &input) {
            let at = requests.withLock { requests in
                requests.append(request)
                return requests.count - 1
            }
            let answer = answer(request, at)
            if answer.isMissing { return }
            let body = Array(answer.body.utf8)
            let lines = ["HTTP/1.1 \(answer.status) Answer", "Content-Length: \(body.count)"] + answer.headers
            let bytes = Array((lines.joined(separator: "\r\n") + "\r\n\r\n").utf8) + body.dropLast(answer.short)
            guard send(bytes, to: client), answer.short == 0 else { return }
        }
    }

    private func read(from client: Int32, _ input: inout [UInt8]) -> Request? {
        while true {
            if let end = input.firstRange(of: Array("\r\n\r\n".utf8)) {
                let head = String(decoding: input[..<end.lowerBound], as: UTF8.self)
                let lines = head.split(separator: "\r\n")
                let length =
                    lines.first { $0.lowercased().hasPrefix("content-length: ") }.flatMap { Int($0.dropFirst(16)) } ?? 0
                if input.count >= end.upperBound + length {
                    let body = String(decoding: input[end.upperBound..<(end.upperBound + length)], as: UTF8.self)
                    input.removeFirst(end.upperBound + length)
                    let words = lines[0].split(separator: " ")
                    return Request(method: String(words[0]), target: String(words[1]), head: head, body: body)
                }
            }
            var chunk = [UInt8](repeating: 0, count: 65_536)
            let count = recv(client, &chunk, chunk.count, 0)
            guard count > 0 else { return nil }
            input += chunk.prefix(count)
        }
    }

    private func send(_ bytes: [UInt8], to client: Int32) -> Bool {
        var sent = 0
        while sent < bytes.count {
            let count = bytes.withUnsafeBytes { source in
                Glibc.send(client, source.baseAddress.map { $0 + sent }, bytes.count - sent, Int32(MSG_NOSIGNAL))
            }
            guard count > 0 else { return false }
            sent += count
        }
        return true
    }

    private static func thread(_ body: @escaping @Sendable () -> Void) {
        final class Box {
            let body: @Sendable () -> Void
            init(_ body: @escaping @Sendable () -> Void) { self.body = body }
        }
        var thread = pthread_t()
        pthread_create(
            &thread,
            nil,
            { context in
                if let context { Unmanaged<Box>.fromOpaque(context).takeRetainedValue().body() }
                return nil
            },
            Unmanaged.passRetained(Box(body)).toOpaque()
        )
        pthread_detach(thread)
    }
}
