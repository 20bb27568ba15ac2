internal import Glibc

/// systemd, if it has started this process: it waits until a host is ready, and shows the host's status (sd_notify(3)).
struct ServiceManager: Sendable {
    /// A message to systemd.
    enum Message: Sendable {
        /// Requests are accepted, for the first time or after a reload.
        case ready(plugs: Int)
        case reloading
        case stopping
        /// Still alive. If this stays away, systemd restarts the process.
        case alive

        fileprivate var text: String {
            switch self {
            // `systemctl status` shows the second line.
            case .ready(let plugs): "READY=1\nSTATUS=serving \(plugs) plugs"
            case .reloading: "RELOADING=1\nMONOTONIC_USEC=\(Self.monotonic)"
            case .stopping: "STOPPING=1"
            case .alive: "WATCHDOG=1"
            }
        }

        /// It tells systemd which reload this belongs to.
        private static var monotonic: Int {
            var time = timespec()
            // Fails only for clocks that do not exist.
            clock_gettime(CLOCK_MONOTONIC, &time)
            return time.tv_sec * 1_000_000 + time.tv_nsec / 1_000
        }
    }

    /// How long it waits for `alive`; `nil` if it does not.
    let patience: Duration?
    private let path: String

    /// - Parameter environment: The process's variables, in which systemd gives its socket. Without them there is no service
    ///   manager.
    init?(_ environment: [String: String]) {
        guard let path = environment["NOTIFY_SOCKET"], path.hasPrefix("/") || path.hasPrefix("@") else { return nil }
        self.path = path
        // A parent's variables are not intended for us.
        let isForUs = environment["WATCHDOG_PID"].map { $0 == "\(getpid())" } ?? true
        let microseconds = environment["WATCHDOG_USEC"].flatMap { Int64($0) } ?? 0
        patience = isForUs && microseconds > 0 ? .microseconds(microseconds) : nil
    }

    /// Sends a message.
    ///
    /// - Returns: The system's reason if that failed.
    @discardableResult
    func tell(_ message: Message) -> String? {
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        var name = Array(path.utf8)
        // A name in the abstract namespace begins with a zero.
        if name.first == UInt8(ascii: "@") { name[0] = 0 }
        guard name.count < MemoryLayout.size(ofValue: address.sun_path) else { return "\(path) is too long" }
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: name) }
        // A datagram of a few bytes, which systemd reads at once: it does not block the thread.
        let descriptor = socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        guard descriptor >= 0 else { return lastError() }
        // We must close the descriptor.
        defer { close(descriptor) }
        let text = Array(message.text.utf8)
        let length = socklen_t(MemoryLayout<sa_family_t>.size + name.count)
        let sent = withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
                sendto(descriptor, text, text.count, Int32(MSG_NOSIGNAL), address, length)
            }
        }
        return sent == text.count ? nil : lastError()
    }

    private func lastError() -> String {
        // strerror(3) returns a string that the next call may overwrite; it is copied at once.
        "\(path): \(String(cString: strerror(errno)))"
    }
}
