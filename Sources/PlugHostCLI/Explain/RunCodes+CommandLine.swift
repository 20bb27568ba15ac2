internal import PlugCore

extension RunCodes {
    /// Commands, their options and their files.
    static let commandLine: [CodeExplanation] = [
        CodeExplanation(
            "bad-config",
            exit: .usage,
            "An answer with --config has no name and '='. It is not repeated, because it may be a secret.",
            "Write --config user=ada, or --config api_key=@FILE for a secret."
        ),
        CodeExplanation(
            "bad-connection",
            exit: .usage,
            "The name after --connection is empty, too long, or has spaces, control characters or '/'.",
            "Use 1 to 100 bytes without them, such as ada-work."
        ),
        CodeExplanation(
            "bad-network",
            exit: .usage,
            "What follows --allow-network is not a network in CIDR form.",
            "Write --allow-network 10.0.0.0/8, or for one side only source=10.0.0.0/8 or pda=10.0.0.0/8."
        ),
        CodeExplanation(
            "bad-pda",
            exit: .usage,
            "What follows --pda is not an http or https address of a host, or it has a path or a query.",
            "Write scheme and host alone: --pda https://you.example"
        ),
        CodeExplanation(
            "bad-proxy",
            exit: .usage,
            "What follows --proxy is not an http or https address.",
            "Write --proxy http://proxy.example:3128"
        ),
        CodeExplanation(
            "bad-size",
            exit: .usage,
            "What follows --outbox-limit or --outbox-total is not a size.",
            "Write a count of bytes, or a count and a unit: 500000, 64KiB, 8MiB, 1GiB"
        ),
        CodeExplanation(
            "bad-wait",
            exit: .usage,
            "What follows --wait is not a duration.",
            "Write a count and a unit: --wait 30s, 10m or 1h"
        ),
        CodeExplanation(
            "connections-malformed",
            exit: .configuration,
            "A line of the file that --connections names is not the set-up of a connection. Nothing was run.",
            #"Write a JSON object on each line: {"connection": "ada", "pda": "https://ada.example", "#
                + #""token_file": "ada.token", "config": {"user": "Ada"}}; 'config' may be left out."#
        ),
        CodeExplanation(
            "config-invalid",
            "An answer does not have the type that the manifest asks for, or is not one of its choices.",
            "Give a value of the kind that the error names."
        ),
        CodeExplanation(
            "connection-ambiguous",
            exit: .usage,
            "--connection names one set-up, and the command names several plugs; or a command that works on one set-up "
                + "finds that several have what was named.",
            "Run the plugs one by one, or name the one set-up with --connection NAME."
        ),
        CodeExplanation(
            "file-large",
            "A file that a command reads is larger than its kind can be, such as a token of 64 KiB.",
            "Check that the right file is named."
        ),
        CodeExplanation(
            "file-missing",
            "A file that an option names does not exist.",
            "Check the path. A value that begins with '@' itself goes into --config-file."
        ),
        CodeExplanation(
            "file-unreadable",
            "A file cannot be read, or holds something other than text in UTF-8 where text is needed.",
            "Check its permissions and what it holds."
        ),
        CodeExplanation(
            "file-unwritable",
            exit: .configuration,
            "A file or a folder cannot be made.",
            "Name another place, or check who may write there and whether the disk is full."
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
            "The filter ended with an error on an input; the inputs after it are still filtered.",
            "Let the filter expect such values, for example with '?' or '//'."
        ),
        CodeExplanation(
            "output-failed",
            exit: .failed,
            "The answer could not be written to stdout, for example because the disk is full.",
            "Make room and ask again. What the command did stays done."
        ),
        CodeExplanation(
            "jq-filter",
            exit: .usage,
            "The filter is not a jq program; the caret shows where.",
            "Correct it. 'plughost jq --help' lists the differences from jq."
        ),
        CodeExplanation(
            "jq-input",
            exit: .data,
            "An input is not JSON from its first byte to its last.",
            "Look at the byte that the error names."
        ),
        CodeExplanation(
            "manifest-invalid",
            exit: .configuration,
            "The manifest has mistakes, so nothing was begun.",
            "Correct what 'plughost validate PATH' shows."
        ),
        CodeExplanation(
            "open-secret",
            exit: .usage,
            "A secret was given on the command line, which everybody on the machine can read.",
            "Write --config KEY=@FILE, or set PLUGHOST_CONFIG_KEY, and change the secret where others may have seen it."
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
            "'plughost explain' was asked for a code that plughost never gives.",
            "Copy what stands in the brackets of an error; 'plughost explain' lists all codes."
        ),
    ]
}
