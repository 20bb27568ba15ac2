package import PlugCore

/// The codes of the file and its keys.
enum ManifestCodes {
    static let all: [PlugError.Code] = [
        .manifestMissing, .manifestUnreadable, .unknownKey, .missingKey, .wrongType, .wrongValue, .twoKinds,
        .missingKind, .applicationMissing,
    ]
}

extension PlugError.Code {
    static let manifestMissing = Self(
        "manifest-missing",
        exit: .configuration,
        "There is no file at the path, or no plug.yaml in the folder.",
        example: "plughost validate Plugs/typo",
        "Name a manifest, or a folder that holds a plug.yaml."
    )

    static let manifestUnreadable = Self(
        "manifest-unreadable",
        exit: .configuration,
        "The file exists but cannot be read, or it is not a regular file.",
        example: "chmod 000 plug.yaml",
        "Check its permissions and its owner."
    )

    static let unknownKey = Self(
        "unknown-key",
        exit: .configuration,
        "There is no such key here, in the manifest language or in that of plughost.yaml.",
        example: "pgae: {next: .next}",
        "Use the key that the help names."
    )

    package static let missingKey = Self(
        "missing-key",
        exit: .configuration,
        "A required key is missing.",
        example: "request: {query: {}}",
        "Add it."
    )

    static let wrongType = Self(
        "wrong-type",
        exit: .configuration,
        "The value does not have the type that the key takes.",
        example: "hosts: api.example.org",
        "hosts: [api.example.org]"
    )

    package static let wrongValue = Self(
        "wrong-value",
        exit: .configuration,
        "The value is not one of those that the key takes.",
        example: "do: ignore",
        "do: skip"
    )

    static let twoKinds = Self(
        "two-kinds",
        exit: .configuration,
        "A mapping has two keys that exclude each other.",
        example: "page: {next: .n, link: next}",
        "Keep one."
    )

    static let missingKind = Self(
        "missing-kind",
        exit: .configuration,
        "A mapping does not say which kind it is.",
        example: "page: {max: 5}",
        "Add one, such as next: .next"
    )

    static let applicationMissing = Self(
        "application-missing",
        "A PDA shows its owner what the application says about itself; this plug says nothing.",
        example: "no application:",
        "Add application.info as in plug.yaml.example."
    )
}
