internal import PlugCore

extension PlugError.Code {
    static let webhookSigned = Self(
        "webhook-signed",
        exit: .configuration,
        "What 'signed' of a webhook names does not fit: it has to have {body}; {timestamp} and {id} need keys that say where they "
            + "stand, and a timestamp that is not signed proves nothing.",
        example: "hmac: {header: X-Signature, signed: \"{timestamp}.{body}\"}",
        "Add timestamp: {header: …}, or write what the service signs: signed: \"{body}\""
    )

    static let webhookAccount = Self(
        "webhook-account",
        exit: .configuration,
        "A webhook says whose account a call is about, and there is nothing to compare it with.",
        example: "webhook: {who: .user, …}",
        "Add check: {…, who: …}, or write account: config.KEY with a config key that is not secret."
    )
}
