internal import PlugCore

/// The codes of `plughost sandbox`.
enum SandboxCommandCodes {
    static let all: [PlugError.Code] = [
        .passwordEmpty, .sandboxMissing,
    ]
}

extension PlugError.Code {
    static let passwordEmpty = Self(
        "password-empty",
        exit: .configuration,
        "The file of --password-file is empty, or holds only white space.",
        "Write a password into it, or leave out the option to have one generated."
    )

    static let sandboxMissing = Self(
        "sandbox-missing",
        exit: .configuration,
        "There is no sandbox in the default folder yet, and a token for a sandbox that nobody runs would be useless.",
        "Start it with 'plughost sandbox', or name another sandbox's folder with --state DIR."
    )
}
