internal import PlugCore

extension PlugError.Code {
    static let callbackPort = Self(
        "callback-port",
        exit: .unreachable,
        "The port that the browser comes back to cannot be listened on, mostly because another program uses it.",
        "Choose another --port, and register it with the service where that wants exact addresses; or use --paste."
    )

    static let consentUnanswered = Self(
        "consent-unanswered",
        exit: .authorisation,
        "The input ended before an address was pasted, or the manifest does not say where to consent.",
        "Run 'plughost connect --paste' at a terminal, or write the address into its stdin."
    )

    static let accountUnreadable = Self(
        "account-unreadable",
        exit: .data,
        "The program 'check.who' of the manifest failed on what the account answered.",
        "Request it by hand and compare the answer with 'who' in the manifest."
    )

    static let grantContended = Self(
        "grant-contended",
        exit: .tryLater,
        "Another process changes what is kept of the connection again and again, so that a new consent cannot be kept.",
        "End the other process, and connect again."
    )

    static let connectionNew = Self(
        "connection-new",
        exit: .usage,
        "A connection belongs to a PDA. A new one needs --pda, because nothing is known of it yet.",
        "Write --pda https://you.example, as in the runs that follow."
    )
}
