internal import PlugCore

/// The codes of tokens in a manifest.
enum OAuthKeyCodes {
    static let all: [PlugError.Code] = [
        .grantNeeds, .grantExcludes, .secretInManifest, .authNotHTTPS, .checkOfChild,
    ]
}

extension PlugError.Code {
    static let grantNeeds = Self(
        "grant-needs",
        exit: .configuration,
        "The grant of 'oauth2' needs a key that is missing: code needs authorize, device_code needs device, jwt_bearer needs jwt, "
            + "refresh_token needs refresh.token.",
        example: "oauth2: {token: {url: https://x.org/token}}",
        "Add the key, or name the grant that is meant: grant: client_credentials"
    )

    static let grantExcludes = Self(
        "grant-excludes",
        exit: .configuration,
        "A key of 'oauth2' has no meaning with its grant and would have no effect.",
        example: "oauth2: {grant: client_credentials, pkce: true, …}",
        "Remove the key, or name the grant that it belongs to."
    )

    static let secretInManifest = Self(
        "secret-in-manifest",
        exit: .configuration,
        "A secret is written in the manifest, where anyone who can read the manifest can see it.",
        example: "client_secret: 9f86d081",
        "Leave it to the host ('provider'), or ask for it: client_secret: '{{ config.client_secret }}'"
    )

    static let authNotHTTPS = Self(
        "auth-not-https",
        exit: .configuration,
        "An address in 'auth' does not use TLS: anyone on the network path could read the secrets sent to it. Only a loopback "
            + "address may be http, for tests.",
        example: "token: {url: http://x.org/token}",
        "token: {url: https://x.org/token}"
    )

    static let checkOfChild = Self(
        "check-of-child",
        exit: .configuration,
        "'check' names a stream with parents: it would have to read them first.",
        example: "check: {stream: comments}",
        "Name a stream without for_each, or write a request of its own."
    )
}
