internal import Glibc

/// A browser's connection to a `CallbackListener`, closed with the last reference.
final class CallbackConnection: Sendable {
    private let client: Int32

    /// The maximum size of a request in bytes; it has no body.
    private static let sizeLimit = 16 << 10
    /// How long each piece of a request may take, in milliseconds: some browsers connect ahead and send nothing.
    private static let patience: Int32 = 10_000

    /// Takes over a descriptor.
    init(taking client: Int32) { self.client = client }

    deinit { close(client) }

    /// A browser's request.
    enum Request: Sendable, Equatable {
        /// The path of the callback, with this query.
        case callback(String)
        /// Anything else.
        case other
        /// An invalid HTTP request, or one that is too long.
        case malformed
        /// Nothing.
        case none
    }

    /// Reads the request, on a thread that may block.
    ///
    /// - Parameters:
    ///   - authorities: `127.0.0.1:PORT`. A page under another name of this machine is not where we sent the browser.
    ///   - alarm: Ends the wait.
    func request(for authorities: Set<String>, _ alarm: Alarm) -> Request {
        let end = Array("\r\n\r\n".utf8)
        var head: [UInt8] = []
        while head.firstRange(of: end) == nil {
            guard head.count < Self.sizeLimit else { return .malformed }
            guard alarm.wait(for: client, milliseconds: Self.patience) == .ready else { return .none }
            var buffer = [UInt8](repeating: 0, count: 4096)
            let count = recv(client, &buffer, buffer.count, 0)
            guard count > 0 else { return .none }
            head += buffer.prefix(count)
        }
        return Self.request(String(decoding: head, as: UTF8.self), authorities)
    }

    /// Reads the head of a request.
    static func request(_ head: String, _ authorities: Set<String>) -> Request {
        let lines = head.split(separator: "\r\n", omittingEmptySubsequences: false)
        let words = lines[0].split(separator: " ", omittingEmptySubsequences: false)
        guard words.count == 3, words[2].hasPrefix("HTTP/1."), words[1].hasPrefix("/") else { return .malformed }
        let hosts = lines.dropFirst().filter { $0.lowercased().hasPrefix("host:") }
        let called = hosts.map { $0.dropFirst("host:".count).filter { $0 != " " && $0 != "\t" } }
        guard called.count == 1, authorities.contains(called[0]) else { return .malformed }
        let parts = words[1].split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
        guard words[0] == "GET", parts[0] == CallbackListener.path else { return .other }
        return .callback(parts.count == 2 ? String(parts[1]) : "")
    }

    /// Sends everything, on a thread that may block; a browser that is gone receives nothing.
    func send(_ bytes: [UInt8]) {
        var limit = timeval(tv_sec: 10, tv_usec: 0)
        setsockopt(client, SOL_SOCKET, SO_SNDTIMEO, &limit, socklen_t(MemoryLayout.size(ofValue: limit)))
        var sent = 0
        while sent < bytes.count {
            // A client that is gone must not raise a signal.
            let count = bytes.withUnsafeBytes { source in
                Glibc.send(client, source.baseAddress.map { $0 + sent }, bytes.count - sent, Int32(MSG_NOSIGNAL))
            }
            guard count > 0 else { return }
            sent += count
        }
    }
}
