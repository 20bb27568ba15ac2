package import PlugCore

/// The codes of programs and templates in a manifest.
enum JQProgramCodes {
    static let all: [PlugError.Code] = [
        .unknownRoot, .unknownVar, .rootUnavailable, .secretInProgram, .jqSyntax, .templateUnclosed,
        .templateEmpty, .open(.unknownConfig),
    ]
}

extension PlugError.Code {
    static let unknownRoot = Self(
        "unknown-root",
        exit: .configuration,
        "A program begins with a name that does not exist.",
        example: "'{{ confg.user }}'",
        "'{{ config.user }}'"
    )

    static let unknownVar = Self(
        "unknown-var",
        exit: .configuration,
        "A program names a var that does not exist, or that comes later in the file.",
        example: "'{{ vars.x }}'",
        "Add it to vars, before its use."
    )

    static let rootUnavailable = Self(
        "root-unavailable",
        exit: .configuration,
        "The name exists but has no value here: records have no page and no clock, and "
            + "only children have a parent.",
        example: "map: '{at: now}'",
        "Use one of the names that the help lists."
    )

    static let secretInProgram = Self(
        "secret-in-program",
        exit: .configuration,
        "A program over records uses a secret, which could then reach the PDA.",
        example: "map: '{key: config.api_key}'",
        "Use secrets only in auth, http and request."
    )

    static let jqSyntax = Self(
        "jq-syntax",
        exit: .configuration,
        "A text is not a valid jq program.",
        example: "records: .items[",
        "records: .items[]"
    )

    static let templateUnclosed = Self(
        "template-unclosed",
        exit: .configuration,
        "A {{ has no closing }}.",
        example: "path: '/{{ config.user'",
        "path: '/{{ config.user }}'"
    )

    static let templateEmpty = Self(
        "template-empty",
        exit: .configuration,
        "There is nothing between {{ and }}.",
        example: "path: '/{{ }}'",
        "path: '/{{ config.user }}'"
    )
}

extension PlugError.Code.Open {
    package static let unknownConfig = Self(
        "unknown-config",
        "A program names a config key that does not exist. In a run: --config or --config-file sets something that "
            + "the plug does not ask for.",
        example: "'{{ config.usr }}'",
        "'{{ config.user }}'; the help lists the keys."
    )
}
