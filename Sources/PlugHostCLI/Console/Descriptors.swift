internal import Glibc
internal import PlugCore

/// How many files and sockets the process may have open.
enum Descriptors {
    /// What everything but connections needs: standard streams, state, readers, the HTTP loop, resolvers.
    private static let base = 64
    /// What one running connection needs at most: a socket to its source and one to its PDA, each perhaps twice while
    /// another address is tried, and files for a ledger that does not fit into memory.
    private static let each = 6

    /// Raises the limit to what the system allows: the usual 1,024 are for programs that call select(2), which this one does
    /// not.
    static func raise() {
        var limit = rlimit()
        // getrlimit(2) and setrlimit(2): a process may always raise its soft limit up to the hard one.
        guard getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 else { return }
        let wanted = min(limit.rlim_max, 1 << 20)
        guard limit.rlim_cur < wanted else { return }
        limit.rlim_cur = wanted
        setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
    }

    /// How many there may be.
    static var limit: Int {
        var limit = rlimit()
        guard getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 else { return 1_024 }
        return Int(clamping: limit.rlim_cur)
    }

    /// The fewest that any command does with. With less, libdispatch and libcurl end the process without a word.
    private static let least = 32

    /// What is wrong with a limit; `nil` where it is enough.
    static func shortage(_ limit: Int) -> PlugError? {
        guard limit < least else { return nil }
        return PlugError(
            .descriptorLimit,
            "plughost may open only \(limit) files, but needs at least \(least)",
            advice: "raise the limit with ulimit -n, or LimitNOFILE= of the unit"
        )
    }

    /// How many connections may run at the same time.
    static func connections(within limit: Int) -> Int { max(1, (limit - base) / each) }
}
