package import PlugCore

/// The codes of accounts at sources.
package enum ConsentCodes {
    /// All of them.
    package static let all: [PlugError.Code] = [.accountOther, .grantContended, .consentUnanswered]
}

extension PlugError.Code {
    package static let accountOther = Self(
        "account-other",
        exit: .authorisation,
        "A connection was about to be connected again, to a different account at the source. It would continue in that account "
            + "where it stopped in the other one, and mix two people's records. Nothing was changed.",
        "Log in at the service with the account that the connection had, or make another connection for this one."
    )

    package static let grantContended = Self(
        "grant-contended",
        exit: .tryLater,
        "Another process keeps changing the connection's grant, so a new consent cannot be saved.",
        "End the other process, and connect again."
    )

    package static let consentUnanswered = Self(
        "consent-unanswered",
        exit: .authorisation,
        "The input ended before an address was pasted, or the manifest does not say where to consent.",
        "Run 'plughost connect --paste' at a terminal, or write the address into its stdin."
    )
}
