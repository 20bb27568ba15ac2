package import PlugCore

/// The codes of YAML.
enum YAMLCodes {
    static let all: [PlugError.Code] = [
        .yamlTooLarge, .yamlNotUTF8, .yamlNul, .yamlEmpty, .yamlSyntax, .yamlAnchor, .yamlMergeKey,
        .yamlDuplicateKey, .yamlSeveralDocuments, .yamlTooDeep, .yamlTag, .yamlKey, .unquotedTemplate,
    ]
}

extension PlugError.Code {
    static let yamlTooLarge = Self(
        "yaml-too-large",
        exit: .configuration,
        "The file is larger than 256 KiB.",
        example: "tests: with megabytes of examples",
        "Split the plug, or move long examples to fixtures/."
    )

    static let yamlNotUTF8 = Self(
        "yaml-not-utf8",
        exit: .configuration,
        "The file contains bytes that are not UTF-8.",
        example: "a file saved as UTF-16",
        "Save it as UTF-8."
    )

    static let yamlNul = Self(
        "yaml-nul",
        exit: .configuration,
        "The file contains a NUL character.",
        example: "a: \\0",
        "Remove it."
    )

    package static let yamlEmpty = Self(
        "yaml-empty",
        exit: .configuration,
        "The file contains no YAML document.",
        example: "# only a comment",
        "Start from plug.yaml.example."
    )

    static let yamlSyntax = Self(
        "yaml-syntax",
        exit: .configuration,
        "The file is not valid YAML; nothing after this place was checked.",
        example: "hosts: [a, b",
        "Correct the line, or the one before it. Indent with spaces."
    )

    static let yamlAnchor = Self(
        "yaml-anchor",
        exit: .configuration,
        "Anchors and aliases are not allowed: they let a small file expand without limit.",
        example: "base: &b {…}\nother: *b",
        "Write the value wherever it is needed, or name it in vars."
    )

    static let yamlMergeKey = Self(
        "yaml-merge-key",
        exit: .configuration,
        "Merge keys are not part of the language.",
        example: "<<: *defaults",
        "Write the keys out."
    )

    static let yamlDuplicateKey = Self(
        "yaml-duplicate-key",
        exit: .configuration,
        "A key appears twice in one mapping, and YAML readers differ in which one counts.",
        example: "map: .a\nmap: .b",
        "Remove one of them; the help names the first."
    )

    static let yamlSeveralDocuments = Self(
        "yaml-several-documents",
        exit: .configuration,
        "The file holds several documents, but it describes one plug, or one host.",
        example: "plug: a\n---\nplug: b",
        "Make one file per plug."
    )

    static let yamlTooDeep = Self(
        "yaml-too-deep",
        exit: .configuration,
        "Values are nested more than 32 levels deep.",
        example: "[[[[…]]]]",
        "Use fewer levels."
    )

    static let yamlTag = Self(
        "yaml-tag",
        exit: .configuration,
        "Tags other than YAML's core ones have no meaning.",
        example: "a: !ruby/object {}",
        "Remove the tag."
    )

    static let yamlKey = Self(
        "yaml-key",
        exit: .configuration,
        "A key is a list or a mapping.",
        example: "[a, b]: 1",
        "Use a plain word."
    )

    static let unquotedTemplate = Self(
        "unquoted-template",
        exit: .configuration,
        "YAML reads {{ x }} without quotes as a mapping inside a mapping.",
        example: "token: {{ config.token }}",
        "Put quotes around it: token: '{{ config.token }}'"
    )
}
