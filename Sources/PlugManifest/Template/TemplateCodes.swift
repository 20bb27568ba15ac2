package import PlugCore

/// The codes of rendering templates in a run.
enum TemplateCodes {
    static let all: [PlugError.Code] = [
        .open(.templateUndefined), .open(.templateMany), .open(.templateFailed),
    ]
}

extension PlugError.Code.Open {
    package static let templateUndefined = Self(
        "template-undefined",
        "In a run, a template refers to a value that is null or missing.",
        example: "'{{ config.user }}' without a user",
        "Set it, or give a default: '{{ config.user // \"me\" }}'"
    )

    static let templateMany = Self(
        "template-many",
        "A template gives several values instead of one.",
        example: "'{{ .a[] }}'",
        "Wrap it in [ ] or use first( )."
    )

    static let templateFailed = Self(
        "template-failed",
        "A program in a template failed.",
        example: "'{{ config.user | time(\"date\") }}'",
        "Check the values that it uses."
    )
}
