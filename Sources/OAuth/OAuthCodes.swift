package import PlugCore

/// The codes of consents and tokens, as `plughost explain` lists them.
package enum OAuthCodes {
    /// All of them.
    package static let all: [PlugError.Code] = [
        .connectAgain, .clientRefused, .tokenRefused, .tokenAddress, .tokenUnavailable, .tokenUnreachable,
        .tokenUnreadable,
        .consentDenied, .consentExpired, .consentFailed, .consentForeign, .consentIssuer, .consentUsed,
    ]
}

extension PlugError.Code {
    /// The grant of a connection is dead.
    package static let connectAgain = Self(
        "connect-again",
        exit: .authorisation,
        "The service no longer accepts the tokens from a person's consent: they were withdrawn, have expired, or were used up. "
            + "Everything read until then stays, and so do the cursors.",
        "Connect again with 'plughost connect'; the next run continues where the last one stopped."
    )

    static let clientRefused = Self(
        "client-refused",
        exit: .configuration,
        "The service does not know the client (id and secret) that asks for tokens, or does not allow it this kind of "
            + "grant. No person can change that.",
        "Whoever runs plughost must compare the client's id and secret, and how they are sent ('token.client'), with the service's "
            + "developer pages."
    )

    static let tokenRefused = Self(
        "token-refused",
        exit: .authorisation,
        "The service gave no token and named an error that says neither that the grant is dead nor that the client is "
            + "wrong, such as 'invalid_scope'; or it did not take the code of a consent, which may be too old.",
        "After a consent, connect again. Otherwise compare the scopes and parameters of 'auth.oauth2' with the service's "
            + "documentation. If the answer means that somebody has to consent again, describe it with 'dead_if'."
    )

    static let tokenAddress = Self(
        "token-address",
        exit: .configuration,
        "The token address issues no tokens (404, 405, 410), redirects (3xx), which plughost never follows with a secret, or is in "
            + "a network that is not allowed. No consent can change that.",
        "Compare 'token.url' and 'refresh.url', and the configuration that they refer to, with the service's documentation."
    )

    static let tokenUnavailable = Self(
        "token-unavailable",
        exit: .tryLater,
        "The service cannot issue tokens now: it is failing, or gets too many requests.",
        "Run it again later. Nothing is lost, and the grant stays."
    )

    static let tokenUnreachable = Self(
        "token-unreachable",
        exit: .unreachable,
        "The token address did not answer.",
        "Check the network and 'token.url'. The grant stays."
    )

    static let tokenUnreadable = Self(
        "token-unreadable",
        exit: .data,
        "The answer to a token request is not an OAuth answer: it is a web page, is empty, or has no usable access token. A "
            + "refresh token that came with it is kept.",
        "Check 'token.url'; if the service returns the token under another name, describe it with 'auth.oauth2.fields'."
    )

    static let consentDenied = Self(
        "consent-denied",
        exit: .authorisation,
        "The person, or the service for them, did not consent.",
        "Run 'plughost connect' again, and consent to what it asks for."
    )

    static let consentExpired = Self(
        "consent-expired",
        exit: .authorisation,
        "Nobody consented in time: within five minutes in a browser, or before the device code expired.",
        "Run 'plughost connect' again."
    )

    static let consentFailed = Self(
        "consent-failed",
        exit: .authorisation,
        "The browser came back with an answer that is not a consent: an error of the service, an answer without a code, or "
            + "one from a service other than the one that was asked.",
        "Read what the service says. Often the redirect URI is not registered for the client, or a scope is unknown."
    )

    static let consentForeign = Self(
        "consent-foreign",
        exit: .authorisation,
        "The browser came back with an answer to another request: nobody made it here, or it was made in another browser. Such an "
            + "answer is ignored, because somebody else may have made it.",
        "Begin again, and stay in one browser until it is done."
    )

    static let consentIssuer = Self(
        "consent-issuer",
        exit: .authorisation,
        "The browser came back from a service other than the one that was asked: its 'iss' names another one, or it came to "
            + "another service's address. The code was not used.",
        "Begin again. If it happens again, one of the services is trying to get what is meant for the other."
    )

    static let consentUsed = Self(
        "consent-used",
        exit: .authorisation,
        "The browser came back a second time with an answer that was already used, for example because a page was reloaded.",
        "Check whether the connection is connected; if not, begin again."
    )
}
