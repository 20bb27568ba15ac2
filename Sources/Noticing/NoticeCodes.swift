package import PlugCore

/// The codes of notices, as `plughost explain` lists them.
package enum NoticeCodes {
    /// All of them.
    package static let all: [PlugError.Code] = [
        .noticeUnreachable, .noticeRefused, .noticeDropped, .noticeTargetUnknown,
    ]
}

extension PlugError.Code {
    package static let noticeUnreachable = Self(
        "notice-unreachable",
        exit: .unreachable,
        "A target of 'notify' could not be reached: its name has no address, nobody answers there, the connection is not to be "
            + "trusted, or the command could not be started. The notice waits and is tried again, later each time, for two days.",
        "Check the target in plughost.yaml; 'plughost notify test' tries all of them at once. A target in a private network needs its "
            + "'networks'."
    )

    package static let noticeRefused = Self(
        "notice-refused",
        exit: .failed,
        "A target of 'notify' was reached, and did not take the notice: a webhook answered with something else than 2xx, a command "
            + "ended with another status than 0, a mail server refused the mail. It is tried again, later each time, for two days.",
        "Check the secret, the login and the addresses of the target. A webhook is to answer 2xx and not to redirect; a command reads "
            + "one JSON object on stdin and exits with 0."
    )

    package static let noticeTargetUnknown = Self(
        "notice-target-unknown",
        exit: .configuration,
        "'notify' in plughost.yaml has no target, or none with this name.",
        "Write a target under 'notify'; plughost.yaml.example shows each kind, 'plughost config' those that there are."
    )

    package static let noticeDropped = Self(
        "notice-dropped",
        exit: .failed,
        "A notice could not be sent for two days, and is not tried any more. What it was about is told again as soon as there is more "
            + "of it, or while it lasts.",
        "Find out why with 'plughost notify test'. 'plughost doctor' says what needs a person now."
    )
}
