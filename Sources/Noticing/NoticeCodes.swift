package import PlugCore

/// The codes of notices, as `plughost explain` lists them.
package enum NoticeCodes {
    /// All codes.
    package static let all: [PlugError.Code] = [
        .noticeUnreachable, .noticeRefused, .noticeDropped, .noticeTargetUnknown,
    ]
}

extension PlugError.Code {
    package static let noticeUnreachable = Self(
        "notice-unreachable",
        exit: .unreachable,
        "A target of 'notify' could not be reached: its name has no address, nothing answers there, the connection cannot be "
            + "trusted, or the command could not be started. The notice waits and is retried for two days, at growing intervals.",
        "Check the target in plughost.yaml; 'plughost notify test' tries all of them at once. A target in a private network needs its "
            + "'networks'."
    )

    package static let noticeRefused = Self(
        "notice-refused",
        exit: .failed,
        "A target of 'notify' was reached but did not accept the notice: a webhook answered with a status other than 2xx, a "
            + "command exited with a status other than 0, or a mail server refused the mail. The notice is retried for two days, "
            + "at growing intervals.",
        "Check the secret, the login and the addresses of the target. A webhook must answer 2xx and not redirect; a command must "
            + "read one JSON object on stdin and exit with 0."
    )

    package static let noticeTargetUnknown = Self(
        "notice-target-unknown",
        exit: .configuration,
        "'notify' in plughost.yaml has no target, or none with this name.",
        "Write a target under 'notify'; plughost.yaml.example shows each kind, 'plughost config' the existing ones."
    )

    package static let noticeDropped = Self(
        "notice-dropped",
        exit: .failed,
        "A notice could not be sent for two days and is no longer retried. Its cause is reported again if it persists or recurs.",
        "Find out why with 'plughost notify test'. 'plughost doctor' says what must be done now."
    )
}
