import Glibc
import TestKit

/// A real server on a loopback address that does what it is told, byte by byte: one script for each connection.
final class LoopbackServer: Sendable {
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

    struct Record: Sendable {
        var requests: [String] = []
        var connections = 0
        var script = 0
        var finished = 0
    }

    let port: Int
    private let listener: Int32
    private let scripts: [[Step]]
    private let record = Watched(Record())

    /// Connection n gets script n; the last script serves all further ones.
    init(version6: Bool = false, scripts: [[Step]]) throws {
        self.scripts = scripts
        let listener = socket(version6 ? AF_INET6 : AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        var bound: Int32
        if version6 {
            var address = sockaddr_in6()
            address.sin6_family = sa_family_t(AF_INET6)
            address.sin6_addr = in6addr_loopback
            bound = withUnsafePointer(to: &address) {
                $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                    bind(listener, $0, socklen_t(MemoryLayout<sockaddr_in6>.size))
                }
            }
        } else {
            var address = sockaddr_in()
            address.sin_family = sa_family_t(AF_INET)
            address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
            bound = withUnsafePointer(to: &address) {
                $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                    bind(listener, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
                }
            }
        }
        bound |= listen(listener, 256)
        struct CannotListen: Error {}
        guard listener >= 0, bound == 0 else { throw CannotListen() }
        // The port lies at the same place in both families.
        var name = sockaddr_in6()
        var length = socklen_t(MemoryLayout<sockaddr_in6>.size)
        _ = withUnsafeMutablePointer(to: &name) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { getsockname(listener, $0, &length) }
        }
        port = Int(UInt16(bigEndian: name.sin6_port))
        self.listener = listener
        Self.thread { [listener, self] in
            while case let client = accept(listener, nil, nil), client >= 0 {
                Self.thread { self.serve(client) }
            }
            // Closed here and not in `stop`, so that the number is not another server's while this thread accepts.
            close(listener)
        }
    }

    /// Refuses new connections; those that stand end with their clients.
    func stop() { shutdown(listener, Int32(SHUT_RDWR)) }

    var requests: [String] { record.value.requests }
    var connections: Int { record.value.connections }

    /// Returns once so many requests have come.
    func waitForRequests(_ count: Int) async { await record.wait { $0.requests.count >= count } }

    /// Returns once so many connections are over.
    func waitForEnds(_ count: Int) async { await record.wait { $0.finished >= count } }

    private func serve(_ client: Int32) {
        let script = record.change { record in
            record.connections += 1
            defer { record.script += 1 }
            return scripts[min(record.script, scripts.count - 1)]
        }
        var input: [UInt8] = []
        var index = 0
        steps: while index < script.count {
            switch script[index] {
            case .read:
                guard let request = read(from: client, &input) else { break steps }
                record.change { $0.requests.append(request) }
            case .send(let bytes):
                guard send(bytes, to: client) else { break steps }
            case .hold:
                while receive(from: client, &input) {}
                break steps
            case .drip(let byte, let milliseconds):
                while send([byte], to: client) { usleep(milliseconds * 1000) }
                break steps
            case .pause(let milliseconds):
                usleep(milliseconds * 1000)
            case .reset:
                var linger = linger(l_onoff: 1, l_linger: 0)
                setsockopt(client, SOL_SOCKET, SO_LINGER, &linger, socklen_t(MemoryLayout.size(ofValue: linger)))
                break steps
            case .again:
                index = -1
            }
            index += 1
        }
        close(client)
        record.change { $0.finished += 1 }
    }

    private func read(from client: Int32, _ input: inout [UInt8]) -> String? {
        var size: Int?
        while true {
            if size == nil, let end = input.firstRange(of: Array("\r\n\r\n".utf8)) {
                let head = String(decoding: input[..<end.lowerBound], as: UTF8.self).lowercased()
                let length = head.split(separator: "\r\n").first { $0.hasPrefix("content-length: ") }
                size = end.upperBound + (length.flatMap { Int($0.dropFirst(16)) } ?? 0)
            }
            if let size, input.count >= size {
                defer { input.removeFirst(size) }
                return String(decoding: input.prefix(size), as: UTF8.self)
            }
            guard receive(from: client, &input) else { return nil }
        }
    }

    private func receive(from client: Int32, _ input: inout [UInt8]) -> Bool {
        var buffer = [UInt8](repeating: 0, count: 65_536)
        let count = recv(client, &buffer, buffer.count, 0)
        guard count > 0 else { return false }
        input += buffer.prefix(count)
        return true
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
