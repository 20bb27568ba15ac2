/// plughost's exit statuses, after sysexits.h. The numbers are a contract with shells, timers and CI.
public enum ExitStatus: Int32, Sendable, CaseIterable, Comparable {
    /// Everything was done.
    case done = 0
    /// It ran, and something failed.
    case failed = 1
    /// The command line was wrong.
    case usage = 64
    /// Data does not fit the manifest.
    case data = 65
    /// The source or the PDA cannot be reached.
    case unreachable = 69
    /// A bug in plughost.
    case bug = 70
    /// Try again later; nothing is lost.
    case tryLater = 75
    /// No progress for many runs in a row: waiting alone will not help.
    case stuck = 76
    /// Authorisation is missing, expired or revoked.
    case authorisation = 77
    /// The manifest or the configuration is invalid.
    case configuration = 78
    /// Interrupted by Ctrl-C.
    case interrupted = 130
    /// Ended by SIGTERM.
    case terminated = 143

    /// Orders by number.
    public static func < (left: Self, right: Self) -> Bool { left.rawValue < right.rawValue }
}
