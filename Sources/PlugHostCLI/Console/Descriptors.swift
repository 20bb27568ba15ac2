internal import Glibc
internal import PlugCore

/// The number of files and sockets that the process may have open.
enum Descriptors {
    /// The number needed by everything but connections: standard streams, state, readers, the HTTP loop, resolvers.
    private static let base = 64
    /// The maximum for one running connection: a socket to its source and one to its PDA, each perhaps twice while another
    /// address is tried, and files for a ledger that does not fit into memory.
    private static let each = 6

    /// Raises the limit to what the system allows: the usual 1,024 is for programs that call select(2), which this one does not.
    static func raise() {
        var limit = rlimit()
        // getrlimit(2) and setrlimit(2): a process may always raise its soft limit up to the hard one.
        guard getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 else { return }
        let wanted = min(limit.rlim_max, 1 << 20)
        guard limit.rlim_cur < wanted else { return }
        limit.rlim_cur = wanted
        setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
    }

    /// The current limit.
    static var limit: Int {
        var limit = rlimit()
        guard getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 else { return 1_024 }
        return Int(clamping: limit.rlim_cur)
    }

    /// The minimum for any command. With less, libdispatch and libcurl end the process without a message.
    private static let least = 32

    /// What is wrong with a limit; `nil` if it suffices.
    static func shortage(_ limit: Int) -> PlugError? {
        guard limit < least else { return nil }
        return PlugError(
            .descriptorLimit,
            "plughost may open only \(limit) files, but needs at least \(least)",
            advice: "raise the limit with ulimit -n, or LimitNOFILE= of the unit"
        )
    }

    /// The number of connections that may run at the same time.
    static func connections(within limit: Int) -> Int { max(1, (limit - base) / each) }
}
