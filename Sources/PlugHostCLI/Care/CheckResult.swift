/// The result of a check of `plughost doctor`.
struct CheckResult: Sendable {
    /// The verdict.
    enum Verdict: String, Sendable {
        /// All is well.
        case ok
        /// It works, but needs attention.
        case warning
        /// It does not work.
        case failure
        /// It was not checked, because something else is missing first.
        case skipped
    }

    /// The check's name, one word.
    var name: String
    /// The verdict.
    var verdict: Verdict
    /// What was found.
    var text: String
    /// What to do; `nil` if nothing needs to be done.
    var cure: String?

    /// How to set a clock right. A minimal Debian has no program for it.
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
