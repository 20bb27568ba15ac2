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
            "The file exists but cannot be read, or it is not a regular file.",
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
            "The manifest is larger than 256 KiB.",
            example: "tests: with megabytes of examples",
            "Split the plug, or move long examples to fixtures/."
        ),
        CodeExplanation(
            "yaml-not-utf8",
            "The file contains bytes that are not UTF-8.",
            example: "a file saved as UTF-16",
            "Save it as UTF-8."
        ),
        CodeExplanation("yaml-nul", "The file contains a NUL character.", example: "a: \\0", "Remove it."),
        CodeExplanation(
            "yaml-empty",
            "The file contains no YAML document.",
            example: "# only a comment",
            "Start from plug.yaml.example."
        ),
        CodeExplanation(
            "yaml-syntax",
            "The file is not valid YAML; nothing after this place was checked.",
            example: "hosts: [a, b",
            "Correct the line, or the one before it. Indent with spaces."
        ),
        CodeExplanation(
            "yaml-anchor",
            "Anchors and aliases are not allowed: they let a small file expand without limit.",
            example: "base: &b {…}\nother: *b",
            "Write the value wherever it is needed, or name it in vars."
        ),
        CodeExplanation(
            "yaml-merge-key",
            "Merge keys are not part of the manifest language.",
            example: "<<: *defaults",
            "Write the keys out."
        ),
        CodeExplanation(
            "yaml-duplicate-key",
            "A key appears twice in one mapping, and YAML readers differ in which one counts.",
            example: "map: .a\nmap: .b",
            "Remove one of them; the help names the first."
        ),
        CodeExplanation(
            "yaml-several-documents",
            "The file holds several documents, but a manifest describes one plug.",
            example: "plug: a\n---\nplug: b",
            "Make one file per plug."
        ),
        CodeExplanation(
            "yaml-too-deep",
            "Values are nested more than 32 levels deep.",
            example: "[[[[…]]]]",
            "Use fewer levels."
        ),
        CodeExplanation(
            "yaml-tag",
            "Tags other than YAML's core ones have no meaning.",
            example: "a: !ruby/object {}",
            "Remove the tag."
        ),
        CodeExplanation("yaml-key", "A key is a list or a mapping.", example: "[a, b]: 1", "Use a plain word."),
        CodeExplanation(
            "unquoted-template",
            "YAML reads {{ x }} without quotes as a mapping inside a mapping.",
            example: "token: {{ config.token }}",
            "Put quotes around it: token: '{{ config.token }}'"
        ),
    ]

    static let keys: [CodeExplanation] = [
        CodeExplanation(
            "unknown-key",
            "The manifest language has no such key here.",
            example: "pgae: {next: .next}",
            "Use the key that the help names."
        ),
        CodeExplanation("missing-key", "A required key is missing.", example: "request: {query: {}}", "Add it."),
        CodeExplanation(
            "comes-later",
            "The key is reserved for a later version of the manifest language; this version would ignore it.",
            example: "auth: {oauth2: {}}",
            "Remove it, or write a fetcher in code."
        ),
        CodeExplanation(
            "wrong-type",
            "The value does not have the type that the key takes.",
            example: "hosts: api.example.org",
            "hosts: [api.example.org]"
        ),
        CodeExplanation(
            "wrong-value",
            "The value is not one of those that the key takes.",
            example: "do: ignore",
            "do: skip"
        ),
        CodeExplanation(
            "two-kinds",
            "A mapping names two kinds, but only one is allowed.",
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
            "An id consists of lower-case letters, digits and hyphens.",
            example: "plug: My Plug",
            "plug: my-plug"
        ),
        CodeExplanation(
            "bad-version",
            "A version consists of three numbers.",
            example: "version: 1.0",
            "version: 1.0.0"
        ),
        CodeExplanation(
            "bad-date",
            "A date needs a year, a month and a day that exists in the calendar.",
            example: "released: 2026-02-30",
            "released: \"2026-02-28\""
        ),
        CodeExplanation(
            "bad-namespace",
            "A namespace consists of lower-case letters, digits and hyphens.",
            example: "namespace: My_Data",
            "namespace: my-data"
        ),
        CodeExplanation(
            "bad-endpoint",
            "An endpoint consists of lower-case letters, digits and hyphens, with slashes only inside.",
            example: "endpoint: /Feed",
            "endpoint: feed"
        ),
        CodeExplanation(
            "bad-host",
            "A host has no scheme and no path. A template must refer to a config key of type host. In a run: the value "
                + "given for such a key is not a single host.",
            example: "hosts: [https://api.example.org/]",
            "hosts: [api.example.org]. In a run, give a name such as example.org, with a port if it needs one."
        ),
        CodeExplanation(
            "bad-url",
            "The base, or a path with a scheme, is not an http or https URL.",
            example: "base: api.example.org",
            "base: https://api.example.org"
        ),
        CodeExplanation(
            "bad-path",
            "A path contains a space, a control character, '.' or '..'. In a run: the rendered path and "
                + "'http.base' do not make a URL.",
            example: "path: /my things",
            "path: /my%20things"
        ),
        CodeExplanation(
            "bad-since",
            "The start of a stream does not have the type that 'since' has.",
            example: "since: {field: .at, type: time, from: yesterday}",
            "since: {field: .at, type: time, from: 2020-01-01}"
        ),
        CodeExplanation(
            "bad-name",
            "Programs cannot use this name, or it means something else in them.",
            example: "config: {api-key: {…}}",
            "config: {api_key: {…}}"
        ),
        CodeExplanation(
            "not-a-size",
            "A size is a number of bytes, or a number with KiB, MiB or GiB, from 64KiB to 1GiB.",
            example: "max_body: 64M",
            "max_body: 64MiB"
        ),
        CodeExplanation(
            "bad-duration",
            "A duration needs a number and a unit.",
            example: "timeout: 30",
            "timeout: 30s"
        ),
        CodeExplanation(
            "bad-rate",
            "A rate needs a number and a time.",
            example: "rate: 180 per minute",
            "rate: 180/60s"
        ),
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
            "A number is outside the allowed range.",
            example: "retry: {tries: 0}",
            "retry: {tries: 5}"
        ),
        CodeExplanation(
            "default-type",
            "The default, or a value of enum, does not have the key's type.",
            example: "{type: integer, default: many}",
            "{type: integer, default: 5}"
        ),
        CodeExplanation(
            "default-not-in-enum",
            "The default is not one of the values of enum.",
            example: "{enum: [a, b], default: c}",
            "{enum: [a, b], default: a}"
        ),
        CodeExplanation(
            "secret-default",
            "A secret cannot have a default, because a manifest is not secret.",
            example: "{secret: true, default: abc}",
            "Remove the default."
        ),
        CodeExplanation(
            "header-name",
            "A header's name consists of letters, digits and a few other characters.",
            example: "headers: {\"X Key\": a}",
            "headers: {X-Key: a}"
        ),
        CodeExplanation(
            "header-control",
            "A header contains a line break or another control character: in the manifest, or in a run in the value "
                + "that a template refers to.",
            example: "Accept: |\n  text/html",
            "Accept: text/html. In a run, check what the header's template refers to."
        ),
        CodeExplanation(
            "burst-without-rate",
            "'burst' needs 'rate'.",
            example: "limits: [{concurrency: 4, burst: 2}]",
            "limits: [{rate: 10/1s, burst: 2}]"
        ),
    ]
}
