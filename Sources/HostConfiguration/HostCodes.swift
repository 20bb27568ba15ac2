package import PlugCore

/// The codes of a host's configuration, as `plughost explain` lists them.
package enum HostCodes {
    /// The codes of the file, the variables and the options.
    package static let settings: [PlugError.Code] = [
        .badListen, .badPublicURL, .publicURLMissing, .badUpstream, .badCIDR, .badQuiet, .plugsMissing,
        .badNotify,
    ]

    /// The codes of OAuth clients and other secrets.
    package static let clients: [PlugError.Code] = [
        .providersMalformed, .providersOpen, .clientSecretEmpty, .notifySecretEmpty,
    ]

    /// All codes.
    package static let all = settings + clients + [.stateNowhere]
}

extension PlugError.Code {
    static let badListen = Self(
        "bad-listen",
        exit: .configuration,
        "'listen' is not an address of this machine with a port. Names are not looked up.",
        example: "listen: 22100",
        "listen: 127.0.0.1:22100"
    )

    static let badPublicURL = Self(
        "bad-public-url",
        exit: .configuration,
        "'public_url' must be the address at which browsers and PDAs reach this host: a scheme and a host. It must be https, "
            + "because consents and tokens pass through it, unless it leads only to this machine.",
        example: "public_url: http://plugs.example.org/app",
        "public_url: https://plugs.example.org"
    )

    static let publicURLMissing = Self(
        "public-url-missing",
        exit: .configuration,
        "The host listens where other machines can reach it, but does not know the address that they use.",
        example: "listen: 0.0.0.0:22100",
        "Add public_url: https://plugs.example.org, or listen on 127.0.0.1 only."
    )

    static let badUpstream = Self(
        "bad-upstream",
        exit: .configuration,
        "'directory_upstream' is not the http or https address of an application directory.",
        example: "directory_upstream: dex.example",
        "directory_upstream: https://dex.example"
    )

    static let badCIDR = Self(
        "bad-cidr",
        exit: .configuration,
        "A network is an address and the length of its prefix; all bits after the prefix must be 0.",
        example: "networks: [10.1.2.3/8]",
        "networks: [10.0.0.0/8]"
    )

    static let badQuiet = Self(
        "bad-quiet",
        exit: .configuration,
        "Quiet hours have a beginning and an end, each with two digits for the hour and the minute.",
        example: "quiet: 10pm to 6am",
        "quiet: \"22:00-06:00\""
    )

    package static let plugsMissing = Self(
        "plugs-missing",
        exit: .configuration,
        "A path in 'plugs' or on the command line leads to no manifest: it does not exist, or it is a folder with neither a "
            + "plug.yaml nor folders that have one.",
        example: "plugs: [/etc/plughost/plgus]",
        "Name a manifest, a folder with a plug.yaml, or a folder of such folders."
    )

    static let badNotify = Self(
        "bad-notify",
        exit: .configuration,
        "A target of 'notify' cannot be used: a webhook needs an https address (http only on this machine or in one of its "
            + "'networks'), a mail server is smtps://HOST or smtp://HOST, and a mail address must be a single address.",
        example: "notify: {ops: {mail: {server: mail.example.org, from: Plughost, to: [ops@example.org]}}}",
        "notify: {ops: {mail: {server: smtps://mail.example.org, from: plughost@example.org, to: [ops@example.org]}}}"
    )

    static let notifySecretEmpty = Self(
        "notify-secret-empty",
        exit: .configuration,
        "The secret of a 'notify' target is empty.",
        "Write it into its file, or into its variable."
    )

    static let providersMalformed = Self(
        "providers-malformed",
        exit: .configuration,
        "A file of OAuth clients ('--providers', or providers.yaml in the state folder) is not a mapping of providers to "
            + "'client_id' and 'client_secret'.",
        example: "google: {client_id: 12-ab.apps.example, client_secret: {file: google.secret}}",
        "Correct the place that the error names."
    )

    static let providersOpen = Self(
        "providers-open",
        exit: .configuration,
        "A file with a secret, such as that of an OAuth client, can be read or changed by others on this machine.",
        "Restrict its permissions with 'chmod 600 FILE'."
    )

    static let clientSecretEmpty = Self(
        "client-secret-empty",
        exit: .configuration,
        "The file of an OAuth client's secret is empty.",
        "Write the secret into it, or leave out client_secret for a client that has none."
    )

    static let stateNowhere = Self(
        "state-nowhere",
        exit: .configuration,
        "Neither XDG_STATE_HOME nor HOME is an absolute path, so there is no default folder for the state.",
        "Name a folder with --state DIR."
    )
}
