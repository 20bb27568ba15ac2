internal import Glibc

/// What the system writes down of a process that crashes.
enum CoreDumps {
    /// Nothing: its memory holds tokens, keys and what people own. Debuggers and `coredumpctl` of a process that is started with
    /// its own limits see no core; a crash still tells where it was.
    ///
    /// `PR_SET_DUMPABLE` would do the same, and close `/proc/self` to ourselves where the program runs as another user.
    static func turnOff() {
        var limit = rlimit(rlim_cur: 0, rlim_max: 0)
        // setrlimit(2) fails for a limit that is raised; this one is lowered.
        setrlimit(__rlimit_resource_t(RLIMIT_CORE.rawValue), &limit)
    }
}
