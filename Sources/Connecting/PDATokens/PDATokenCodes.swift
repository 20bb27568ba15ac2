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
        "What came as the token of a PDA is none: too long, not three parts, or without what each such token says.",
        "Log in at the PDA again, from the plug's page. If it happens again, the PDA's operator has to look."
    )

    package static let pdaTokenAlgorithm = Self(
        "pda-token-algorithm",
        exit: .authorisation,
        "The token is not a JWT signed with RS256, the only way in which PDAs sign. Other ways are refused whatever they say.",
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
        "The token does not name its PDA ('iss') by a plain host name, with a port at most, or names another than was asked.",
        "Log in at the PDA whose name you gave."
    )

    package static let pdaTokenExpired = Self(
        "pda-token-expired",
        exit: .authorisation,
        "The token's time is over, or it does not say how long it is good ('exp').",
        "Log in at the PDA again."
    )

    package static let pdaTokenIdle = Self(
        "pda-token-idle",
        exit: .authorisation,
        "The token was not used for three days ('iat'): the PDA does not take it any more.",
        "Log in at the PDA again."
    )

    package static let pdaTokenEarly = Self(
        "pda-token-early",
        exit: .authorisation,
        "The token says that it was made in the future ('iat'): the clock of the PDA, or of this machine, is wrong.",
        "Compare this machine's clock with the time; then log in at the PDA again."
    )

    package static let pdaTokenSignature = Self(
        "pda-token-signature",
        exit: .authorisation,
        "The token is not signed by the PDA that it names: its /publickey does not fit.",
        "Log in at the PDA again. If it happens again, somebody tries to connect you with a PDA that is not yours."
    )

    package static let pdaKeyUnavailable = Self(
        "pda-key-unavailable",
        exit: .unreachable,
        "The PDA that a token names did not give the key that its tokens are verified with (/publickey).",
        "Look whether the PDA is up and the name is right, and try again in a minute: it is asked once a minute at most."
    )

    package static let pdaKeyRefused = Self(
        "pda-key-refused",
        exit: .configuration,
        "The PDA that a token names is in a network that this host may not reach, or only without encryption.",
        "If this is intended, allow it with --allow-network pda=CIDR, or 'pda.networks' of the configuration."
    )

    package static let pdaName = Self(
        "pda-name",
        exit: .usage,
        "What was given as a PDA is no host name: it has spaces, a path, or characters that names do not have.",
        "Write the PDA's host name, such as ann.hubofallthings.net, as it stands in the browser when you are there."
    )

    package static let pdaLoginAnswer = Self(
        "pda-login-answer",
        exit: .authorisation,
        "The browser came back from the PDA without a token: the person did not let the plug in, or left.",
        "Log in at the PDA again from the plug's page, and let the plug in."
    )
}
