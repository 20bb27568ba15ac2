import Foundation
import Glibc
import LosslessJSON

/// An answer as it came over the wire.
struct Reply: Sendable {
    var status: Int
    var headers: [String: String]
    var body: [UInt8]

    var text: String { String(decoding: body, as: UTF8.self) }
    var json: JSONValue? { try? JSONValue(parsing: body, limits: JSONLimits(depth: 300)) }
    /// The refreshed token.
    var token: String? { headers["x-auth-token"] }
}

/// One request on one connection, over a plain socket.
struct TestClient: Sendable {
    var port: Int

    func send(
        _ method: String,
        _ target: String,
        headers: [(String, String)] = [],
        body: [UInt8]? = nil
    ) async throws -> Reply {
        var head = "\(method) \(target) HTTP/1.1\r\nConnection: close\r\n"
        if !headers.contains(where: { $0.0 == "Host" }) { head += "Host: 127.0.0.1:\(port)\r\n" }
        for (name, value) in headers { head += "\(name): \(value)\r\n" }
        if let body { head += "Content-Length: \(body.count)\r\n" }
        let request = Array((head + "\r\n").utf8) + (body ?? [])
        let port = port
        // A thread of its own: the cooperative pool belongs to the server under test.
        let bytes: [UInt8] = try await withCheckedThrowingContinuation { continuation in
            Thread.detachNewThread { continuation.resume(with: Result { try Self.exchange(request, port) }) }
        }
        return try Self.reply(bytes)
    }

    struct Failure: Error { var what: String }

    private static func exchange(_ request: [UInt8], _ port: Int) throws -> [UInt8] {
        let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        guard descriptor >= 0 else { throw Failure(what: "socket") }
        defer { close(descriptor) }
        var patience = timeval(tv_sec: 600, tv_usec: 0)
        setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &patience, socklen_t(MemoryLayout<timeval>.size))
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = in_port_t(port).bigEndian
        address.sin_addr.s_addr = inet_addr("127.0.0.1")
        let connected = withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        guard connected == 0 else { throw Failure(what: "connect") }
        var at = 0
        while at < request.count {
            let count = request[at...].withUnsafeBytes {
                Glibc.send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
            }
            guard count > 0 else { throw Failure(what: "send") }
            at += count
        }
        var answer: [UInt8] = []
        var part = [UInt8](repeating: 0, count: 65536)
        while true {
            let count = recv(descriptor, &part, part.count, 0)
            guard count >= 0 else { throw Failure(what: "receive") }
            if count == 0 { return answer }
            answer += part[..<count]
        }
    }

    private static func reply(_ bytes: [UInt8]) throws -> Reply {
        guard let end = bytes.firstRange(of: Array("\r\n\r\n".utf8)) else { throw Failure(what: "no head") }
        let lines = String(decoding: bytes[..<end.lowerBound], as: UTF8.self).components(separatedBy: "\r\n")
        guard let status = lines[0].split(separator: " ").dropFirst().first.flatMap({ Int($0) }) else {
            throw Failure(what: "no status")
        }
        var headers: [String: String] = [:]
        for line in lines.dropFirst() {
            let parts = line.split(separator: ":", maxSplits: 1)
            headers[parts[0].lowercased()] = parts[1].trimmingCharacters(in: .whitespaces)
        }
        return Reply(status: status, headers: headers, body: Array(bytes[end.upperBound...]))
    }
}
