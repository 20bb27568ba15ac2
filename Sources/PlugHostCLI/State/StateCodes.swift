internal import PlugCore

/// The codes of commands about the state.
enum StateCodes {
    static let all: [PlugError.Code] = [
        .batchUnknown, .limitUnknown, .stateMissing, .streamUnknown, .deadletterUnknown,
    ]
}

extension PlugError.Code {
    static let batchUnknown = Self(
        "batch-unknown",
        exit: .failed,
        "The outbox holds no batch with this number; it may have been sent meanwhile.",
        "See 'plughost outbox list', and check --state DIR."
    )

    static let limitUnknown = Self(
        "limit-unknown",
        exit: .failed,
        "No limit is remembered for a server with this name; it may have expired.",
        "See 'plughost limits list', and check --state DIR."
    )

    static let stateMissing = Self(
        "state-missing",
        exit: .configuration,
        "The folder of --state holds no state, so there is nothing to show.",
        "Name the folder that 'plughost run --state DIR' wrote to."
    )

    static let streamUnknown = Self(
        "stream-unknown",
        exit: .failed,
        "The state has no stream with this name.",
        "See 'plughost connection show NAME'."
    )

    static let deadletterUnknown = Self(
        "deadletter-unknown",
        exit: .failed,
        "No dead letter in the state folder has this number. Numbers are never reused.",
        "Run 'plughost deadletters list'. If the state is in another folder, name it with --state DIR."
    )
}
