internal import PlugManifest

/// The language of `plughost.yaml`.
enum HostTables {
    private static let relative = "relative paths begin at the folder of this file"

    static let host = KeyTable(
        "plughost.yaml",
        [
            .key(
                "listen",
                .text,
                default: HostDefaults.listen,
                "The address and port to listen on; port 0 takes any free one."
            ),
            .key(
                "public_url",
                .text,
                default: "the address of listen, if that is on this machine",
                example: "https://plugs.example.org",
                "Where browsers and PDAs reach this host: scheme and host, and https unless that is this machine."
            ),
            .key(
                "trusted_proxies",
                .list(.text),
                default: "no network",
                example: "[127.0.0.1, \"::1\"]",
                "Networks of the servers in front of this host: for requests from there, X-Forwarded-For names the client."
            ),
            .key(
                "state",
                .text,
                default: "$XDG_STATE_HOME/plughost, or else ~/.local/state/plughost",
                example: "/var/lib/plughost",
                "The folder of the state; \(relative)."
            ),
            .key(
                "plugs",
                .list(.text),
                default: "the bundled plugs",
                example: "[/etc/plughost/plugs, shop/plug.yaml]",
                "What people can connect: manifests, folders with a plug.yaml, and folders of such folders; \(relative)."
            ),
            .key(
                "providers",
                .names(.table(provider)),
                "The OAuth clients of this host, by the provider that plugs name; they override those of providers.yaml."
            ),
            .key("pda", .table(pda), "How people's PDAs are reached."),
            .key("source", .table(source), "How the services that plugs read are reached."),
            .key("programs", .table(programs), "What programs of plugs ('exec') may do on this machine."),
            .key("limits", .table(HostLimits.table), "How much of this machine the host may use."),
            .key("schedule", .table(schedule), "When connections without their own schedule are synced."),
            .key("retention", .table(retention), "How long records of past events are kept."),
            .key(
                "notify",
                .names(.table(NotifyTables.target)),
                "Who is told when someone must act, by names of your choice: reconnections, dead letters, plugs that fail "
                    + "for everybody."
            ),
            .key(
                "operators",
                .list(.text),
                default: "no one",
                example: "[ada, grace]",
                "Who may operate this host, by their names; `plughost operator link NAME` lets them in."
            ),
        ],
        instead: [
            "port": "write 'listen: 127.0.0.1:PORT'",
            "host": "write 'listen: ADDRESS:22100', or 'public_url: https://HOST'",
            "url": "write 'public_url'",
            "clients": "write 'providers'",
            "notifications": "write 'notify'",
            "alerts": "write 'notify'",
            "plug": "write 'plugs: [PATH]'",
            "proxies": "write 'trusted_proxies: [CIDR]'",
            "allow_network": "write 'pda: {networks: [CIDR]}', or 'source: {networks: [CIDR]}'",
        ]
    )

    static let provider = KeyTable(
        "a provider",
        [
            .key(
                "client_id",
                .text,
                required: true,
                example: "12-ab.apps.example.com",
                "The id that the service gave."
            ),
            .key(
                "client_secret",
                .secret,
                example: "{file: google.secret}",
                "The secret that it gave, if it gave one."
            ),
        ]
    )

    static let pda = KeyTable(
        "pda",
        [
            .key(
                "networks",
                .list(.text),
                default: "no network",
                example: "[10.0.0.0/8]",
                "Private networks in which PDAs may be; public addresses need not be listed."
            ),
            .key(
                "directory_upstream",
                .text,
                example: "https://dex.example.org",
                "A directory whose applications this host lists besides its plugs, which take precedence."
            ),
        ]
    )

    static let source = KeyTable(
        "source",
        [
            .key(
                "networks",
                .list(.text),
                default: "no network",
                example: "[10.0.0.0/8]",
                "Private networks in which the services that plugs read may be; public addresses need not be listed."
            )
        ]
    )

    static let programs = KeyTable(
        "programs",
        [
            .key(
                "trust",
                .list(.text),
                default: "no plug",
                example: "[tap-example]",
                "Plugs whose programs run without a sandbox, with the rights of this host: they can read all that it can read."
            ),
            .key(
                "folders",
                .list(.text),
                default: "no folder",
                example: "[/opt/taps]",
                "Folders that sandboxed programs may read beside their own; \(relative)."
            ),
        ]
    )

    static let schedule = KeyTable(
        "schedule",
        [
            .key(
                "every",
                .duration,
                default: "1h",
                "How often a connection is synced; 1m or more."
            ),
            .key(
                "quiet",
                .text,
                default: "no hours",
                example: "\"22:00-06:00\"",
                "Hours of the day in which no sync begins, in the time of the zone."
            ),
            .key(
                "zone",
                .text,
                default: "UTC",
                example: "Europe/Berlin",
                "The time zone of quiet hours and schedules."
            ),
        ]
    )

    static let retention = KeyTable(
        "retention",
        [
            .key(
                "runs",
                .durationOrCount(1...1_000_000),
                default: "100",
                example: "90d",
                "How long the runs of a connection are kept, or how many of the newest."
            ),
            .key(
                "dead_letters",
                .duration,
                default: "for ever",
                example: "365d",
                "How long dead letters are kept."
            ),
            .key(
                "outbox",
                .duration,
                default: "for ever",
                example: "90d",
                "How long records wait for a PDA that does not accept them; older ones are dropped."
            ),
        ]
    )

    /// Every table, that of the file first.
    static let all = host.withInnerTables
}
