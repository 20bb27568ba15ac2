internal import PlugCore

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
        "There is no sandbox in the usual folder yet, and a token for one that nobody runs would be of no use.",
        "Start it with 'plughost sandbox', or name the folder of another with --state DIR."
    )
}
