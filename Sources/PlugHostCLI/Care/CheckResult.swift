/// What a check of `plughost doctor` has found.
struct CheckResult: Sendable {
    /// How it stands.
    enum Verdict: String, Sendable {
        /// All is well.
        case ok
        /// It works, and somebody should look at it.
        case warning
        /// It does not work.
        case failure
        /// It was not looked at, because something else is missing first.
        case skipped
    }

    /// What was checked, in a word.
    var name: String
    /// How it stands.
    var verdict: Verdict
    /// What was found.
    var text: String
    /// What to do; `nil` where nothing is to be done.
    var cure: String?

    /// What sets a clock right. A small Debian has no program for it.
    static let clockCure = "timedatectl set-ntp true; if that is not supported, apt-get install systemd-timesyncd"

    static func ok(_ name: String, _ text: String) -> CheckResult {
        CheckResult(name: name, verdict: .ok, text: text)
    }

    static func warning(_ name: String, _ text: String, cure: String) -> CheckResult {
        CheckResult(name: name, verdict: .warning, text: text, cure: cure)
    }

    static func failure(_ name: String, _ text: String, cure: String?) -> CheckResult {
        CheckResult(name: name, verdict: .failure, text: text, cure: cure)
    }

    static func skipped(_ name: String, _ text: String) -> CheckResult {
        CheckResult(name: name, verdict: .skipped, text: text)
    }
}
