package import PlugCore

/// The codes of making and changing connections, as `plughost explain` lists them.
package enum ConnectionCodes {
    /// All of them.
    package static let all: [PlugError.Code] = [
        .answerInvalid, .answerMissing, .answerUnknown, .connectionExists, .connectionName, .connectionWaits,
        .connectionPDA,
        .plugUnknown, .scheduleUnclear,
    ]
}

extension PlugError.Code {
    static let answerInvalid = Self(
        "answer-invalid",
        exit: .configuration,
        "An answer to a plug's question has a different type from what the manifest says, or is not one of its choices.",
        "The message says what it must be; 'config' of the plug lists what it asks for."
    )

    static let answerMissing = Self(
        "answer-missing",
        exit: .configuration,
        "A question of the plug has no default and was not answered.",
        "Add it to 'config'."
    )

    static let answerUnknown = Self(
        "answer-unknown",
        exit: .configuration,
        "'config' has a member that the plug does not ask for.",
        "Correct its name, or leave it out; 'config' of the plug lists what it asks for."
    )

    static let connectionExists = Self(
        "connection-exists",
        exit: .failed,
        "A connection with this name already exists. Nothing was changed.",
        "Choose another name, or change the existing connection."
    )

    static let connectionName = Self(
        "connection-name",
        exit: .usage,
        "The name of a connection has 1 to 100 bytes, and no spaces, control characters or slashes.",
        "Choose another name."
    )

    static let connectionWaits = Self(
        "connection-waits",
        exit: .authorisation,
        "The connection is not run because its person has to connect the source or the PDA again, or because the PDA has "
            + "disabled the plug.",
        "Connect it again. Nothing that was kept is lost."
    )

    static let connectionPDA = Self(
        "connection-pda",
        exit: .usage,
        "The address of a PDA has a scheme and a host, and nothing else.",
        "Write it as https://you.example."
    )

    static let plugUnknown = Self(
        "plug-unknown",
        exit: .configuration,
        "The host does not serve a plug with this id.",
        "Use one of the plugs that it serves (GET /api/v1/plugs), or add the plug's folder to 'plugs'."
    )

    static let scheduleUnclear = Self(
        "schedule-unclear",
        exit: .usage,
        "A schedule is an interval or a cron expression, not both, and only a cron expression has a time zone.",
        "Give either 'every' or 'cron'; 'zone' only with 'cron'."
    )
}
