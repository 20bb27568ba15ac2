internal import PlugCore

/// The codes of calls to a PDA.
enum PDACodes {
    static let all: [PlugError.Code] = [
        .pdaCall, .pdaDuplicate, .pdaInput, .pdaNotFound, .pdaPasswordMissing, .pdaRefused, .pdaTokenMissing,
    ]
}

extension PlugError.Code {
    static let pdaCall = Self(
        "pda-call",
        exit: .usage,
        "The call is not valid, for example because no PDA can have such a namespace. Nothing was sent.",
        "Correct what the error names."
    )

    static let pdaDuplicate = Self(
        "pda-duplicate",
        exit: .data,
        "The PDA already has the same data, possibly in another endpoint: a PDA stores each value once.",
        "If that is what you wanted, do nothing. Otherwise add a member that makes the value different."
    )

    static let pdaInput = Self(
        "pda-input",
        exit: .data,
        "A file or stdin does not hold the JSON that the command needs.",
        "Give one JSON document, or one per line."
    )

    static let pdaNotFound = Self(
        "pda-not-found",
        exit: .failed,
        "The PDA has nothing with this name, or does not show it to this token.",
        "Check the name and the token."
    )

    static let pdaPasswordMissing = Self(
        "pda-password-missing",
        exit: .usage,
        "Logging in needs a password, and it cannot be given on the command line.",
        "Name a file that holds it with --password-file, or set PLUGHOST_PDA_PASSWORD."
    )

    static let pdaRefused = Self(
        "pda-refused",
        exit: .data,
        "The PDA understood the call and rejected it; the error gives its reason.",
        "Correct what it names. If you sent a list, nothing was changed."
    )

    static let pdaTokenMissing = Self(
        "pda-token-missing",
        exit: .usage,
        "The command needs a token of the PDA.",
        "Name a file with --token-file, or set PLUGHOST_PDA_TOKEN. 'plughost pda login' gets one."
    )
}
