internal import Foundation
internal import Glibc
internal import Synchronization

/// A server on a loopback address, over real sockets: a thread for each connection, which `serve` takes to its end.
package final class LoopbackServer: Sendable {
    package let port: Int
    private let listener: Int32
    private let isStopped = Atomic(false)

    private struct CannotListen: Error {}

    /// Listens on a free port until `stop`.
    ///
    /// - Parameters:
    ///   - version6: Whether on `::1` and not on `127.0.0.1`.
    ///   - serve: Gets each connection, which ends when it returns. Many at the same time.
    package init(
        version6: Bool = false,
        serve: @escaping @Sendable (inout LoopbackConnection) -> Void
    ) throws {
        let listener = socket(version6 ? AF_INET6 : AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        guard listener >= 0 else { throw CannotListen() }
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
        // The port lies at the same place in both families.
        var name = sockaddr_in6()
        var length = socklen_t(MemoryLayout<sockaddr_in6>.size)
        bound |= withUnsafeMutablePointer(to: &name) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { getsockname(listener, $0, &length) }
        }
        guard bound == 0 else {
            close(listener)
            throw CannotListen()
        }
        port = Int(UInt16(bigEndian: name.sin6_port))
        self.listener = listener
        Thread.detachNewThread {
            while case let client = accept(listener, nil, nil), client >= 0 {
                Thread.detachNewThread {
                    var connection = LoopbackConnection(client)
                    serve(&connection)
                }
            }
            // Closed here and not in `stop`, so that the number is not another server's while this thread accepts.
            close(listener)
        }
    }

    /// `127.0.0.1:PORT`
    package var authority: String { "127.0.0.1:\(port)" }

    /// Refuses new connections; those that stand end with their clients.
    package func stop() {
        // The first time only: later the listener's number may be another's.
        if !isStopped.exchange(true, ordering: .relaxed) { shutdown(listener, Int32(SHUT_RDWR)) }
    }
}
