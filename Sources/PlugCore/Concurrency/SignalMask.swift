internal import Glibc

/// The signals that a thread takes.
enum SignalMask {
    /// What a thread's own instructions cause: blocked, it would end the process without a report of the crash. While reporting,
    /// Swift stops the other threads with SIGPROF.
    private static let faults = [SIGILL, SIGTRAP, SIGBUS, SIGFPE, SIGSEGV, SIGSYS, SIGPROF]

    /// Blocks all other signals on this thread, and on those that it creates: they are for the main thread, and OpenSSL's write to
    /// a closed socket must not end the process.
    static func blockAllButFaults() {
        var signals = sigset_t()
        // These fail only for numbers that are no signals.
        sigfillset(&signals)
        for fault in faults { sigdelset(&signals, fault) }
        pthread_sigmask(SIG_BLOCK, &signals, nil)
    }
}
