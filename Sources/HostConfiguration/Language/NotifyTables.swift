internal import PlugManifest

/// The targets of `notify` in the language of `plughost.yaml`.
enum NotifyTables {
    static let target = KeyTable(
        "a target of notices",
        [
            .kind(
                "webhook",
                .table(webhook),
                "Posts a JSON object to an address, signed with HMAC-SHA256 as Standard Webhooks has it."
            ),
            .kind("command", .table(command), "Runs a program, with a JSON object on its stdin."),
            .kind("mail", .table(mail), "Sends mail over SMTP."),
            .key(
                "pdas",
                .boolean,
                default: "false",
                "Whether its notices name the PDAs of connections, which are the addresses of people."
            ),
        ],
        instead: ["smtp": "write 'mail: {server: smtps://HOST, …}'", "url": "write 'webhook: {url: …}'"]
    )

    private static let networks = KeySpec.key(
        "networks",
        .list(.text),
        default: "no network",
        example: "[10.0.0.0/8]",
        "Private networks in which it may be; this machine need not be listed if the address names it."
    )

    static let webhook = KeyTable(
        "a webhook of notices",
        [
            .key(
                "url",
                .text,
                required: true,
                example: "https://hooks.example.org/plughost",
                "Where notices are posted: https, and http only on this machine or in one of its networks."
            ),
            .key(
                "secret",
                .secret,
                example: "{file: hook.secret}",
                "The key of the signature: any text, or whsec_ and Base64. Needed here or in its variable."
            ),
            networks,
        ]
    )

    static let command = KeyTable(
        "a command of notices",
        [
            .key(
                "run",
                .list(.text),
                required: true,
                example: "[/usr/local/bin/page, --quiet]",
                "A program and its arguments; no shell reads them. A relative path begins at the folder of this file."
            ),
            .key("timeout", .duration, default: "30s", "How long it may take, from 1s to 5m."),
        ]
    )

    static let mail = KeyTable(
        "mail of notices",
        [
            .key(
                "server",
                .text,
                required: true,
                example: "smtps://mail.example.org",
                "The mail server: smtps:// (port 465), or smtp:// (port 587), which must switch to TLS unless it is this machine."
            ),
            .key("from", .text, required: true, example: "plughost@example.org", "The sender's address."),
            .key(
                "to",
                .list(.text, orOne: true),
                required: true,
                example: "[ops@example.org]",
                "The recipients' addresses, 20 at most."
            ),
            .key("username", .text, example: "plughost", "The name of a user of the server."),
            .key("password", .secret, example: "{file: mail.secret}", "The user's password; also in its variable."),
            networks,
        ]
    )
}
