internal import PlugCore

/// The codes of recordings.
enum CassetteCodes {
    static let all: [PlugError.Code] = [
        .fixtureInvalid, .fixtureUnreadable, .open(.goldenUnwritable),
    ]
}

extension PlugError.Code {
    static let fixtureInvalid = Self(
        "fixture-invalid",
        exit: .configuration,
        "A file in 'fixtures' is not JSON, or does not have the form that Plugs/README.md describes.",
        "Correct it at the place that the error names."
    )

    static let fixtureUnreadable = Self(
        "fixture-unreadable",
        exit: .configuration,
        "A file in 'fixtures' cannot be read, or is larger than 32 MiB.",
        "Check its permissions and its size."
    )
}

extension PlugError.Code.Open {
    static let goldenUnwritable = Self(
        "golden-unwritable",
        "A golden file cannot be written.",
        "Check the folder's permissions."
    )
}
