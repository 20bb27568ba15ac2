extension DiagnosticCodes {
    static let file: [Explanation] = [
        Explanation(
            "manifest-missing",
            "There is no file at the path, or no plug.yaml in the folder.",
            "plughost validate Plugs/typo",
            "Name a manifest, or a folder that holds a plug.yaml."
        ),
        Explanation(
            "manifest-unreadable",
            "The file exists and cannot be read, or it is no regular file.",
            "chmod 000 plug.yaml",
            "Check its permissions and its owner."
        ),
        Explanation(
            "config-file-malformed",
            "The file of --config-file is neither JSON nor YAML, or is no mapping of names to single values.",
            "user: [ada, grace]",
            "Write a line 'name: value' for each answer, or one JSON object."
        ),
        Explanation(
            "yaml-too-large",
            "A manifest may have 256 KiB.",
            "tests: with megabytes of examples",
            "Split the plug, or move long examples to fixtures/."
        ),
        Explanation(
            "yaml-not-utf8",
            "The file holds bytes that are not UTF-8.",
            "a file saved as UTF-16",
            "Save it as UTF-8."
        ),
        Explanation("yaml-nul", "The file holds a NUL character.", "a: \\0", "Remove it."),
        Explanation("yaml-empty", "The file holds no document.", "# only a comment", "Start from plug.yaml.example."),
        Explanation(
            "yaml-syntax",
            "The file is not YAML; nothing below this place was looked at.",
            "hosts: [a, b",
            "Mend the line, or the one before it. Indent with spaces."
        ),
        Explanation(
            "yaml-anchor",
            "Anchors and aliases are refused: they let a small file grow without end.",
            "base: &b {…}\nother: *b",
            "Write the value where it is needed, or name it in vars."
        ),
        Explanation(
            "yaml-merge-key",
            "Merge keys are not part of the language.",
            "<<: *defaults",
            "Write the keys out."
        ),
        Explanation(
            "yaml-duplicate-key",
            "A key stands twice in one mapping, and readers differ in which one counts.",
            "map: .a\nmap: .b",
            "Remove one of them; the help names the first."
        ),
        Explanation("yaml-several-documents", "A file holds one plug.", "plug: a\n---\nplug: b", "Make two files."),
        Explanation("yaml-too-deep", "Values are nested more than 32 deep.", "[[[[…]]]]", "Make it flatter."),
        Explanation(
            "yaml-tag",
            "Tags other than YAML's core ones have no meaning.",
            "a: !ruby/object {}",
            "Remove the tag."
        ),
        Explanation("yaml-key", "A key is a list or a mapping.", "[a, b]: 1", "Write a plain word."),
        Explanation(
            "unquoted-template",
            "YAML reads {{ x }} without quotes as a mapping in a mapping.",
            "token: {{ config.token }}",
            "Put quotes around it: token: '{{ config.token }}'"
        ),
    ]

    static let keys: [Explanation] = [
        Explanation(
            "unknown-key",
            "The mapping has no such key.",
            "pgae: {next: .next}",
            "Take the key that the help names."
        ),
        Explanation("missing-key", "A key that must be there is not.", "request: {query: {}}", "Add it."),
        Explanation(
            "comes-later",
            "The key is reserved for a later version of the language, and this one would not act on it.",
            "auth: {oauth2: {}}",
            "Remove it, or write a fetcher in code."
        ),
        Explanation(
            "wrong-type",
            "The value has another type than the key takes.",
            "hosts: api.example.org",
            "hosts: [api.example.org]"
        ),
        Explanation("wrong-value", "The value is not one of the words that the key takes.", "do: ignore", "do: skip"),
        Explanation(
            "two-kinds",
            "A mapping names two kinds where one belongs.",
            "page: {next: .n, link: next}",
            "Keep one."
        ),
        Explanation(
            "missing-kind",
            "A mapping does not say which kind it is.",
            "page: {max: 5}",
            "Add one, such as next: .next"
        ),
    ]

    static let values: [Explanation] = [
        Explanation("bad-id", "An id has lower-case letters, digits and hyphens.", "plug: My Plug", "plug: my-plug"),
        Explanation("bad-version", "A version has three numbers.", "version: 1.0", "version: 1.0.0"),
        Explanation(
            "bad-date",
            "A day has a year, a month and a day of the calendar.",
            "released: 2026-02-30",
            "released: \"2026-02-28\""
        ),
        Explanation(
            "bad-namespace",
            "A PDA takes lower-case letters, digits and hyphens.",
            "namespace: My_Data",
            "namespace: my-data"
        ),
        Explanation(
            "bad-endpoint",
            "A PDA takes lower-case letters, digits, hyphens and slashes inside.",
            "endpoint: /Feed",
            "endpoint: feed"
        ),
        Explanation(
            "bad-host",
            "A host has no scheme and no path; a template of one is a config key of type host.",
            "hosts: [https://api.example.org/]",
            "hosts: [api.example.org]"
        ),
        Explanation(
            "bad-url",
            "The base, or a path with a scheme, is no http or https URL.",
            "base: api.example.org",
            "base: https://api.example.org"
        ),
        Explanation(
            "bad-path",
            "A path holds a space or a control character.",
            "path: /my things",
            "path: /my%20things"
        ),
        Explanation(
            "bad-name",
            "Programs could not say this name, or say something else by it.",
            "config: {api-key: {…}}",
            "config: {api_key: {…}}"
        ),
        Explanation("bad-duration", "A duration has a count and a unit.", "timeout: 30", "timeout: 30s"),
        Explanation("bad-rate", "A rate has a count and a time.", "rate: 180 per minute", "rate: 180/60s"),
        Explanation("bad-status", "A status is a number from 100 to 599, or a class.", "status: 4XX", "status: 4xx"),
        Explanation(
            "bad-overlap",
            "The overlap does not fit the type of the field.",
            "{type: integer, overlap: 1h}",
            "{type: integer, overlap: 100}"
        ),
        Explanation(
            "out-of-range",
            "A number is smaller or larger than makes sense.",
            "retry: {tries: 0}",
            "retry: {tries: 5}"
        ),
        Explanation(
            "default-type",
            "A default or a value of enum does not have the key's type.",
            "{type: integer, default: many}",
            "{type: integer, default: 5}"
        ),
        Explanation(
            "default-not-in-enum",
            "The default could not be chosen.",
            "{enum: [a, b], default: c}",
            "{enum: [a, b], default: a}"
        ),
        Explanation(
            "secret-default",
            "A default in a manifest is no secret.",
            "{secret: true, default: abc}",
            "Remove the default."
        ),
        Explanation(
            "header-name",
            "A header's name has letters, digits and a few signs.",
            "headers: {\"X Key\": a}",
            "headers: {X-Key: a}"
        ),
        Explanation(
            "header-control",
            "A header would hold a line break or another control character.",
            "Accept: |\n  text/html",
            "Accept: text/html"
        ),
        Explanation(
            "burst-without-rate",
            "A burst belongs to a rate.",
            "limits: [{concurrency: 4, burst: 2}]",
            "limits: [{rate: 10/1s, burst: 2}]"
        ),
    ]
}
