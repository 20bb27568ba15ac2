internal import PlugCore

extension PlugError.Code {
    static let passwordEmpty = Self(
        "password-empty",
        exit: .configuration,
        "The file of --password-file is empty, or holds only white space.",
        "Write a password into it, or leave out the option to have one generated."
    )
}
