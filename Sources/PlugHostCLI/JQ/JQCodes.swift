internal import PlugCore

/// The codes of `plughost jq`.
enum JQCodes {
    static let all: [PlugError.Code] = [
        .jqArgument, .jqFailed, .jqFilter, .jqProgram, .jqInput,
    ]
}

extension PlugError.Code {
    static let jqArgument = Self(
        "jq-argument",
        exit: .usage,
        "--arg or --argjson lacks its name or its value, or the value of --argjson is not JSON.",
        "Write --arg name text, or --argjson name '[1, 2]'"
    )

    static let jqFailed = Self(
        "jq-failed",
        exit: .data,
        "The filter failed on an input; the remaining inputs are still filtered.",
        "Make the filter handle such values, for example with '?' or '//'."
    )

    static let jqFilter = Self(
        "jq-filter",
        exit: .usage,
        "The filter is not a valid jq program; the caret shows where.",
        "Correct it. 'plughost jq --help' lists the differences from jq."
    )

    static let jqProgram = Self(
        "jq-program",
        exit: .usage,
        "'plughost jq --plug' was asked for a stream or a program that the plug does not have.",
        "Name a stream with --stream, and one of its programs with --program."
    )

    static let jqInput = Self(
        "jq-input",
        exit: .data,
        "An input is not valid JSON.",
        "Look at the byte offset that the error names."
    )
}
