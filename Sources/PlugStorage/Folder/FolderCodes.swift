internal import PlugCore

/// The codes of the state folder.
enum FolderCodes {
    static let all: [PlugError.Code] = [
        .stateExposed, .stateServed, .stateLocked,
    ]
}

extension PlugError.Code {
    static let stateExposed = Self(
        "state-exposed",
        exit: .configuration,
        "Other users of this machine can write to the state folder, or it belongs to another user: they could "
            + "replace the database or the key.",
        "Run chmod 700 on the folder, and check who may have changed it. Or use another folder with --state DIR."
    )

    static let stateServed = Self(
        "state-served",
        exit: .tryLater,
        "Only one host at a time can run the connections of a state folder, and another one is running.",
        "Stop the other 'plughost serve', or use another folder with --state DIR."
    )

    static let stateLocked = Self(
        "state-locked",
        exit: .tryLater,
        "Another plughost process runs or changes the same connection, or has locked the whole state folder; the "
            + "error names the process. Runs of different connections do not wait for each other.",
        "Wait for it with --wait 60s. A lock ends with its process."
    )
}
