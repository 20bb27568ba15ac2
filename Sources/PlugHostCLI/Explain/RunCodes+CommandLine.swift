internal import PlugCore

extension RunCodes {
    /// Commands, their options and their files.
    static let commandLine: [CodeExplanation] = [
        CodeExplanation(
            "bad-config",
            exit: .usage,
            "The value of --config is not of the form KEY=VALUE. It is not shown, because it may be a secret.",
            "Write --config user=ada, or --config api_key=@FILE for a secret."
        ),
        CodeExplanation(
            "bad-connection",
            exit: .usage,
            "The name after --connection is empty, too long, or contains spaces, control characters or '/'.",
            "Use 1 to 100 bytes without these characters, such as ada-work."
        ),
        CodeExplanation(
            "bad-network",
            exit: .usage,
            "The value of --allow-network is not a network in CIDR notation.",
            "Write --allow-network 10.0.0.0/8. For one side only, write source=10.0.0.0/8 or pda=10.0.0.0/8."
        ),
        CodeExplanation(
            "bad-pda",
            exit: .usage,
            "The value of --pda is not an http or https address, or it has a path or a query.",
            "Write only the scheme and host: --pda https://you.example"
        ),
        CodeExplanation(
            "bad-proxy",
            exit: .usage,
            "The value of --proxy is not an http or https address.",
            "Write --proxy http://proxy.example:3128"
        ),
        CodeExplanation(
            "bad-size",
            exit: .usage,
            "The value of --outbox-limit or --outbox-total is not a size.",
            "Write a number of bytes, or a number with a unit: 500000, 64KiB, 8MiB, 1GiB"
        ),
        CodeExplanation(
            "bad-wait",
            exit: .usage,
            "The value of --wait is not a duration.",
            "Write a number with a unit: --wait 30s, 10m or 1h"
        ),
        CodeExplanation(
            "connections-malformed",
            exit: .configuration,
            "A line of the --connections file does not describe a connection. Nothing was run.",
            "Write one JSON object per line: {\"connection\": \"ada\", \"pda\": \"https://ada.example\", "
                + "\"token_file\": \"ada.token\", \"config\": {\"user\": \"Ada\"}}; 'config' is optional."
        ),
        CodeExplanation(
            "config-invalid",
            "A configuration value has the wrong type, or is not one of the allowed choices.",
            "Give a value of the type that the error names."
        ),
        CodeExplanation(
            "connection-ambiguous",
            exit: .usage,
            "--connection names one connection, but the command names several plugs. Or a command that works on one "
                + "connection found several that match.",
            "Run the plugs one at a time, or select a connection with --connection NAME."
        ),
        CodeExplanation(
            "file-large",
            "A file is larger than its kind can be, such as a token file of 64 KiB.",
            "Check that you named the right file."
        ),
        CodeExplanation(
            "file-missing",
            "A file that an option names does not exist.",
            "Check the path. If a value itself begins with '@', put it into --config-file."
        ),
        CodeExplanation(
            "file-unreadable",
            "A file cannot be read, or it is not UTF-8 text although text is needed.",
            "Check its permissions and its contents."
        ),
        CodeExplanation(
            "file-unwritable",
            exit: .configuration,
            "A file or a folder cannot be created.",
            "Choose another place, or check the permissions and whether the disk is full."
        ),
        CodeExplanation(
            "jq-argument",
            exit: .usage,
            "--arg or --argjson lacks its name or its value, or the value of --argjson is not JSON.",
            "Write --arg name text, or --argjson name '[1, 2]'"
        ),
        CodeExplanation(
            "jq-failed",
            exit: .data,
            "The filter failed on an input; the remaining inputs are still filtered.",
            "Make the filter handle such values, for example with '?' or '//'."
        ),
        CodeExplanation(
            "output-failed",
            exit: .failed,
            "The output could not be written to stdout, for example because the disk is full.",
            "Free some space and run the command again. What the command did is not undone."
        ),
        CodeExplanation(
            "jq-filter",
            exit: .usage,
            "The filter is not a valid jq program; the caret shows where.",
            "Correct it. 'plughost jq --help' lists the differences from jq."
        ),
        CodeExplanation(
            "jq-input",
            exit: .data,
            "An input is not valid JSON.",
            "Look at the byte offset that the error names."
        ),
        CodeExplanation(
            "manifest-invalid",
            exit: .configuration,
            "The manifest has errors, so nothing was started.",
            "Correct what 'plughost validate PATH' reports."
        ),
        CodeExplanation(
            "open-secret",
            exit: .usage,
            "A secret was given on the command line, where everybody on the machine can read it.",
            "Write --config KEY=@FILE, or set PLUGHOST_CONFIG_KEY. Change the secret if others may have seen it."
        ),
        CodeExplanation(
            "pda-missing",
            exit: .usage,
            "A run that delivers needs the PDA's address.",
            "Write --pda https://you.example, or --dry-run to send nothing."
        ),
        CodeExplanation(
            "token-file-missing",
            exit: .usage,
            "A run that delivers needs the application token that the PDA gave the plug.",
            "Name its file with --token-file FILE, or write --dry-run to send nothing."
        ),
        CodeExplanation(
            "unknown-code",
            exit: .usage,
            "'plughost explain' was given a code that does not exist.",
            "Copy the code from the brackets of an error; 'plughost explain' lists all codes."
        ),
    ]
}
