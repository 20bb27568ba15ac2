import Cryptography
import Signing

extension Tables {
    static let sign = KeyTable(
        "sign",
        [
            .kind(
                "text",
                .template,
                example:
                    "\"{{ request.time | time(\\\"epoch\\\") }}{{ request.method }}{{ request.target }}{{ request.body }}\"",
                "What is signed; request has method, host, path, query, target, body, time, nonce and random."
            ),
            .kind("parts", .list(.table(signPart)), "What is signed, piece after piece."),
            .key("key", .template, default: "none, for a plain hash", "The key of the HMAC."),
            .key(
                "key_encoding",
                .choice(MessageSigner.KeyEncoding.allCases.map(\.rawValue)),
                default: "text",
                "How the key is written."
            ),
            .key(
                "hash",
                .choice(HashFunction.allCases.map(\.rawValue)),
                default: "sha256",
                "The hash of the HMAC."
            ),
            .key(
                "encoding",
                .choice(MessageSigner.Encoding.allCases.map(\.rawValue)),
                default: "hex",
                "How the signature is written."
            ),
            .key(
                "send",
                .list(.table(key), orOne: true),
                required: true,
                example: "{in: header, name: X-Signature, value: \"{{ signature }}\"}",
                "What is sent; parts without the signature are set before the request is signed."
            ),
        ]
    )

    static let signPart = KeyTable(
        "a part of what is signed",
        [.kind("text", .template, "A text.")]
            + HashFunction.allCases.map { .kind($0.rawValue, .template, "The bytes of a text's \($0.rawValue).") }
    )

    static let oauth1 = KeyTable(
        "oauth1",
        [
            .key(
                "method",
                .choice(OAuth1Method.allCases.map(\.rawValue)),
                default: OAuth1Method.hmacSHA1.rawValue,
                "How requests are signed."
            ),
            .key("consumer_key", .template, default: "with a consent, the provider's", "The application."),
            .key("consumer_secret", .template, "The application's secret."),
            .key("token", .template, "Whose data it is."),
            .key("token_secret", .template, "The token's secret."),
            .key("private_key", .template, "The private key as PEM, with RSA-SHA1."),
            .key(
                "in",
                .choice(OAuth1Settings.Place.allCases.map(\.rawValue)),
                default: "header",
                "Where the parameters go."
            ),
            .key("realm", .template, "The realm of the header."),
            .key("provider", .text, default: "the plug's id", "Whose consumer the host uses, with a consent."),
            .key("request", .table(oauth1Address), "Where a consent begins: temporary credentials are asked for."),
            .key("authorize", .table(oauth1Address), "Where the person consents in a browser."),
            .key("access", .table(oauth1Address), "Where the token of a consent is asked for."),
        ]
    )

    static let oauth1Address = KeyTable(
        "an address of oauth1",
        [
            .key("url", .template, required: true, "An https URL."),
            .key("params", .names(.template), "Parameters beside those of the protocol."),
        ]
    )

    static let aws = KeyTable(
        "aws",
        [
            .key("access_key", .template, required: true, "The id of the key."),
            .key("secret_key", .template, required: true, "The key."),
            .key("session_token", .template, "The token that belongs to temporary keys."),
            .key("region", .template, required: true, example: "eu-central-1", "The region."),
            .key("service", .template, required: true, example: "s3", "The service, as it is called in signatures."),
        ]
    )
}
