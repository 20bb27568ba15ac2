import PlugCore

/// The codes of checking whose account is read.
enum AccountCodes {
    static let all: [PlugError.Code] = [
        .accountUnreadable
    ]
}

extension PlugError.Code {
    static let accountUnreadable = Self(
        "account-unreadable",
        exit: .data,
        "The program 'check.who' of the manifest failed on the answer about the account.",
        "Request it by hand and compare the answer with 'who' in the manifest."
    )
}
