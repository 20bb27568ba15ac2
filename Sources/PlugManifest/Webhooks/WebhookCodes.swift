internal import PlugCore

/// The codes of webhooks in a manifest.
enum WebhookCodes {
    static let all: [PlugError.Code] = [
        .webhookSigned, .webhookAccount,
    ]
}

extension PlugError.Code {
    static let webhookSigned = Self(
        "webhook-signed",
        exit: .configuration,
        "A webhook's 'signed' cannot be used: it must contain {body}; {timestamp} and {id} need keys that say where they are, and "
            + "an unsigned timestamp proves nothing.",
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
