internal import PlugCore

/// The codes of options and the files they name.
enum OptionCodes {
    static let all: [PlugError.Code] = [
        .badNetwork, .badPDA, .badProxy, .badSize, .badSource, .badWait, .connectionAmbiguous, .pdaMissing,
        .tokenFileMissing,
    ]
}

extension PlugError.Code {
    static let badNetwork = Self(
        "bad-network",
        exit: .usage,
        "The value of --allow-network is not a network in CIDR notation.",
        "Write --allow-network 10.0.0.0/8. For one side only, write source=10.0.0.0/8 or pda=10.0.0.0/8."
    )

    static let badPDA = Self(
        "bad-pda",
        exit: .usage,
        "The value of --pda is not an http or https address, or it has a path or a query.",
        "Write only the scheme and host: --pda https://you.example"
    )

    static let badProxy = Self(
        "bad-proxy",
        exit: .usage,
        "The value of --proxy is not an http or https address.",
        "Write --proxy http://proxy.example:3128"
    )

    static let badSize = Self(
        "bad-size",
        exit: .usage,
        "The value of an option such as --outbox-limit is not a size, or --dead-letter-limit is less than 1.",
        "Write a number of bytes, or a number with a unit: 500000, 64KiB, 8MiB, 1GiB"
    )

    static let badSource = Self(
        "bad-source",
        exit: .usage,
        "The value of --source is not of the form ORIGIN=ORIGIN, names an origin twice, or one that the plug sends no requests to.",
        "Write --source https://api.example.org=http://127.0.0.1:22001, with the origin as in the manifest."
    )

    static let badWait = Self(
        "bad-wait",
        exit: .usage,
        "The value of --wait is not a duration.",
        "Write a number with a unit: --wait 30s, 10m or 1h"
    )

    static let connectionAmbiguous = Self(
        "connection-ambiguous",
        exit: .usage,
        "--connection names one connection, but the command names several plugs. Or a command that works on one "
            + "connection found several that match.",
        "Run the plugs one at a time, or select a connection with --connection NAME."
    )

    static let pdaMissing = Self(
        "pda-missing",
        exit: .usage,
        "A run that delivers needs the PDA's address.",
        "Write --pda https://you.example, or --dry-run to send nothing."
    )

    static let tokenFileMissing = Self(
        "token-file-missing",
        exit: .usage,
        "A run that delivers needs the application token that the PDA gave the plug.",
        "Name its file with --token-file FILE, or write --dry-run to send nothing."
    )
}
