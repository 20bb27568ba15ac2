internal import Glibc

/// The socket on which systemd hears what its services say of themselves.
package final class NotifySocket: Sendable {
    /// systemd could not make one here either.
    package struct Unavailable: Error {
        package let reason: String
    }

    /// What services find in `NOTIFY_SOCKET`.
    package let name: String
    private let descriptor: Int32

    /// Listens in a folder, or with a name that begins with `@` in the abstract namespace, where there are no files.
    package init(_ name: String) throws(Unavailable) {
        self.name = name
        // The descriptor is ours to close, which `deinit` does also where this throws.
        descriptor = socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        let bytes = Array((name.first == "@" ? "\0" + name.dropFirst() : name).utf8)
        guard bytes.count < MemoryLayout.size(ofValue: address.sun_path) else {
            throw Unavailable(reason: "\(name) is too long")
        }
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: bytes) }
        let length = socklen_t(MemoryLayout<sa_family_t>.size + bytes.count)
        let isBound = withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { bind(descriptor, $0, length) == 0 }
        }
        guard isBound else { throw Unavailable(reason: String(cString: strerror(errno))) }
    }

    deinit { close(descriptor) }

    /// Waits for the next message, on a thread of its own.
    package func message() async throws -> String {
        try await blocking { [self] in
            var bytes = [UInt8](repeating: 0, count: 4_096)
            // recv(2) takes one datagram, and cuts what is longer than the buffer.
            let count = recv(descriptor, &bytes, bytes.count, 0)
            return String(decoding: bytes.prefix(max(count, 0)), as: UTF8.self)
        }
    }
}
