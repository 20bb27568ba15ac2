package import PlugCore

/// The codes of requests and their answers.
enum ExchangeCodes {
    static let all: [PlugError.Code] = [
        .badRequest, .badUsername, .credentialMissing, .credentialUnreadable, .addressRefused, .conditionFailed,
        .configurationRefused, .waitUnreadable, .graphQLErrors, .answerIsError, .rateLimited,
        .sourceCircuitOpen, .sourceRefused, .sourceUnauthorised, .sourceUnavailable, .sourceUnreachable,
        .tooManyRedirects, .unexpectedNotModified, .transportFailed, .pageNotDecoded, .answerNotKept,
        .textReplaced, .timeUnread, .calendarZoneUnknown, .pageNotJSON, .pageTooLarge, .pageSizeRefused, .pageTruncated,
        .pageUnreadable,
        .pageTooDeep, .secretShort, .childGone,
    ]
}

extension PlugError.Code {
    static let badRequest = Self(
        "bad-request",
        exit: .data,
        "A request cannot be sent: its URL is too long, or the manifest sets a header that only plughost may set.",
        "Check the path, query and headers of the request in the manifest."
    )

    static let badUsername = Self(
        "bad-username",
        exit: .configuration,
        "A user name for HTTP basic authentication cannot contain a colon.",
        "Check the configuration that 'auth.basic.username' refers to."
    )

    static let credentialMissing = Self(
        "credential-missing",
        exit: .authorisation,
        "A credential of 'auth' is empty.",
        "Set the config key that it refers to; for a secret, write --config KEY=@FILE."
    )

    static let credentialUnreadable = Self(
        "credential-unreadable",
        exit: .configuration,
        "A credential contains a line break or another control character, as a file with two lines does.",
        "Check the file it comes from."
    )

    static let addressRefused = Self(
        "address-refused",
        exit: .configuration,
        "The source's address is not on the public internet, or the connection would not use TLS.",
        "If this is intended, allow its network with --allow-network source=CIDR, or 'source.networks' of the host's configuration. "
            + "Metadata services, which give out a machine's own credentials, are never asked."
    )

    static let conditionFailed = Self(
        "condition-failed",
        exit: .data,
        "The 'if' of a rule in 'on' failed on an answer. In a stream this is a warning: the rule is skipped, and the status means "
            + "what it means without it.",
        "Make it handle any body, as in '.error?.code? == 7'; a body that is not JSON is its text."
    )

    static let configurationRefused = Self(
        "configuration-refused",
        exit: .configuration,
        "A rule of 'on' says that this answer means a wrong configuration ('as: configuration').",
        "Correct what the message names with --config or in the configuration file."
    )

    static let waitUnreadable = Self(
        "wait-unreadable",
        "The 'wait' of a rule of 'on' failed, or gave neither seconds nor a time. The usual back-off was used.",
        "Make it give seconds, a time, or null for the usual back-off."
    )

    static let graphQLErrors = Self(
        "graphql-errors",
        exit: .data,
        "The answer to a GraphQL query has 'errors'. Even if there is 'data', something is missing, so no page is taken from it.",
        "Check the query and its variables. If the errors mean something else, such as a rate limit, say so in 'on'."
    )

    static let answerIsError = Self(
        "answer-is-error",
        exit: .data,
        "The answer has a success status, but no records and a member that reports a failure: 'error', 'errors', 'fault' or "
            + "similar, 'ok: false', or 'status: fail'. The request was retried, as after a 500: taken for an empty page, the "
            + "answer would have ended the stream.",
        "Run it again later. If the service means something else by it, such as a rate limit or an empty list, say so in 'on'."
    )

    static let rateLimited = Self(
        "rate-limited",
        exit: .tryLater,
        "The source, or a rate limit of the manifest ('http.limits'), requires a longer wait than "
            + "'retry.max_wait', or the source rate-limited every attempt. The message says which. Both "
            + "apply to all connections of a plug, and to later runs.",
        "Run it again at the time that the error names; it continues where it stopped."
    )

    static let sourceCircuitOpen = Self(
        "source-circuit-open",
        exit: .tryLater,
        "The source's host has failed repeatedly, in this run or in earlier ones, so plughost sends it no requests "
            + "for a while: 30 seconds at first, up to 15 minutes in a long outage.",
        "Run it again at the time that the error names: one request then tests whether the host is back. The first "
            + "ten runs of an outage may try at once."
    )

    static let sourceRefused = Self(
        "source-refused",
        exit: .failed,
        "The source answered a request with an error status.",
        "Check the request in the manifest, or define in 'http.on' what the status means."
    )

    package static let sourceUnauthorised = Self(
        "source-unauthorised",
        exit: .authorisation,
        "The source answered with 401 or 403.",
        "Check the credentials of 'auth' and what they allow to read."
    )

    static let sourceUnavailable = Self(
        "source-unavailable",
        exit: .tryLater,
        "The source answered with 5xx or 408 on every attempt.",
        "Run it again later; it continues where it stopped."
    )

    static let sourceUnreachable = Self(
        "source-unreachable",
        exit: .unreachable,
        "The source gave no answer on any attempt, or its certificate is not trusted.",
        "Check the network and the address."
    )

    static let tooManyRedirects = Self(
        "too-many-redirects",
        exit: .data,
        "A request was redirected more than five times.",
        "Write the final address in the manifest."
    )

    static let unexpectedNotModified = Self(
        "unexpected-not-modified",
        exit: .data,
        "The source answered 304 (not modified) to a request that was not conditional.",
        "Request the same address by hand: a cache between this machine and the source may "
            + "be answering in its place."
    )

    package static let transportFailed = Self(
        "transport-failed",
        exit: .bug,
        "A request could not be sent because of a fault in plughost, not in the source.",
        "Report it; the machine may be short of memory."
    )

    static let pageNotDecoded = Self(
        "page-not-decoded",
        exit: .data,
        "An answer is not what 'decode' says, or is cut off: an unclosed quote, a tag without its counterpart, an HTML page "
            + "instead of a feed, custom entities, an archive in an archive, a record over 4 MiB; or a large JSON answer is cut "
            + "off, or has its list twice. The message says what and where.",
        "Request the same address by hand: it often returns a login or error page. If the answer is right, correct the stream's "
            + "'decode', if it has one."
    )

    static let answerNotKept = Self(
        "answer-not-kept",
        exit: .tryLater,
        "A large answer waits in a temporary file until its records are read, and that file cannot be written or read back: the "
            + "disk is full, or the process may not open more files. The message says which.",
        "Free some space where the state folder is, or where TMPDIR leads in a dry run. Then run it again; nothing is lost."
    )

    static let textReplaced = Self(
        "text-replaced",
        "An answer has bytes that are invalid in its encoding, or characters that XML does not allow. They became U+FFFD, the "
            + "replacement character. Or it is not quite XML: an '&' or '<' that begins nothing, or an unknown entity, was taken for "
            + "text. The message says which.",
        "If the encoding is wrong, write the right one in 'decode', such as csv: {encoding: windows-1252}. Of broken XML, tell the "
            + "service."
    )

    static let timeUnread = Self(
        "time-unread",
        "A feed has times in no form that plughost knows. The entries are given without them.",
        "Look at the text under 'raw'. A map can read it with strptime."
    )

    static let calendarZoneUnknown = Self(
        "calendar-zone-unknown",
        "A calendar has times in a time zone that it does not describe, and that the system does not know by this name. They are "
            + "given as local times, without 'Z'.",
        "Ask the service for calendars with zones of the time zone database. Or add the zone in the map, if it is always the same."
    )

    static let pageNotJSON = Self(
        "page-not-json",
        exit: .data,
        "An answer is not valid JSON.",
        "Request the same address by hand: it often returns a login or error page."
    )

    static let pageTooLarge = Self(
        "page-too-large",
        exit: .data,
        "An answer has more values or records than 'http.max_body' allows: one value per four bytes, "
            + "one record per 64 bytes.",
        "Ask for smaller pages. Or raise 'http.max_body', and give the host about eight times as much memory."
    )

    static let pageSizeRefused = Self(
        "page-size-refused",
        exit: .failed,
        "The source refuses a page as too big ('do: shrink'), and no smaller one can be asked for: it is 'min_size' already, or "
            + "the stream sends no page size.",
        "Lower 'min_size', give 'page' a 'size' and a 'size_param', or request the page by hand."
    )

    static let pageTruncated = Self(
        "page-truncated",
        exit: .data,
        "On every attempt, the answer ended before its announced length. Or it is a part of an answer (206), which no range of the "
            + "request asked for.",
        "Ask for smaller pages, or tell whoever runs the source. If a service answers with 206 to say that its list is longer, write "
            + "on: [{status: 206, do: ok}]."
    )

    static let pageUnreadable = Self(
        "page-unreadable",
        exit: .data,
        "An answer cannot be read: it is too large ('http.max_body'; 64 KiB and 256 fields for its header), "
            + "expands too much when decompressed, has an unknown encoding, or is not "
            + "HTTP. The message says which.",
        "Only 'http.max_body' can be raised; or ask for smaller pages. In all other cases request the address by "
            + "hand, and check what is between this machine and the source."
    )

    static let pageTooDeep = Self(
        "page-too-deep",
        exit: .data,
        "An answer is JSON whose arrays and objects are nested more than 128 levels deep. No "
            + "setting changes this limit.",
        "Request less per answer, if the service has a parameter for it. An answer this deep is often "
            + "a mistake of the service."
    )

    static let secretShort = Self(
        "secret-short",
        "A secret of the configuration has fewer than four characters. Hiding so short a text everywhere would make messages "
            + "unreadable, so it is hidden only where it is a separate word.",
        "Use a longer secret, if the service allows it; check that the right value was configured."
    )

    static let childGone = Self(
        "child-gone",
        "The details of a parent were answered with 404 or 410 and are left out.",
        "Do nothing if items may disappear between the list and their details."
    )
}
