import PlugCore

extension DiagnosticCodes {
    static let references: [CodeExplanation] = [
        CodeExplanation(
            "unknown-stream",
            "'for_each' or --stream names a stream that the manifest does not have, or --stream one without an "
                + "'endpoint', which is read for its children only.",
            example: "for_each: {in: bords}",
            "for_each: {in: boards}; the error names the streams there are."
        ),
        CodeExplanation(
            "stream-cycle",
            "Streams wait for each other, or one for itself.",
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
            "A program names a config key that does not exist. At work: --config or --config-file answers "
                + "something that the plug does not ask.",
            example: "'{{ config.usr }}'",
            "'{{ config.user }}'; the help names the keys there are."
        ),
        CodeExplanation(
            "unknown-var",
            "A program names a var that does not exist, or comes later in the file.",
            example: "'{{ vars.x }}'",
            "Add it to vars, above."
        ),
        CodeExplanation(
            "root-unavailable",
            "A name exists and has no value here: records have no page and no clock, and only children have a parent.",
            example: "map: '{at: now}'",
            "Use what the help names."
        ),
        CodeExplanation(
            "secret-in-program",
            "A secret is used in a program over records, from where it could reach the PDA.",
            example: "map: '{key: config.api_key}'",
            "Use secrets in auth, http and request only."
        ),
        CodeExplanation(
            "host-outside",
            "A URL leads to a host that is not one of 'hosts': one of the manifest's own, or at work a filled-in one.",
            example: "base: https://other.org",
            "hosts: [api.example.org, other.org]"
        ),
        CodeExplanation(
            "base-missing",
            "A path is relative and there is no http.base.",
            example: "request: {path: /me}",
            "http: {base: https://api.example.org}"
        ),
    ]

    static let programs: [CodeExplanation] = [
        CodeExplanation("jq-syntax", "A text is not a jq program.", example: "records: .items[", "records: .items[]"),
        CodeExplanation(
            "template-unclosed",
            "Nothing closes a {{.",
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
            "A delivered record needs an identity.",
            example: "things: {endpoint: things}",
            "key: [.id]"
        ),
        CodeExplanation(
            "json-needs-post",
            "A GET has no body.",
            example: "request: {path: /q, json: {}}",
            "request: {method: POST, path: /q, json: {}}"
        ),
        CodeExplanation(
            "stop-needs-size",
            "'stop: short' must know how many records a full page has.",
            example: "page: {number: {param: p}, stop: short}",
            "query: {limit: 50}"
        ),
        CodeExplanation(
            "size-missing",
            "'size_param' asks for pages of a size that 'size' does not give.",
            example: "page: {number: {param: p, size_param: per_page}}",
            "page: {number: {param: p, size: 100, size_param: per_page}}"
        ),
        CodeExplanation(
            "stop-needs-token",
            "'number' and 'offset' have no token to stop at.",
            example: "page: {number: {param: p}, stop: token}",
            "stop: empty"
        ),
        CodeExplanation(
            "paging-filtered",
            "With number and offset a page without records is the last. 'records' with select( ) can make one, and where "
                + "it does not begin with a path, nobody can tell how many the source sent.",
            example: "records: '(.a + .b)[] | select(.kind == \"a\")' with page: {number: {param: page}}",
            "Begin with the list ('.items[] | select(.a)'), leave some out with drop_if, or say in page.more whether "
                + "there is another page."
        ),
        CodeExplanation(
            "place-without-param",
            "'next' and 'link' have no parameter.",
            example: "page: {next: .n, in: json}",
            "Remove in."
        ),
    ]

    /// Warnings and notes: the manifest can be used.
    static let advice: [CodeExplanation] = [
        CodeExplanation(
            "version-missing",
            "A record that changes keeps its key; without a version its change would not be stored.",
            example: "key: [.id]",
            "version: .updated_at, or version: none for records that never change."
        ),
        CodeExplanation(
            "identity-off",
            "Without _id an equal record elsewhere in the PDA counts as this one, and delivery cannot be proved.",
            example: "identity: off",
            "Leave it on unless others have fixed the shape."
        ),
        CodeExplanation(
            "application-missing",
            "A PDA shows its owner what the application says about itself.",
            example: "no application:",
            "Add application.info as in plug.yaml.example."
        ),
    ]

    static let rendering: [CodeExplanation] = [
        CodeExplanation(
            "template-undefined",
            "At run time a template refers to something that is null or not there.",
            example: "'{{ config.user }}' without a user",
            "Set it, or give a default: '{{ config.user // \"me\" }}'"
        ),
        CodeExplanation(
            "template-many",
            "A template gives several values where one belongs.",
            example: "'{{ .a[] }}'",
            "Wrap it in [ ] or use first( )."
        ),
        CodeExplanation(
            "template-failed",
            "A program in a template ended with an error.",
            example: "'{{ config.user | time(\"date\") }}'",
            "Check the values it works on."
        ),
    ]
}
