import PlugCore

extension DiagnosticCodes {
    static let file: [CodeExplanation] = [
        CodeExplanation(
            "manifest-missing",
            exit: .configuration,
            "There is no file at the path, or no plug.yaml in the folder.",
            example: "plughost validate Plugs/typo",
            "Name a manifest, or a folder that holds a plug.yaml."
        ),
        CodeExplanation(
            "manifest-unreadable",
            exit: .configuration,
            "The file exists and cannot be read, or it is not a regular file.",
            example: "chmod 000 plug.yaml",
            "Check its permissions and its owner."
        ),
        CodeExplanation(
            "config-file-malformed",
            exit: .configuration,
            "The file of --config-file is neither JSON nor YAML, or is not a mapping of names to single values.",
            example: "user: [ada, grace]",
            "Write a line 'name: value' for each answer, or one JSON object."
        ),
        CodeExplanation(
            "yaml-too-large",
            "A manifest may have 256 KiB.",
            example: "tests: with megabytes of examples",
            "Split the plug, or move long examples to fixtures/."
        ),
        CodeExplanation(
            "yaml-not-utf8",
            "The file holds bytes that are not UTF-8.",
            example: "a file saved as UTF-16",
            "Save it as UTF-8."
        ),
        CodeExplanation("yaml-nul", "The file holds a NUL character.", example: "a: \\0", "Remove it."),
        CodeExplanation(
            "yaml-empty",
            "The file holds no document.",
            example: "# only a comment",
            "Start from plug.yaml.example."
        ),
        CodeExplanation(
            "yaml-syntax",
            "The file is not YAML; nothing below this place was looked at.",
            example: "hosts: [a, b",
            "Mend the line, or the one before it. Indent with spaces."
        ),
        CodeExplanation(
            "yaml-anchor",
            "Anchors and aliases are refused: they let a small file grow without end.",
            example: "base: &b {…}\nother: *b",
            "Write the value where it is needed, or name it in vars."
        ),
        CodeExplanation(
            "yaml-merge-key",
            "Merge keys are not part of the language.",
            example: "<<: *defaults",
            "Write the keys out."
        ),
        CodeExplanation(
            "yaml-duplicate-key",
            "A key stands twice in one mapping, and readers differ in which one counts.",
            example: "map: .a\nmap: .b",
            "Remove one of them; the help names the first."
        ),
        CodeExplanation(
            "yaml-several-documents",
            "A file holds one plug.",
            example: "plug: a\n---\nplug: b",
            "Make two files."
        ),
        CodeExplanation(
            "yaml-too-deep",
            "Values are nested more than 32 deep.",
            example: "[[[[…]]]]",
            "Make it flatter."
        ),
        CodeExplanation(
            "yaml-tag",
            "Tags other than YAML's core ones have no meaning.",
            example: "a: !ruby/object {}",
            "Remove the tag."
        ),
        CodeExplanation("yaml-key", "A key is a list or a mapping.", example: "[a, b]: 1", "Write a plain word."),
        CodeExplanation(
            "unquoted-template",
            "YAML reads {{ x }} without quotes as a mapping in a mapping.",
            example: "token: {{ config.token }}",
            "Put quotes around it: token: '{{ config.token }}'"
        ),
    ]

    static let keys: [CodeExplanation] = [
        CodeExplanation(
            "unknown-key",
            "The mapping has no such key.",
            example: "pgae: {next: .next}",
            "Take the key that the help names."
        ),
        CodeExplanation("missing-key", "A key that must be there is not.", example: "request: {query: {}}", "Add it."),
        CodeExplanation(
            "comes-later",
            "The key is reserved for a later version of the language, and this one would not act on it.",
            example: "auth: {oauth2: {}}",
            "Remove it, or write a fetcher in code."
        ),
        CodeExplanation(
            "wrong-type",
            "The value has another type than the key takes.",
            example: "hosts: api.example.org",
            "hosts: [api.example.org]"
        ),
        CodeExplanation(
            "wrong-value",
            "The value is not one of the words that the key takes.",
            example: "do: ignore",
            "do: skip"
        ),
        CodeExplanation(
            "two-kinds",
            "A mapping names two kinds where one belongs.",
            example: "page: {next: .n, link: next}",
            "Keep one."
        ),
        CodeExplanation(
            "missing-kind",
            "A mapping does not say which kind it is.",
            example: "page: {max: 5}",
            "Add one, such as next: .next"
        ),
    ]

    static let values: [CodeExplanation] = [
        CodeExplanation(
            "bad-id",
            "An id has lower-case letters, digits and hyphens.",
            example: "plug: My Plug",
            "plug: my-plug"
        ),
        CodeExplanation("bad-version", "A version has three numbers.", example: "version: 1.0", "version: 1.0.0"),
        CodeExplanation(
            "bad-date",
            "A day has a year, a month and a day of the calendar.",
            example: "released: 2026-02-30",
            "released: \"2026-02-28\""
        ),
        CodeExplanation(
            "bad-namespace",
            "A PDA takes lower-case letters, digits and hyphens.",
            example: "namespace: My_Data",
            "namespace: my-data"
        ),
        CodeExplanation(
            "bad-endpoint",
            "A PDA takes lower-case letters, digits, hyphens and slashes inside.",
            example: "endpoint: /Feed",
            "endpoint: feed"
        ),
        CodeExplanation(
            "bad-host",
            "A host has no scheme and no path; a template of one is a config key of type host. At work: what the "
                + "person answered for such a key is not one host.",
            example: "hosts: [https://api.example.org/]",
            "hosts: [api.example.org]; as an answer a name such as example.org, with a port where it needs one."
        ),
        CodeExplanation(
            "bad-url",
            "The base, or a path with a scheme, is not an http or https URL.",
            example: "base: api.example.org",
            "base: https://api.example.org"
        ),
        CodeExplanation(
            "bad-path",
            "A path holds a space, a control character, '.' or '..'. At work: the filled-in path and 'http.base' give no URL.",
            example: "path: /my things",
            "path: /my%20things"
        ),
        CodeExplanation(
            "bad-since",
            "The start of a stream is no value of the type that 'since' has.",
            example: "since: {field: .at, type: time, from: yesterday}",
            "since: {field: .at, type: time, from: 2020-01-01}"
        ),
        CodeExplanation(
            "bad-name",
            "Programs could not say this name, or say something else by it.",
            example: "config: {api-key: {…}}",
            "config: {api_key: {…}}"
        ),
        CodeExplanation(
            "not-a-size",
            "A size is a count of bytes, or a count with KiB, MiB or GiB; from 64KiB to 1GiB.",
            example: "max_body: 64M",
            "max_body: 64MiB"
        ),
        CodeExplanation("bad-duration", "A duration has a count and a unit.", example: "timeout: 30", "timeout: 30s"),
        CodeExplanation("bad-rate", "A rate has a count and a time.", example: "rate: 180 per minute", "rate: 180/60s"),
        CodeExplanation(
            "bad-status",
            "A status is a number from 100 to 599, or a class.",
            example: "status: 4XX",
            "status: 4xx"
        ),
        CodeExplanation(
            "bad-overlap",
            "The overlap does not fit the type of the field.",
            example: "{type: integer, overlap: 1h}",
            "{type: integer, overlap: 100}"
        ),
        CodeExplanation(
            "out-of-range",
            "A number is smaller or larger than makes sense.",
            example: "retry: {tries: 0}",
            "retry: {tries: 5}"
        ),
        CodeExplanation(
            "default-type",
            "A default or a value of enum does not have the key's type.",
            example: "{type: integer, default: many}",
            "{type: integer, default: 5}"
        ),
        CodeExplanation(
            "default-not-in-enum",
            "The default could not be chosen.",
            example: "{enum: [a, b], default: c}",
            "{enum: [a, b], default: a}"
        ),
        CodeExplanation(
            "secret-default",
            "A default in a manifest is not a secret.",
            example: "{secret: true, default: abc}",
            "Remove the default."
        ),
        CodeExplanation(
            "header-name",
            "A header's name has letters, digits and a few signs.",
            example: "headers: {\"X Key\": a}",
            "headers: {X-Key: a}"
        ),
        CodeExplanation(
            "header-control",
            "A header would hold a line break or another control character: one of the manifest's own, or at work "
                + "one in what a template refers to.",
            example: "Accept: |\n  text/html",
            "Accept: text/html; at work, check what the header's template refers to."
        ),
        CodeExplanation(
            "burst-without-rate",
            "A burst belongs to a rate.",
            example: "limits: [{concurrency: 4, burst: 2}]",
            "limits: [{rate: 10/1s, burst: 2}]"
        ),
    ]
}
