internal import PlugCore

/// The codes of requests that a manifest makes impossible.
enum RequestCodes {
    static let all: [PlugError.Code] = [
        .badBase, .grantAddress, .bodyNotObject, .pathSegment,
    ]
}

extension PlugError.Code {
    static let badBase = Self(
        "bad-base",
        exit: .configuration,
        "With this configuration, 'http.base' is not an http or https URL on one of the 'hosts'.",
        "Write a full URL without a query, and list its host in 'hosts'."
    )

    static let grantAddress = Self(
        "grant-address",
        exit: .configuration,
        "'http.base' contains what the service gave with the token ('oauth2.keep'), and it does not lead to one of 'hosts', or not "
            + "over https. The token goes only to places that the manifest names.",
        "If the host belongs to the service, add it to 'hosts', or a pattern such as \"*.example.org\"."
    )

    static let bodyNotObject = Self(
        "body-not-object",
        exit: .configuration,
        "'page.in: json' (or variables), a bound of 'since', or a key of 'auth' adds something to the body, but there is no "
            + "form, and no object at its path.",
        "Make 'request.json' a mapping, or put the parameter into the query."
    )

    static let pathSegment = Self(
        "path-segment",
        exit: .data,
        "A template in a path gives an empty text, '.' or '..', so the request would go to another path.",
        "Check what the template refers to."
    )
}
