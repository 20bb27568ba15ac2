import PlugCore

extension DiagnosticCodes {
    static let references: [CodeExplanation] = [
        CodeExplanation(
            "unknown-stream",
            "'for_each' or --stream names a stream that the manifest does not have. Or --stream names one without an "
                + "'endpoint', which is read for its children only.",
            example: "for_each: {in: bords}",
            "for_each: {in: boards}; the error lists the streams."
        ),
        CodeExplanation(
            "stream-cycle",
            "Streams depend on each other, or one depends on itself.",
            example: "a: {for_each: {in: a}}",
            "Read one of them without the other."
        ),
        CodeExplanation(
            "unknown-root",
            "A program begins with a name that does not exist.",
            example: "'{{ confg.user }}'",
            "'{{ config.user }}'"
        ),
        CodeExplanation(
            "unknown-config",
            "A program names a config key that does not exist. In a run: --config or --config-file sets something that "
                + "the plug does not ask for.",
            example: "'{{ config.usr }}'",
            "'{{ config.user }}'; the help lists the keys."
        ),
        CodeExplanation(
            "unknown-var",
            "A program names a var that does not exist, or that comes later in the file.",
            example: "'{{ vars.x }}'",
            "Add it to vars, before its use."
        ),
        CodeExplanation(
            "root-unavailable",
            "The name exists but has no value here: records have no page and no clock, and "
                + "only children have a parent.",
            example: "map: '{at: now}'",
            "Use one of the names that the help lists."
        ),
        CodeExplanation(
            "secret-in-program",
            "A program over records uses a secret, which could then reach the PDA.",
            example: "map: '{key: config.api_key}'",
            "Use secrets only in auth, http and request."
        ),
        CodeExplanation(
            "host-outside",
            "A URL leads to a host that is not in 'hosts': in the manifest, or in a run after "
                + "the templates are rendered.",
            example: "base: https://other.org",
            "hosts: [api.example.org, other.org]"
        ),
        CodeExplanation(
            "base-missing",
            "A path is relative, but there is no http.base.",
            example: "request: {path: /me}",
            "http: {base: https://api.example.org}"
        ),
    ]

    static let programs: [CodeExplanation] = [
        CodeExplanation(
            "jq-syntax",
            "A text is not a valid jq program.",
            example: "records: .items[",
            "records: .items[]"
        ),
        CodeExplanation(
            "template-unclosed",
            "A {{ has no closing }}.",
            example: "path: '/{{ config.user'",
            "path: '/{{ config.user }}'"
        ),
        CodeExplanation(
            "template-empty",
            "There is nothing between {{ and }}.",
            example: "path: '/{{ }}'",
            "path: '/{{ config.user }}'"
        ),
    ]

    static let streams: [CodeExplanation] = [
        CodeExplanation("no-streams", "A plug without streams reads nothing.", example: "streams: {}", "Add a stream."),
        CodeExplanation(
            "key-required",
            "A stream with an endpoint needs a key, which identifies its records.",
            example: "things: {endpoint: things}",
            "key: [.id]"
        ),
        CodeExplanation(
            "json-needs-post",
            "A GET request has no body.",
            example: "request: {path: /q, json: {}}",
            "request: {method: POST, path: /q, json: {}}"
        ),
        CodeExplanation(
            "stop-needs-size",
            "'stop: short' needs to know how many records a full page has.",
            example: "page: {number: {param: p}, stop: short}",
            "query: {limit: 50}"
        ),
        CodeExplanation(
            "size-missing",
            "'size_param' requests a page size, but 'size' does not give one.",
            example: "page: {number: {param: p, size_param: per_page}}",
            "page: {number: {param: p, size: 100, size_param: per_page}}"
        ),
        CodeExplanation(
            "stop-needs-token",
            "'number' and 'offset' have no token that could be missing.",
            example: "page: {number: {param: p}, stop: token}",
            "stop: empty"
        ),
        CodeExplanation(
            "paging-filtered",
            "With 'number' and 'offset', a page without records is the last one. select( ) in 'records' can leave a "
                + "page empty. If 'records' does not begin with a path, plughost cannot tell how many "
                + "records the source sent.",
            example: "records: '(.a + .b)[] | select(.kind == \"a\")' with page: {number: {param: page}}",
            "Begin with the list ('.items[] | select(.a)'), leave records out with drop_if, or say in page.more "
                + "whether there is another page."
        ),
        CodeExplanation(
            "place-without-param",
            "'next' and 'link' have no parameter that could go into the body.",
            example: "page: {next: .n, in: json}",
            "Remove in."
        ),
    ]

    /// Warnings and notes: the manifest can be used.
    static let advice: [CodeExplanation] = [
        CodeExplanation(
            "version-missing",
            "A record that changes keeps its key; without a version the change would not be stored.",
            example: "key: [.id]",
            "version: .updated_at, or version: none for records that never change."
        ),
        CodeExplanation(
            "identity-off",
            "Without _id, an equal record elsewhere in the PDA counts as this one, and delivery cannot be proved.",
            example: "identity: off",
            "Leave it on unless the shape of the records is fixed by others."
        ),
        CodeExplanation(
            "application-missing",
            "A PDA shows its owner what the application says about itself; this plug says nothing.",
            example: "no application:",
            "Add application.info as in plug.yaml.example."
        ),
    ]

    static let rendering: [CodeExplanation] = [
        CodeExplanation(
            "template-undefined",
            "In a run, a template refers to a value that is null or missing.",
            example: "'{{ config.user }}' without a user",
            "Set it, or give a default: '{{ config.user // \"me\" }}'"
        ),
        CodeExplanation(
            "template-many",
            "A template gives several values instead of one.",
            example: "'{{ .a[] }}'",
            "Wrap it in [ ] or use first( )."
        ),
        CodeExplanation(
            "template-failed",
            "A program in a template failed.",
            example: "'{{ config.user | time(\"date\") }}'",
            "Check the values that it uses."
        ),
    ]
}
