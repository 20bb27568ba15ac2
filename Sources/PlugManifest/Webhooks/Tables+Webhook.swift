import Cryptography
import Signing

extension Tables {
    static let webhook = KeyTable(
        "webhook",
        [
            .key("verify", .table(webhookVerify), required: true, "How to verify that the service has called."),
            .key(
                "who",
                .program,
                default: "all connections of the plug",
                example: ".account.id",
                "Whose account it is about: over the body, with headers and query; several outputs for several."
            ),
            .key(
                "account",
                .text,
                default: "check",
                example: "config.user",
                "What these are compared with: the account that check.who found, or the answer to a config key."
            ),
            .key(
                "answer",
                .program,
                example: ".challenge",
                "What a handshake is answered with: a text, over the body, with headers and query."
            ),
        ]
    )

    static let webhookVerify = KeyTable(
        "verify",
        [
            .kind("hmac", .table(webhookHMAC), "By an HMAC over the call."),
            .kind("token", .table(webhookToken), "By a secret that is sent with each call."),
        ]
    )

    static let webhookHMAC = KeyTable(
        "hmac",
        [
            .key(
                "algorithm",
                .choice(HashFunction.allCases.filter { $0 != .md5 }.map(\.rawValue)),
                default: "sha256",
                "The hash."
            ),
            .key("secret", .text, default: "the plug's id", "The provider of the host whose client_secret is the key."),
            .key(
                "key_encoding",
                .choice(MessageSigner.KeyEncoding.allCases.map(\.rawValue)),
                default: "text",
                "How the key is written."
            ),
            .key("header", .text, required: true, example: "X-Signature", "The header with the signature."),
            .key(
                "prefix",
                .text,
                example: "\"sha256=\"",
                "What comes before it; of several signatures in the header, those with this prefix count."
            ),
            .key(
                "encoding",
                .choice(MessageSigner.Encoding.allCases.map(\.rawValue)),
                default: "hex",
                "How the signature is written."
            ),
            .key(
                "signed",
                .text,
                default: "{body}, and before it {timestamp} and a dot where there is a timestamp",
                example: "\"v0:{timestamp}:{body}\"",
                "What is signed: a text with {body}, {timestamp} and {id}."
            ),
            .key("timestamp", .table(webhookHeader), "Where to find the time of the call, in seconds since 1970."),
            .key("id", .table(webhookHeader), "Where to find the call's own id."),
            .key("tolerance", .duration, default: "5m", "How old a call may be."),
        ]
    )

    static let webhookHeader = KeyTable(
        "a header of a call",
        [
            .key("header", .text, required: true, "Its name."),
            .key("prefix", .text, example: "\"t=\"", "What comes before the value."),
        ]
    )

    static let webhookToken = KeyTable(
        "token of a call",
        [
            .kind("header", .text, example: "X-Goog-Channel-Token", "The header that holds it."),
            .kind("query", .text, example: "token", "The query parameter that holds it."),
            .key("prefix", .text, example: "\"Bearer \"", "What comes before it."),
            .key("secret", .text, default: "the plug's id", "The provider of the host whose client_secret it is."),
        ]
    )
}
