package import PlugCore

extension PlugError.Code {
    package static let authChoice = Self(
        "auth-choice",
        exit: .configuration,
        "The configuration chooses an alternative of 'auth.any_of' that the manifest does not have.",
        "Set the config key that 'by' refers to; the message names the alternatives."
    )
}
