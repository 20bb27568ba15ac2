import CurlTransport
import Foundation
import LosslessJSON
import PDAClient
import Synchronization
import Testing

/// Gives written answers on a real socket, one connection for each, and remembers what was asked.
final class ScriptedServer: Sendable {
    private struct State {
        var answers: [Result<HTTPResponse, HTTPError>]
        var requests: [HTTPRequest] = []
    }

    let port: UInt16
    private let listener: Int32
    private let state: Mutex<State>

    private init?(_ answers: [Result<HTTPResponse, HTTPError>]) {
        state = Mutex(State(answers: answers))
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

    /// Gives a client whose PDA answers these, and the server. A failure closes the connection instead.
    static func withClient(
        _ answers: Result<HTTPResponse, HTTPError>...,
        tokens: InMemoryTokens = InMemoryTokens(Secret("T0")),
        _ body: (PDA, ScriptedServer) async throws -> Void
    ) async throws {
        let server = try #require(ScriptedServer(answers))
        defer { shutdown(server.listener, Int32(SHUT_RDWR)) }
        var policy = NetworkPolicy()
        policy.trustedPDAs = ["127.0.0.1:\(server.port)"]
        let transport = try HTTPTransport(policy: policy)
        do {
            try await body(PDA(server.url, tokens: tokens, transport: transport), server)
        } catch {
            await transport.shutDown()
            throw error
        }
        await transport.shutDown()
    }

    var url: String { "http://127.0.0.1:\(port)" }

    /// What was asked, the URL as path and query.
    var requests: [HTTPRequest] { state.withLock { $0.requests } }
    /// Such as `GET /x?y=1`.
    var lines: [String] { requests.map { "\($0.method) \($0.url)" } }

    private func serve() {
        while true {
            // accept fails once the socket was shut down.
            let connection = accept(listener, nil, nil)
            guard connection >= 0 else { break }
            if let request = read(connection) {
                let answer = state.withLock { state in
                    state.requests.append(request)
                    return state.answers.isEmpty ? nil : try? state.answers.removeFirst().get()
                }
                if let answer { write(answer, to: connection) }
            }
            close(connection)
        }
        close(listener)
    }

    private func read(_ connection: Int32) -> HTTPRequest? {
        var bytes: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: 65536)
        var lines: [Substring] = []
        var bodyStart = 0
        var wanted = Int.max
        while bytes.count < wanted {
            let count = recv(connection, &chunk, chunk.count, 0)
            guard count > 0 else { return nil }
            bytes += chunk[..<count]
            if lines.isEmpty, let end = bytes.firstRange(of: Array("\r\n\r\n".utf8)) {
                let text = String(decoding: bytes[..<end.lowerBound], as: UTF8.self)
                let length = text.firstMatch(of: /(?i)content-length: *([0-9]+)/).flatMap { Int($0.1) } ?? 0
                lines = text.split(separator: "\r\n")
                bodyStart = end.upperBound
                wanted = bodyStart + length
            }
        }
        let words = (lines.first ?? "").split(separator: " ")
        guard words.count == 3 else { return nil }
        let headers = lines.dropFirst().compactMap { line in
            line.firstIndex(of: ":").map {
                HTTPHeader(
                    String(line[..<$0]),
                    line[line.index(after: $0)...].trimmingCharacters(in: .whitespaces)
                )
            }
        }
        let body = Array(bytes[bodyStart...])
        return HTTPRequest(
            method: String(words[0]),
            url: String(words[1]),
            headers: headers,
            body: body.isEmpty ? nil : body,
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

extension HTTPRequest {
    func header(_ name: String) -> String? { HTTPHeaders(headers).first(name) }
    var text: String? { body.map { String(decoding: $0, as: UTF8.self) } }
}
