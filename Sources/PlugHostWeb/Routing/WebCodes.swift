package import PlugCore

/// The codes of a host's refusals on the web, as `plughost explain` lists them.
package enum WebCodes {
    /// All codes.
    package static let all: [PlugError.Code] = [
        .bodyLarge, .bodySlow, .bodyType, .bodyUnreadable, .formForeign, .hostForeign, .keyRefused, .linkUsed,
        .logInOpen, .methodUnknown, .notAllowed, .noticeGone, .notLoggedIn, .requestFailed, .routeUnknown, .tooOften,
        .streamsUnchosen, .watchedByMany,
    ]
}

extension PlugError.Code {
    static let bodyLarge = Self(
        "body-large",
        "The body of the request is larger than the host accepts.",
        "Send less. The API takes bodies of at most 64 KiB."
    )

    static let bodySlow = Self(
        "body-slow",
        "The body of the request did not arrive within ten seconds.",
        "Send it in one piece, over a faster connection."
    )

    static let bodyType = Self(
        "body-type",
        "The body of the request has a different media type from what the route takes.",
        "Name the type in the header Content-Type: application/json for the API."
    )

    package static let bodyUnreadable = Self(
        "body-unreadable",
        "The body of the request is not what the route takes, or has unknown members.",
        "GET /api/v1/openapi.json describes what each route takes."
    )

    static let formForeign = Self(
        "form-foreign",
        "The form was not sent from a page of this host that this browser had open, or the page was too old.",
        "Open the page again and send the form from there. Cookies must be allowed."
    )

    static let hostForeign = Self(
        "host-foreign",
        "The Host header of the request names a host other than this one.",
        "Use the address that 'plughost serve' prints, or set public_url to the address that is used."
    )

    static let noticeGone = Self(
        "notice-gone",
        "Some pages are shown once, to one browser, for ten minutes: a PDA's request to connect, a code, or the result of a log-in.",
        "Begin again from the plug's page, or look at the connection."
    )

    static let streamsUnchosen = Self(
        "streams-unchosen",
        "None of the plug's streams was chosen for a connection.",
        "Choose at least one, or pause the connection."
    )

    static let watchedByMany = Self(
        "watched-by-many",
        "At most 64 pages that follow a run can be open at a time.",
        "Reload the page now and then, or close such pages elsewhere."
    )

    static let keyRefused = Self(
        "key-refused",
        "The API key is unknown, or was removed.",
        "'plughost apikey list' shows the existing keys, 'plughost apikey add' makes one."
    )

    static let linkUsed = Self(
        "link-used",
        "The link was used before, is older than 15 minutes, or is not complete.",
        "'plughost operator link' prints a new one."
    )

    static let logInOpen = Self(
        "log-in-open",
        "Somebody tried to log in with plain HTTP over a network. Anyone on that network could take over the session.",
        "Put a server with TLS in front of the host and set public_url to its https address, or log in on the machine itself."
    )

    static let methodUnknown = Self(
        "method-unknown",
        "The address exists, but not with this method.",
        "The answer's Allow header names the methods that it has."
    )

    static let notAllowed = Self(
        "not-allowed",
        "The caller is known but may not do this: a key lacks the scope, or a page is for operators.",
        "Use a key with the scope ('plughost apikey add NAME --scope SCOPE'), or log in as an operator."
    )

    static let notLoggedIn = Self(
        "not-logged-in",
        "The caller is unknown: the browser is no longer logged in, or the request has no API key.",
        "Log in again, or send the header 'Authorization: Bearer KEY'."
    )

    static let requestFailed = Self(
        "request-failed",
        exit: .bug,
        "The host could not answer because of an error of its own.",
        "Report it, with the host's log."
    )

    static let routeUnknown = Self(
        "route-unknown",
        "The host has nothing at this address.",
        "Check the address; GET /api/v1/openapi.json lists those of the API."
    )

    static let tooOften = Self(
        "too-often",
        "Too many requests for this address came from the same place.",
        "Wait as long as the answer's Retry-After header says."
    )
}
