internal import CurlTransport
internal import Glibc

/// One connection of a replay server: requests in, answers out.
struct ReplaySocket {
    private static let limit = 8 << 20
    let descriptor: Int32
    private var received: [UInt8] = []

    init(descriptor: Int32) { self.descriptor = descriptor }

    /// The next request, `nil` if the connection ends or sends something else.
    mutating func next() -> AskedRequest? {
        let mark = Array("\r\n\r\n".utf8)
        while true {
            if let end = received.firstRange(of: mark) {
                let lines = String(decoding: received[..<end.lowerBound], as: UTF8.self).split(separator: "\r\n")
                received.removeSubrange(..<end.upperBound)
                return request(lines)
            }
            guard receive() else { return nil }
        }
    }

    /// Sends an answer; `false` if the client has gone away.
    func send(_ status: Int, _ headers: [HTTPHeader], _ body: [UInt8]) -> Bool {
        var head = "HTTP/1.1 \(status) Replayed\r\n"
        let own: Set = ["content-length", "connection", "transfer-encoding", "content-encoding"]
        for header in headers where !own.contains(header.name.lowercased()) {
            head += "\(header.name): \(header.value)\r\n"
        }
        let bytes = Array("\(head)Content-Length: \(body.count)\r\n\r\n".utf8) + body
        var at = 0
        while at < bytes.count {
            // send(2) copies; with MSG_NOSIGNAL a vanished reader is an error, not a SIGPIPE.
            let count = bytes[at...].withUnsafeBytes {
                Glibc.send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
            }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { return false }
            at += count
        }
        return true
    }

    private mutating func request(_ lines: [Substring]) -> AskedRequest? {
        let words = lines.first?.split(separator: " ") ?? []
        guard words.count == 3, words[1].hasPrefix("/") else { return nil }
        var length: Int?
        var origin: String?
        var headers = HTTPHeaders()
        for line in lines.dropFirst() {
            let parts = line.split(separator: ":", maxSplits: 1).map { $0.drop { $0 == " " } }
            guard parts.count == 2 else { continue }
            headers.fields.append(HTTPHeader(String(parts[0]), String(parts[1])))
            switch parts[0].lowercased() {
            case "content-length": length = Int(parts[1])
            case "forwarded": origin = Self.origin(parts[1])
            default: break
            }
        }
        guard let origin, let url = try? HTTPURL(origin + words[1]), 0...Self.limit ~= (length ?? 0) else { return nil }
        while received.count < length ?? 0 { if !receive() { return nil } }
        let body = length.map { Array(received.prefix($0)) }
        received.removeFirst(length ?? 0)
        let hasBody = body?.isEmpty == false
        return AskedRequest(method: String(words[0]), url: url, headers: headers, body: hasBody ? body : nil)
    }

    /// `https://api.example.org` from `host="api.example.org";proto=https`.
    private static func origin(_ forwarded: Substring) -> String? {
        var values: [String: String] = [:]
        for part in forwarded.split(separator: ";") {
            let pair = part.split(separator: "=", maxSplits: 1)
            if pair.count == 2 { values[pair[0].lowercased()] = String(pair[1].filter { $0 != "\"" }) }
        }
        guard let host = values["host"], let scheme = values["proto"] else { return nil }
        return "\(scheme)://\(host)"
    }

    private mutating func receive() -> Bool {
        guard received.count <= Self.limit else { return false }
        var chunk = [UInt8](repeating: 0, count: 16 << 10)
        while true {
            // recv(2): 0 is the end, -1 with EINTR a signal.
            let count = recv(descriptor, &chunk, chunk.count, 0)
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { return false }
            received += chunk[..<count]
            return true
        }
    }
}
