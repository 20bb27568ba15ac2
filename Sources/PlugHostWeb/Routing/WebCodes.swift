package import PlugCore

/// The codes of what a host refuses on the web, as `plughost explain` lists them.
package enum WebCodes {
    /// All of them.
    package static let all: [PlugError.Code] = [
        .bodyLarge, .bodySlow, .bodyType, .bodyUnreadable, .formForeign, .hostForeign, .keyRefused, .linkUsed,
        .logInOpen, .methodUnknown, .notAllowed, .noticeGone, .notLoggedIn, .requestFailed, .routeUnknown, .tooOften,
        .streamsUnchosen, .watchedByMany,
    ]
}

extension PlugError.Code {
    static let bodyLarge = Self(
        "body-large",
        "The body of the request is larger than the host reads.",
        "Send less. The API takes bodies of at most 64 KiB."
    )

    static let bodySlow = Self(
        "body-slow",
        "The body of the request did not come within ten seconds.",
        "Send it in one piece, over a faster connection."
    )

    static let bodyType = Self(
        "body-type",
        "The body of the request has another media type than the route takes.",
        "Name the type in the header Content-Type: application/json for the API."
    )

    package static let bodyUnreadable = Self(
        "body-unreadable",
        "The body of the request is not what the route takes, or has members that nobody knows.",
        "GET /api/v1/openapi.json describes what each route takes."
    )

    static let formForeign = Self(
        "form-foreign",
        "The form was not sent from a page of this host that this browser had open, or the page was too old.",
        "Open the page again and send the form from there. Cookies have to be allowed."
    )

    static let hostForeign = Self(
        "host-foreign",
        "The request names another host than this one in its Host header.",
        "Use the address that 'plughost serve' prints, or set public_url to the address that is used."
    )

    static let noticeGone = Self(
        "notice-gone",
        "A page shows something once, to one browser, for ten minutes: what a PDA has brought, a code, or what came of a log-in.",
        "Begin again from the plug's page, or look at the connection."
    )

    static let streamsUnchosen = Self(
        "streams-unchosen",
        "A connection was to copy none of the plug's streams.",
        "Choose at least one, or pause the connection."
    )

    static let watchedByMany = Self(
        "watched-by-many",
        "64 pages that show runs as they continue are open at a time, and no more.",
        "Load the page again now and then, or close such pages elsewhere."
    )

    static let keyRefused = Self(
        "key-refused",
        "The API key is unknown, or was removed.",
        "'plughost apikey list' shows the keys that there are, 'plughost apikey add' makes one."
    )

    static let linkUsed = Self(
        "link-used",
        "The link was used before, is older than 15 minutes, or is not complete.",
        "'plughost operator link' prints a new one."
    )

    static let logInOpen = Self(
        "log-in-open",
        "Somebody wants to log in over plain HTTP and a network. Whoever is on that network could take the session.",
        "Put a server with TLS before the host and set public_url to its https address, or log in on the machine itself."
    )

    static let methodUnknown = Self(
        "method-unknown",
        "The address exists, but not with this method.",
        "The header Allow of the answer names the methods that it has."
    )

    static let notAllowed = Self(
        "not-allowed",
        "Whoever asks is known, and may not do this: a key lacks the scope, or a page is for operators.",
        "Use a key with the scope ('plughost apikey add NAME --scope SCOPE'), or log in as an operator."
    )

    static let notLoggedIn = Self(
        "not-logged-in",
        "Nobody knows who asks: the browser is not logged in any more, or the request has no API key.",
        "Log in again, or send the header 'Authorization: Bearer KEY'."
    )

    static let requestFailed = Self(
        "request-failed",
        exit: .bug,
        "The host could not answer because of a mistake of its own.",
        "Report it, with what the host has written to its log."
    )

    static let routeUnknown = Self(
        "route-unknown",
        "The host has nothing at this address.",
        "Check the address; GET /api/v1/openapi.json lists those of the API."
    )

    static let tooOften = Self(
        "too-often",
        "This address was asked for too often from where the request comes from.",
        "Wait as long as the header Retry-After of the answer says."
    )
}
