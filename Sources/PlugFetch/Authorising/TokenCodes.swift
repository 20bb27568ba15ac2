package import PlugCore

/// The codes of a source's tokens.
enum TokenCodes {
    static let all: [PlugError.Code] = [
        .connectFirst, .clientMissing, .signingKeyUnusable, .authAddress, .loginRefused, .loginUnreadable,
        .tokenBusy, .tokenDoubtful, .tokenUnkept, .tokenFieldUnread, .grantUnreadable, .dryRunKeepsNothing,
        .scopeMissing, .renewalFailed,
    ]
}

extension PlugError.Code {
    package static let connectFirst = Self(
        "connect-first",
        exit: .authorisation,
        "Nobody has allowed plughost to read this account yet.",
        "Connect with 'plughost connect', with the same --connection (or the same PDA and configuration) as the run."
    )

    package static let clientMissing = Self(
        "client-missing",
        exit: .configuration,
        "The plug needs an OAuth client (an id and usually a secret), which the operator of this host registers with the "
            + "service once, and this host has none for its provider.",
        "Register one and give it to plughost; Documentation/authorisation.md says how."
    )

    static let signingKeyUnusable = Self(
        "signing-key-unusable",
        exit: .configuration,
        "The key that 'auth' signs with is not of the kind that 'oauth2.jwt.algorithm', 'oauth1.method' or 'sign.key_encoding' "
            + "names.",
        "Give a private key as PEM, as --config KEY=@FILE; for HS256 the shared secret."
    )

    package static let authAddress = Self(
        "auth-address",
        exit: .configuration,
        "An address in 'auth' is not a URL after its templates are rendered, or a login's path leads outside 'hosts'.",
        "Check the configuration that it refers to."
    )

    static let loginRefused = Self(
        "login-refused",
        exit: .authorisation,
        "The service refused the login (400, 401, 403 or 422), or answered it without a token.",
        "Check the user name and the password in the configuration."
    )

    static let loginUnreadable = Self(
        "login-unreadable",
        exit: .data,
        "The answer to a login does not fit 'auth.login': it is not JSON, or its status says nothing about the login.",
        "Send the login by hand and compare its answer with 'auth.login' in the manifest."
    )

    static let tokenBusy = Self(
        "token-busy",
        exit: .tryLater,
        "Another process has been renewing the access token of this connection for more than four minutes.",
        "Run it again later; check whether a plughost process is suspended."
    )

    static let tokenDoubtful = Self(
        "token-doubtful",
        exit: .tryLater,
        "The service did not answer when the access token was refreshed, either twice in this run or again after an earlier run. "
            + "Its refresh tokens work only once, and another attempt may look like theft, so this run does not ask again.",
        "Run it again later. If that run says so, connect again."
    )

    static let tokenUnkept = Self(
        "token-unkept",
        exit: .tryLater,
        "The service replaced the refresh token, and the new one could not be saved in the state folder after half a "
            + "minute of attempts. If the process continues, it tries again before it asks for anything else; if it ends, the new "
            + "refresh token is lost.",
        "Free some space on the disk of the state folder. If the next run says so, connect again, or configure a new refresh token."
    )

    static let tokenFieldUnread = Self(
        "token-field-unread",
        "A part of a token answer that the run does not need (its expiry, its scopes, a refresh token) could not be read. Without "
            + "an expiry the token is used until it is refused.",
        "Compare 'auth.oauth2.fields', or 'auth.login.expires', with an answer of the service."
    )

    static let grantUnreadable = Self(
        "grant-unreadable",
        exit: .configuration,
        "This version of plughost cannot read a saved consent: a newer one has written it.",
        "Use that version, or connect again with 'plughost connect'."
    )

    static let dryRunKeepsNothing = Self(
        "dry-run-keeps-nothing",
        exit: .usage,
        "The service may answer a refresh with a new refresh token and make the configured one worthless. A dry run of a "
            + "connection that was never run has nowhere to keep it.",
        "Run it once without --dry-run, or write 'rotates: false' in 'auth.oauth2.refresh' if the service does not rotate."
    )

    static let scopeMissing = Self(
        "scope-missing",
        "The service granted less than the plug asks for. Requests that need the rest are refused.",
        "Connect again and consent to everything, or remove the scope from the manifest."
    )

    static let renewalFailed = Self(
        "renewal-failed",
        "The access token could not be renewed before it expires. The run continues with it until then.",
        "Do nothing, unless it persists: then a later run fails for the same reason."
    )
}
