import Foundation
import Glibc
import PlugTesting
import Synchronization

/// A wiki on this machine: answers a cassette's exchanges by the page that is asked for, any number of times.
final class LoopbackWiki: Sendable {
    let authority: String
    private let descriptor: Int32
    private let isStopped = Mutex(false)

    struct Failure: Error {}

    init(_ cassette: Cassette) throws {
        descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = inet_addr("127.0.0.1")
        var size = socklen_t(MemoryLayout<sockaddr_in>.size)
        let descriptor = descriptor
        let isBound = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(descriptor, $0, size) == 0 && listen(descriptor, 8) == 0
                    && getsockname(descriptor, $0, &size) == 0
            }
        }
        guard isBound else { throw Failure() }
        authority = "127.0.0.1:\(UInt16(bigEndian: address.sin_port))"
        let (first, second) = (Array(cassette.exchanges[0].body), Array(cassette.exchanges[1].body))
        Thread.detachNewThread {
            while true {
                let connection = accept(descriptor, nil, nil)
                guard connection >= 0 else { return }
                Thread.detachNewThread {
                    while let head = Self.head(connection) {
                        Self.answer(connection, head.contains("uccontinue=") ? second : first)
                    }
                    close(connection)
                }
            }
        }
    }

    /// Stops listening; what is connected ends with its client.
    func stop() {
        let isFirst = isStopped.withLock { value in
            defer { value = true }
            return !value
        }
        guard isFirst else { return }
        shutdown(descriptor, Int32(SHUT_RDWR))
        close(descriptor)
    }

    private static func head(_ connection: Int32) -> String? {
        var bytes: [UInt8] = []
        var byte: UInt8 = 0
        while !bytes.suffix(4).elementsEqual([13, 10, 13, 10]) {
            guard recv(connection, &byte, 1, 0) == 1 else { return nil }
            bytes.append(byte)
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    private static func answer(_ connection: Int32, _ body: [UInt8]) {
        let head = "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: \(body.count)\r\n\r\n"
        let bytes = Array(head.utf8) + body
        var at = 0
        while at < bytes.count {
            let count = bytes[at...].withUnsafeBytes { send(connection, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) }
            guard count > 0 else { return }
            at += count
        }
    }
}
