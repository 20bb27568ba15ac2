extension Tables {
    static let exec = KeyTable(
        "exec",
        [
            .key(
                "command",
                .list(.text),
                required: true,
                example: "[tap-example]",
                "The program, by its name in PATH or by a path that begins at the manifest's folder, and its arguments. No shell reads them, and no secret belongs there."
            ),
            .key("protocol", .choice(["singer"]), default: "singer", "What it speaks: Singer's messages, on stdout."),
            .key(
                "config",
                .names(.anything),
                example: "{token: \"{{ config.token }}\"}",
                "Its configuration, as JSON; texts may be templates. It is passed with --config, in a temporary file."
            ),
            .key(
                "catalog",
                .anything,
                example: "catalog.json",
                "Its catalogue: a file beside the manifest, or the catalogue itself. Streams that the manifest does not name are "
                    + "deselected. It is given with --catalog."
            ),
            .key(
                "ignore",
                .list(.text),
                example: "[tags]",
                "Its streams whose records are not wanted, if a catalogue does not keep it from sending them. While it sends records of a "
                    + "stream that is neither named nor ignored, its STATE is not kept."
            ),
            .key(
                "properties",
                .boolean,
                default: "false",
                "Whether the catalogue is given with --properties, too: older programs read only that one."
            ),
            .key(
                "trust",
                .choice(ProgramSettings.Trust.allCases.map(\.rawValue)),
                default: "sandbox",
                "sandbox: it runs with only its own files and network; operator: it needs more, and runs only where the operator "
                    + "allows it."
            ),
            .key("limits", .table(programLimits), "How much of the machine it may use."),
        ],
        instead: [
            "args": "write the arguments in 'command'",
            "state": "remove it: plughost keeps the state, and gives it with --state",
            "catalogue": "write 'catalog'",
            "env": "remove it: a program finds nothing of this machine in its environment; write 'config'",
        ]
    )

    static let programLimits = KeyTable(
        "exec.limits",
        [
            .key("time", .duration, default: "1h", "How long it may run; at most 1d."),
            .key(
                "memory",
                .sizeFrom(16 << 20),
                default: "1GiB",
                "What all its processes together make the system keep in memory; at least 16MiB."
            ),
            .key(
                "processes",
                .integer(1...1_000),
                default: "64",
                "How many processes it may have at a time. Threads count."
            ),
            .key("output", .sizeFrom(1 << 10), default: "16GiB", "What it may write to stdout and stderr."),
            .key("line", .sizeFrom(1 << 10), default: "8MiB", "The longest line of stdout; at most 64MiB."),
            .key(
                "disk",
                .sizeFrom(1 << 20),
                default: "256MiB",
                "What it may keep in files while it runs; at least 1MiB."
            ),
        ]
    )

    private static let byTheProgram = "remove it: the program of 'exec' reads the source"
    private static let requesting = [
        "request", "archive", "swift", "auth", "on", "decode", "records", "page", "since", "for_each", "equal",
    ]

    /// A stream that a program reads.
    static let programStream = KeyTable(
        "a stream with 'exec'",
        stream.keys.filter { !requesting.contains($0.name) },
        instead: Dictionary(uniqueKeysWithValues: requesting.map { ($0, byTheProgram) })
    )
}
