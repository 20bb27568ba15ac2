import PlugCore

extension PlugError.Code {
    static let accountUnreadable = Self(
        "account-unreadable",
        exit: .data,
        "The program 'check.who' of the manifest failed on the answer about the account.",
        "Request it by hand and compare the answer with 'who' in the manifest."
    )
}
