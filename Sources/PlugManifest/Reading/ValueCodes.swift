package import PlugCore

/// The codes of invalid values.
enum ValueCodes {
    static let all: [PlugError.Code] = [
        .badID, .badVersion, .badDate, .badNamespace, .badEndpoint, .badHost, .badURL, .badPath, .badSince,
        .badName, .notASize, .badDuration, .badRate, .badShare, .badStatus, .badMatch, .badCast, .badZone,
        .ruleKey, .badOverlap, .outOfRange, .defaultType, .defaultNotInEnum, .secretDefault, .headerName,
        .burstWithoutRate, .open(.headerControl),
    ]
}

extension PlugError.Code {
    static let badID = Self(
        "bad-id",
        exit: .configuration,
        "An id consists of lower-case letters, digits and hyphens.",
        example: "plug: My Plug",
        "plug: my-plug"
    )

    static let badVersion = Self(
        "bad-version",
        exit: .configuration,
        "A version consists of three numbers.",
        example: "version: 1.0",
        "version: 1.0.0"
    )

    static let badDate = Self(
        "bad-date",
        exit: .configuration,
        "A date needs a year, a month and a day that exists in the calendar.",
        example: "released: 2026-02-30",
        "released: \"2026-02-28\""
    )

    static let badNamespace = Self(
        "bad-namespace",
        exit: .configuration,
        "A namespace consists of lower-case letters, digits and hyphens.",
        example: "namespace: My_Data",
        "namespace: my-data"
    )

    static let badEndpoint = Self(
        "bad-endpoint",
        exit: .configuration,
        "An endpoint consists of lower-case letters, digits and hyphens, with slashes only inside.",
        example: "endpoint: /Feed",
        "endpoint: feed"
    )

    package static let badHost = Self(
        "bad-host",
        exit: .configuration,
        "A host has no scheme and no path. A template must refer to a config key of type host. In a run: the value "
            + "given for such a key is not a single host.",
        example: "hosts: [https://api.example.org/]",
        "hosts: [api.example.org]. In a run, give a name such as example.org, with a port if it needs one."
    )

    static let badURL = Self(
        "bad-url",
        exit: .configuration,
        "The base, or a path with a scheme, is not an http or https URL.",
        example: "base: api.example.org",
        "base: https://api.example.org"
    )

    package static let badPath = Self(
        "bad-path",
        exit: .configuration,
        "A path contains a space, a control character, '.' or '..'. In a run: the rendered path and "
            + "'http.base' do not make a URL.",
        example: "path: /my things",
        "path: /my%20things"
    )

    static let badSince = Self(
        "bad-since",
        exit: .configuration,
        "The start of a stream does not have the type that 'since' has.",
        example: "since: {field: .at, type: time, from: yesterday}",
        "since: {field: .at, type: time, from: 2020-01-01}"
    )

    static let badName = Self(
        "bad-name",
        exit: .configuration,
        "Programs cannot use this name, or it means something else in them.",
        example: "config: {api-key: {…}}",
        "config: {api_key: {…}}"
    )

    static let notASize = Self(
        "not-a-size",
        exit: .configuration,
        "A size is a number of bytes, or a number with KiB, MiB or GiB; in a manifest from 64KiB to 16GiB. More "
            + "than 1GiB is for plugs whose answers are all read in pieces, because the others are read in memory.",
        example: "max_body: 64M",
        "max_body: 64MiB"
    )

    static let badDuration = Self(
        "bad-duration",
        exit: .configuration,
        "A duration needs a number and a unit.",
        example: "timeout: 30",
        "timeout: 30s"
    )

    static let badRate = Self(
        "bad-rate",
        exit: .configuration,
        "A rate needs a number and a time.",
        example: "rate: 180 per minute",
        "rate: 180/60s"
    )

    static let badShare = Self(
        "bad-share",
        exit: .configuration,
        "A share is a whole number from 1 to 100 with a percent sign.",
        example: "deletes: {missing: true, max: 0.2}",
        "deletes: {missing: true, max: 20%}"
    )

    static let badStatus = Self(
        "bad-status",
        exit: .configuration,
        "A status is a number from 100 to 599, or a class.",
        example: "status: 4XX",
        "status: 4xx"
    )

    static let badMatch = Self(
        "bad-match",
        exit: .configuration,
        "The 'match' of a limit is the beginning of a path; * stands for one segment.",
        example: "match: search",
        "match: /search"
    )

    static let badCast = Self(
        "bad-cast",
        exit: .configuration,
        "A cast in 'fields' contradicts itself: the same character before fractions and between groups of digits, or a word that "
            + "means both true and false.",
        example: "price: {decimal: {point: \",\", group: \",\"}}",
        "price: {decimal: {point: \",\", group: \".\"}}"
    )

    package static let badZone = Self(
        "bad-zone",
        exit: .configuration,
        "The 'zone' is not a time zone. Abbreviations such as CET are not accepted: they stand for several zones.",
        example: "at: {time: {zone: CET}}",
        "at: {time: {zone: Europe/Berlin}}"
    )

    static let ruleKey = Self(
        "rule-key",
        exit: .configuration,
        "A rule has a key that its 'do' does not use.",
        example: "{status: 404, do: fail, wait: 5s}",
        "Remove the key, or write another 'do'."
    )

    static let badOverlap = Self(
        "bad-overlap",
        exit: .configuration,
        "The overlap does not fit the type of the field.",
        example: "{type: integer, overlap: 1h}",
        "{type: integer, overlap: 100}"
    )

    package static let outOfRange = Self(
        "out-of-range",
        exit: .configuration,
        "A number is outside the allowed range.",
        example: "retry: {tries: 0}",
        "retry: {tries: 5}"
    )

    static let defaultType = Self(
        "default-type",
        exit: .configuration,
        "The default, or a value of enum, does not have the key's type.",
        example: "{type: integer, default: many}",
        "{type: integer, default: 5}"
    )

    static let defaultNotInEnum = Self(
        "default-not-in-enum",
        exit: .configuration,
        "The default is not one of the values of enum.",
        example: "{enum: [a, b], default: c}",
        "{enum: [a, b], default: a}"
    )

    static let secretDefault = Self(
        "secret-default",
        exit: .configuration,
        "A secret cannot have a default, because a manifest is not secret.",
        example: "{secret: true, default: abc}",
        "Remove the default."
    )

    static let headerName = Self(
        "header-name",
        exit: .configuration,
        "A header's name consists of letters, digits and a few other characters.",
        example: "headers: {\"X Key\": a}",
        "headers: {X-Key: a}"
    )

    static let burstWithoutRate = Self(
        "burst-without-rate",
        exit: .configuration,
        "'burst' needs 'rate'.",
        example: "limits: [{concurrency: 4, burst: 2}]",
        "limits: [{rate: 10/1s, burst: 2}]"
    )
}

extension PlugError.Code.Open {
    package static let headerControl = Self(
        "header-control",
        "A header contains a line break or another control character: in the manifest, or in a run in the value "
            + "that a template refers to. Or it begins or ends with spaces, which are not sent.",
        example: "Accept: |\n  text/html",
        "Accept: text/html. In a run, check what the header's template refers to."
    )
}
