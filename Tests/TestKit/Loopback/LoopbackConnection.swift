internal import Glibc

/// A server's end of a connection. It is closed with its owner.
package struct LoopbackConnection: ~Copyable {
    private var client: Int32
    /// What has come and was not read.
    private var input: [UInt8] = []

    init(_ client: Int32) { self.client = client }

    deinit { if client >= 0 { close(client) } }

    /// Ends the connection before its owner does.
    package mutating func end() {
        close(client)
        client = -1
    }

    /// The next request; `nil` at the end of the connection, also where it ends inside a request.
    package mutating func next() -> LoopbackRequest? {
        let blank = Array("\r\n\r\n".utf8)
        var found = input.firstRange(of: blank)
        while found == nil {
            guard receive() else { return nil }
            found = input.firstRange(of: blank)
        }
        guard let end = found else { return nil }
        var request = LoopbackRequest(head: String(decoding: input[..<end.lowerBound], as: UTF8.self))
        let size = end.upperBound + (request.header("Content-Length").flatMap { Int($0) } ?? 0)
        while input.count < size {
            guard receive() else { return nil }
        }
        request.body = Array(input[end.upperBound..<size])
        input.removeFirst(size)
        return request
    }

    /// The next line, without its end; `nil` at the end of the connection.
    package mutating func nextLine() -> String? {
        while true {
            if let end = input.firstRange(of: Array("\r\n".utf8)) {
                let line = String(decoding: input[..<end.lowerBound], as: UTF8.self)
                input.removeFirst(end.upperBound)
                return line
            }
            guard receive() else { return nil }
        }
    }

    /// Answers with a length.
    ///
    /// - Parameters:
    ///   - headers: Such as `Content-Type: text/plain`.
    ///   - short: How many bytes of the body are not sent.
    /// - Returns: Whether the connection can go on; not after an answer that is short.
    @discardableResult
    package func answer(_ status: Int, _ headers: [String] = [], _ body: [UInt8], short: Int = 0) -> Bool {
        let lines = ["HTTP/1.1 \(status) Answer", "Content-Length: \(body.count)"] + headers
        return send(Array((lines.joined(separator: "\r\n") + "\r\n\r\n").utf8) + body.dropLast(short)) && short == 0
    }

    /// Sends bytes; `false` where nobody is there to take them.
    package func send(_ bytes: [UInt8]) -> Bool {
        var sent = 0
        while sent < bytes.count {
            // A client that is gone is no reason for a signal.
            let count = bytes.withUnsafeBytes { source in
                Glibc.send(client, source.baseAddress.map { $0 + sent }, bytes.count - sent, Int32(MSG_NOSIGNAL))
            }
            guard count > 0 else { return false }
            sent += count
        }
        return true
    }

    /// Waits until the client ends the connection.
    package mutating func waitForEnd() {
        while receive() {}
    }

    /// Has the connection end with a reset instead of an orderly end.
    package func reset() {
        // Closing with nothing to linger for sends a reset.
        var linger = linger(l_onoff: 1, l_linger: 0)
        setsockopt(client, SOL_SOCKET, SO_LINGER, &linger, socklen_t(MemoryLayout.size(ofValue: linger)))
    }

    private mutating func receive() -> Bool {
        var buffer = [UInt8](repeating: 0, count: 65_536)
        let count = recv(client, &buffer, buffer.count, 0)
        guard count > 0 else { return false }
        input += buffer.prefix(count)
        return true
    }
}
