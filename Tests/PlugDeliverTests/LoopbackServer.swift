import CurlTransport
import Foundation
import LosslessJSON

/// A PDA on a real socket: one connection for each request, which ends without an answer where the model says so.
final class LoopbackServer: Sendable {
    let port: UInt16
    private let listener: Int32
    private let model: ModelPDA

    /// Listens on a free port of 127.0.0.1, `nil` where the system gives none.
    init?(_ model: ModelPDA) {
        self.model = model
        listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        guard listener >= 0 else { return nil }
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let descriptor = listener
        // bind, getsockname and listen give 0; the address is copied during the call.
        let isListening =
            withUnsafeMutablePointer(to: &address) { pointer in
                pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                    bind(descriptor, $0, length) == 0 && getsockname(descriptor, $0, &length) == 0
                }
            } && listen(descriptor, 16) == 0
        port = UInt16(bigEndian: address.sin_port)
        guard isListening else { return nil }
        Thread.detachNewThread { [self] in serve() }
    }

    /// Ends the thread: `accept` fails on a socket that has been shut down.
    func stop() { shutdown(listener, Int32(SHUT_RDWR)) }

    private func serve() {
        while true {
            let connection = accept(listener, nil, nil)
            guard connection >= 0 else { break }
            if let request = read(connection), case .success(let response) = model.respond(request) {
                write(response, to: connection)
            }
            close(connection)
        }
        close(listener)
    }

    private func read(_ connection: Int32) -> HTTPRequest? {
        var bytes: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: 65536)
        var head: String?
        var bodyStart = 0
        var wanted = Int.max
        while bytes.count < wanted {
            let count = recv(connection, &chunk, chunk.count, 0)
            guard count > 0 else { return nil }
            bytes += chunk[..<count]
            if head == nil, let end = bytes.firstRange(of: Array("\r\n\r\n".utf8)) {
                let text = String(decoding: bytes[..<end.lowerBound], as: UTF8.self)
                let length = text.firstMatch(of: /(?i)content-length: *([0-9]+)/).flatMap { Int($0.1) } ?? 0
                head = text
                bodyStart = end.upperBound
                wanted = bodyStart + length
            }
        }
        guard let lines = head?.components(separatedBy: "\r\n"), let first = lines.first else { return nil }
        let words = first.split(separator: " ")
        let names = ["X-Auth-Token", "Content-Type", "Accept"]
        let headers = names.compactMap { name in
            lines.first { $0.lowercased().hasPrefix(name.lowercased() + ":") }
                .map { HTTPHeader(name, $0.dropFirst(name.count + 1).trimmingCharacters(in: .whitespaces)) }
        }
        let url = "https://alice.example\(words.count > 1 ? words[1] : "")"
        return HTTPRequest(
            method: String(words[0]),
            url: url,
            headers: headers,
            body: Array(bytes[bodyStart...]),
            side: .pda
        )
    }

    private func write(_ response: HTTPResponse, to connection: Int32) {
        let body = response.body.withBytes { Array($0) }
        var head = "HTTP/1.1 \(response.status) Whatever\r\nContent-Length: \(body.count)\r\nConnection: close\r\n"
        for field in response.headers.fields { head += "\(field.name): \(field.value)\r\n" }
        let bytes = Array("\(head)\r\n".utf8) + body
        var sent = 0
        while sent < bytes.count {
            let count = bytes[sent...].withUnsafeBytes {
                send(connection, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
            }
            guard count > 0 else { return }
            sent += count
        }
    }
}
