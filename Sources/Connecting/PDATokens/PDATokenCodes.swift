package import PlugCore

/// The codes of PDAs' tokens.
package enum PDATokenCodes {
    /// All of them.
    package static let all: [PlugError.Code] = [
        .pdaTokenMalformed, .pdaTokenAlgorithm, .pdaTokenApplication, .pdaTokenIssuer, .pdaTokenExpired,
        .pdaTokenIdle, .pdaTokenEarly, .pdaTokenSignature, .pdaKeyUnavailable, .pdaKeyRefused, .pdaName,
        .pdaLoginAnswer,
    ]
}

extension PlugError.Code {
    package static let pdaTokenMalformed = Self(
        "pda-token-malformed",
        exit: .authorisation,
        "What arrived as a PDA's token is not one: it is too long, does not have three parts, or lacks what every such token has.",
        "Log in at the PDA again, from the plug's page. If it happens again, tell the PDA's operator."
    )

    package static let pdaTokenAlgorithm = Self(
        "pda-token-algorithm",
        exit: .authorisation,
        "The token is not a JWT signed with RS256, the only algorithm that PDAs use. All others are refused.",
        "Log in at the PDA again, from the plug's page."
    )

    package static let pdaTokenApplication = Self(
        "pda-token-application",
        exit: .authorisation,
        "The token was made for another application, or is a person's own login, which no plug may have.",
        "Set the plug up at the PDA, and come back with the token that it gives this plug."
    )

    package static let pdaTokenIssuer = Self(
        "pda-token-issuer",
        exit: .authorisation,
        "The token does not name its PDA ('iss') by a host name, with or without a port, or names another PDA than the one that "
            + "was asked.",
        "Log in at the PDA whose name you gave."
    )

    package static let pdaTokenExpired = Self(
        "pda-token-expired",
        exit: .authorisation,
        "The token has expired, or does not say when it expires ('exp').",
        "Log in at the PDA again."
    )

    package static let pdaTokenIdle = Self(
        "pda-token-idle",
        exit: .authorisation,
        "The token was not used for three days ('iat'): the PDA no longer accepts it.",
        "Log in at the PDA again."
    )

    package static let pdaTokenEarly = Self(
        "pda-token-early",
        exit: .authorisation,
        "The token says that it was made in the future ('iat'): the clock of the PDA, or of this machine, is wrong.",
        "Check this machine's clock; then log in at the PDA again."
    )

    package static let pdaTokenSignature = Self(
        "pda-token-signature",
        exit: .authorisation,
        "The token is not signed by the PDA that it names: its /publickey does not match.",
        "Log in at the PDA again. If it happens again, someone may be trying to connect you to a PDA that is not yours."
    )

    package static let pdaKeyUnavailable = Self(
        "pda-key-unavailable",
        exit: .unreachable,
        "The PDA that a token names did not return the key that verifies its tokens (/publickey).",
        "Check that the PDA is up and its name is right, and try again in a minute: it is asked at most once a minute."
    )

    package static let pdaKeyRefused = Self(
        "pda-key-refused",
        exit: .configuration,
        "The PDA that a token names is in a network that this host may not reach, or can be reached only without encryption.",
        "If this is intended, allow it with --allow-network pda=CIDR, or 'pda.networks' of the configuration."
    )

    package static let pdaName = Self(
        "pda-name",
        exit: .usage,
        "The name given for a PDA is not a host name: it has spaces, a path, or characters that host names do not have.",
        "Write the PDA's host name, such as ann.hubofallthings.net, as the browser shows it when you visit it."
    )

    package static let pdaLoginAnswer = Self(
        "pda-login-answer",
        exit: .authorisation,
        "The browser came back from the PDA without a token: the person did not let the plug in, or left.",
        "Log in at the PDA again from the plug's page, and let the plug in."
    )
}
