internal import PlugCore

/// The codes of applications in an exchange.
enum ApplicationCodes {
    static let all: [PlugError.Code] = [
        .applicationInvalid, .badHostAddress, .exchangeFailed, .exchangeForbidden, .exchangeRefused,
        .exchangeUnreachable,
    ]
}

extension PlugError.Code {
    static let applicationInvalid = Self(
        "application-invalid",
        exit: .configuration,
        "'application' in the manifest lacks something that PDA clients show to an owner, or has a member of a "
            + "type that they cannot decode. They would not list the plug.",
        "Correct what was reported; plug.yaml.example shows every member."
    )

    static let badHostAddress = Self(
        "bad-host-address",
        exit: .usage,
        "--base or --exchange is not an http or https address.",
        "Write the scheme and host, such as https://plugs.example"
    )

    static let exchangeFailed = Self(
        "exchange-failed",
        exit: .tryLater,
        "The exchange is busy or failing.",
        "Try again later."
    )

    static let exchangeForbidden = Self(
        "exchange-forbidden",
        exit: .authorisation,
        "The exchange does not accept the token: it has expired, or its developer may not "
            + "register this application.",
        "Write a developer's token for this exchange into the token file."
    )

    static let exchangeRefused = Self(
        "exchange-refused",
        exit: .data,
        "The exchange rejects the definition, for example because the application is already registered.",
        "Read the exchange's message. Use --update to change a registered application."
    )

    static let exchangeUnreachable = Self(
        "exchange-unreachable",
        exit: .unreachable,
        "The exchange did not answer.",
        "Check --exchange and the network. The request may have arrived anyway: check before you try again."
    )
}
