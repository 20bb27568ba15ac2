extension DiagnosticCodes {
    static let references: [Explanation] = [
        Explanation(
            "unknown-stream",
            "for_each names a stream that does not exist.",
            "for_each: {in: bords}",
            "for_each: {in: boards}"
        ),
        Explanation(
            "stream-cycle",
            "Streams wait for each other, or one for itself.",
            "a: {for_each: {in: a}}",
            "Read one of them without the other."
        ),
        Explanation(
            "unknown-root",
            "A program begins with a name that does not exist.",
            "'{{ confg.user }}'",
            "'{{ config.user }}'"
        ),
        Explanation(
            "unknown-config",
            "A program names a config key that does not exist.",
            "'{{ config.usr }}'",
            "'{{ config.user }}'"
        ),
        Explanation(
            "unknown-var",
            "A program names a var that does not exist, or comes later in the file.",
            "'{{ vars.x }}'",
            "Add it to vars, above."
        ),
        Explanation(
            "root-unavailable",
            "A name exists and has no value here: records have no page and no clock, and only children have a parent.",
            "map: '{at: now}'",
            "Use what the help names."
        ),
        Explanation(
            "secret-in-program",
            "A secret is used in a program over records, from where it could reach the PDA.",
            "map: '{key: config.api_key}'",
            "Use secrets in auth, http and request only."
        ),
        Explanation(
            "host-outside",
            "A URL leads to a host that is not one of hosts.",
            "base: https://other.org",
            "hosts: [api.example.org, other.org]"
        ),
        Explanation(
            "base-missing",
            "A path is relative and there is no http.base.",
            "request: {path: /me}",
            "http: {base: https://api.example.org}"
        ),
    ]

    static let programs: [Explanation] = [
        Explanation("jq-syntax", "A text is no jq program.", "records: .items[", "records: .items[]"),
        Explanation(
            "template-unclosed",
            "Nothing closes a {{.",
            "path: '/{{ config.user'",
            "path: '/{{ config.user }}'"
        ),
        Explanation(
            "template-empty",
            "There is nothing between {{ and }}.",
            "path: '/{{ }}'",
            "path: '/{{ config.user }}'"
        ),
    ]

    static let streams: [Explanation] = [
        Explanation("no-streams", "A plug without streams reads nothing.", "streams: {}", "Add a stream."),
        Explanation(
            "key-required",
            "A delivered record needs an identity.",
            "things: {endpoint: things}",
            "key: [.id]"
        ),
        Explanation(
            "version-missing",
            "A record that changes keeps its key; without a version its change would not be stored.",
            "key: [.id]",
            "version: .updated_at, or version: none for records that never change."
        ),
        Explanation(
            "identity-off",
            "Without _id an equal record elsewhere in the PDA counts as this one, and delivery cannot be proved.",
            "identity: off",
            "Leave it on unless others have fixed the shape."
        ),
        Explanation(
            "application-missing",
            "A PDA shows its owner what the application says about itself.",
            "no application:",
            "Add application.info as in plug.yaml.example."
        ),
        Explanation(
            "json-needs-post",
            "A GET has no body.",
            "request: {path: /q, json: {}}",
            "request: {method: POST, path: /q, json: {}}"
        ),
        Explanation(
            "stop-needs-size",
            "stop: short must know how many records a full page has.",
            "page: {number: {param: p}, stop: short}",
            "query: {limit: 50}"
        ),
        Explanation(
            "stop-needs-token",
            "number and offset have no token to stop at.",
            "page: {number: {param: p}, stop: token}",
            "stop: empty"
        ),
        Explanation(
            "place-without-param",
            "next and link have no parameter.",
            "page: {next: .n, in: json}",
            "Remove in."
        ),
    ]

    static let rendering: [Explanation] = [
        Explanation(
            "template-undefined",
            "At run time a template refers to something that is null or not there.",
            "'{{ config.user }}' without a user",
            "Set it, or give a default: '{{ config.user // \"me\" }}'"
        ),
        Explanation(
            "template-many",
            "A template gives several values where one belongs.",
            "'{{ .a[] }}'",
            "Wrap it in [ ] or use first( )."
        ),
        Explanation(
            "template-failed",
            "A program in a template ended with an error.",
            "'{{ config.user | time(\"date\") }}'",
            "Check the values it works on."
        ),
    ]
}
