internal import Glibc

/// The core dump of a process that crashes.
enum CoreDumps {
    /// None: its memory holds tokens, keys and personal data. Debuggers, and `coredumpctl` for a process started with limits of
    /// its own, see no core; a crash still reports where it was.
    ///
    /// `PR_SET_DUMPABLE` would do the same, but close `/proc/self` to ourselves if the program runs as another user.
    static func turnOff() {
        var limit = rlimit(rlim_cur: 0, rlim_max: 0)
        // setrlimit(2) fails only when a limit is raised; this one is lowered.
        setrlimit(__rlimit_resource_t(RLIMIT_CORE.rawValue), &limit)
    }
}
