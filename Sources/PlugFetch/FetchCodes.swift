package import PlugCore

/// What each code of reading a source means: the table behind `plughost explain CODE`.
package enum FetchCodes {
    /// The explanation of a code, `nil` for codes of other parts.
    package static func explanation(of code: String) -> CodeExplanation? { all.first { $0.code == code } }

    /// All of them, errors and warnings.
    package static let all: [CodeExplanation] = setting + answers + pages + warnings

    private static let setting: [CodeExplanation] = [
        CodeExplanation(
            "bad-base",
            exit: .configuration,
            "With this configuration, 'http.base' is not an http or https URL on one of the 'hosts'.",
            "Write a full URL without a query, and list its host in 'hosts'."
        ),
        CodeExplanation(
            "bad-request",
            exit: .data,
            "A request cannot be sent: its URL is too long, or the manifest sets a header that only plughost may set.",
            "Check the path, query and headers of the request in the manifest."
        ),
        CodeExplanation(
            "bad-username",
            exit: .configuration,
            "A user name for HTTP basic authentication cannot contain a colon.",
            "Check the configuration that 'auth.basic.username' refers to."
        ),
        CodeExplanation(
            "body-not-object",
            exit: .configuration,
            "'page.in: json' adds a parameter to the body, but the body is not an object.",
            "Make 'request.json' a mapping, or put the parameter into the query."
        ),
        CodeExplanation(
            "credential-missing",
            exit: .authorisation,
            "A credential of 'auth' is empty.",
            "Set the config key that it refers to; for a secret, write --config KEY=@FILE."
        ),
        CodeExplanation(
            "credential-unreadable",
            exit: .configuration,
            "A credential contains a line break or another control character, as a file with two lines does.",
            "Check the file it comes from."
        ),
        CodeExplanation(
            "path-segment",
            exit: .data,
            "A template in a path gives an empty text, '.' or '..', so the request would go to another path.",
            "Check what the template refers to."
        ),
        CodeExplanation(
            "since-unreadable",
            "--since or 'since.from' is not a value of the type in 'since.type'.",
            "Write a time such as 2026-11-21T12:00:00Z, a date, or for integers a number."
        ),
        CodeExplanation(
            "state-unreadable",
            exit: .data,
            "The state of a stream is damaged, or a later version of plughost wrote it.",
            "Use that version, or start again with another --state DIR: everything is then read again."
        ),
    ]

    private static let answers: [CodeExplanation] = [
        CodeExplanation(
            "address-refused",
            exit: .configuration,
            "The source's address is not on the public internet, or the connection would not use TLS.",
            "If this is intended, allow its network with --allow-network source=CIDR."
        ),
        CodeExplanation(
            "condition-failed",
            exit: .data,
            "An 'if' of 'http.on' failed on an answer.",
            "Make it handle any body; a body that is not JSON is null."
        ),
        CodeExplanation(
            "rate-limited",
            exit: .tryLater,
            "The source, or a rate limit of the manifest ('http.limits'), requires a longer wait than "
                + "'retry.max_wait', or the source rate-limited every attempt. The message says which. Both "
                + "apply to all connections of a plug, and to later runs.",
            "Run it again at the time that the error names; it continues where it stopped."
        ),
        CodeExplanation(
            "source-circuit-open",
            exit: .tryLater,
            "The source's host has failed repeatedly, in this run or in earlier ones, so plughost sends it no requests "
                + "for a while: 30 seconds at first, up to 15 minutes in a long outage.",
            "Run it again at the time that the error names: one request then tests whether the host is back. The first "
                + "ten runs of an outage may try at once."
        ),
        CodeExplanation(
            "source-refused",
            exit: .failed,
            "The source answered a request with an error status.",
            "Check the request in the manifest, or define in 'http.on' what the status means."
        ),
        CodeExplanation(
            "source-unauthorised",
            exit: .authorisation,
            "The source answered with 401 or 403.",
            "Check the credentials of 'auth' and what they allow to read."
        ),
        CodeExplanation(
            "source-unavailable",
            exit: .tryLater,
            "The source answered with 5xx or 408 on every attempt.",
            "Run it again later; it continues where it stopped."
        ),
        CodeExplanation(
            "source-unreachable",
            exit: .unreachable,
            "The source gave no answer on any attempt, or its certificate is not trusted.",
            "Check the network and the address."
        ),
        CodeExplanation(
            "too-many-redirects",
            exit: .data,
            "A request was redirected more than five times.",
            "Write the final address in the manifest."
        ),
        CodeExplanation(
            "unexpected-not-modified",
            exit: .data,
            "The source answered 304 (not modified) to a request that was not conditional.",
            "Request the same address by hand: a cache between this machine and the source may "
                + "be answering in its place."
        ),
        CodeExplanation(
            "transport-failed",
            exit: .bug,
            "A request could not be sent because of a fault in plughost, not in the source.",
            "Report it; the machine may be short of memory."
        ),
    ]

    private static let pages: [CodeExplanation] = [
        CodeExplanation(
            "children-gone",
            exit: .failed,
            "Ten children in a row were answered with 404 or 410, and none was found.",
            "Check the child's path. If all of them may be gone, write 'do: skip' in 'http.on'."
        ),
        CodeExplanation(
            "page-limit",
            exit: .tryLater,
            "The stream has more pages than 'page.max'.",
            "Raise 'page.max'; the next run continues where this one stopped."
        ),
        CodeExplanation(
            "page-not-json",
            exit: .data,
            "An answer is not valid JSON.",
            "Request the same address by hand: it often returns a login or error page."
        ),
        CodeExplanation(
            "child-failed",
            "The records of one parent could not be read; those of the other parents were.",
            "See the error. The next run tries again."
        ),
        CodeExplanation(
            "children-failed",
            exit: .failed,
            "A stream with 'for_each' was read to its end, except for parents whose requests failed. Nothing is lost: "
                + "the next run reads them again.",
            "Request the address in the message by hand. If such an answer is expected, define in "
                + "'http.on' what it means."
        ),
        CodeExplanation(
            "page-too-large",
            exit: .data,
            "An answer has more values or records than 'http.max_body' allows: one value per four bytes, "
                + "one record per 64 bytes.",
            "Ask for smaller pages. Or raise 'http.max_body', and give the host about eight times as much memory."
        ),
        CodeExplanation(
            "page-more",
            exit: .data,
            "'page.more' gave something other than true or false, for example because a name is misspelt. Treating "
                + "that as the end could leave records unread.",
            "Check the program. If the last page leaves the member out, add '// false'."
        ),
        CodeExplanation(
            "page-token-missing",
            exit: .data,
            "The first page is full, but its answer has no member where 'page.next' or 'page.cursor.from' looks for "
                + "the next page: either there is no other page, or the program is misspelt.",
            "Check the program. If the last page leaves the member out, add '// null'."
        ),
        CodeExplanation(
            "total-unmet",
            exit: .data,
            "The last page of a pass was read, but all pages together have fewer records than 'page.total' gives: "
                + "paging may have stopped too early. If 'page.total' changes during a pass, the smallest number "
                + "counts. What was read is delivered, and the next run reads from the same watermark.",
            "Check 'page' first, especially 'stop'. 'total' must count what the request asks for: if it is an "
                + "estimate, or counts records that are not returned, leave it out."
        ),
        CodeExplanation(
            "pages-unmet",
            exit: .data,
            "The last page of a pass was read, but 'page.pages' says that there are more pages: paging may have stopped "
                + "too early. If 'page.pages' changes during a pass, the smallest number counts. What was read is "
                + "delivered, and the next run reads from the same watermark.",
            "Check 'page' first, especially 'stop' and 'more'. 'pages' must count pages of the size that is requested: "
                + "if it counts others, leave it out."
        ),
        CodeExplanation(
            "page-count-missing",
            "'page.total' or 'page.pages' gave null, nothing or no number in every answer of a pass, so it neither ends the "
                + "pages nor shows that some are missing. A text that holds a number is a number.",
            "Check the program against an answer. If the service does not know the number, leave the key out."
        ),
        CodeExplanation(
            "page-cut",
            "Pages have fewer records than were requested, but more pages follow: the service has a maximum page size "
                + "of its own. 'stop: short' would leave the rest unread; the run noticed because "
                + "the size is a round number.",
            "Request the size that the service returns (in the request, or with 'size'), or write 'stop: empty'."
        ),
        CodeExplanation(
            "pages-unjoined",
            exit: .failed,
            "Pages by number or offset shifted repeatedly while they were read, and records may have been skipped. The "
                + "watermark stays, so the next run reads from there again.",
            "Page by a cursor if the service has one, or ask for larger pages."
        ),
        CodeExplanation(
            "since-field-missing",
            exit: .data,
            "All records of a pass were delivered, but none has a readable 'since.field', so every "
                + "run reads everything again.",
            "Check 'since.field' and 'since.type' against a record of the source."
        ),
        CodeExplanation(
            "page-program-failed",
            exit: .data,
            "A program of 'page' failed on an answer.",
            "Try it on the answer with 'plughost jq'."
        ),
        CodeExplanation(
            "page-token",
            exit: .data,
            "The program for the next page gives something other than a text, a number or null.",
            "Make it give the token itself; null ends the pages."
        ),
        CodeExplanation(
            "page-truncated",
            exit: .data,
            "On every attempt, the answer ended before its announced length.",
            "Ask for smaller pages, or tell whoever runs the source."
        ),
        CodeExplanation(
            "page-unreadable",
            exit: .data,
            "An answer cannot be read: it is too large ('http.max_body'; 64 KiB and 256 fields for its header), "
                + "expands too much when decompressed, has an unknown encoding, or is not "
                + "HTTP. The message says which.",
            "Only 'http.max_body' can be raised; or ask for smaller pages. In all other cases request the address by "
                + "hand, and check what is between this machine and the source."
        ),
        CodeExplanation(
            "page-too-deep",
            exit: .data,
            "An answer is JSON whose arrays and objects are nested more than 128 levels deep. No "
                + "setting changes this limit.",
            "Request less per answer, if the service has a parameter for it. An answer this deep is often "
                + "a mistake of the service."
        ),
        CodeExplanation(
            "pagination-empty",
            exit: .data,
            "More than twenty pages in a row had no records, and each named another page.",
            "Check 'records' and 'page'; the next run continues there."
        ),
        CodeExplanation(
            "pagination-escape",
            exit: .data,
            "A next link, a redirect or a parent's link leads outside 'hosts', leads from https to http, or "
                + "is not a usable address.",
            "If the plug is meant to follow it, add the host to 'hosts'; credentials are not sent there. plughost "
                + "never follows a link from https to http: make 'page.next' give an https address, as '.next | "
                + "sub(\"^http:\"; \"https:\")' does."
        ),
        CodeExplanation(
            "pagination-loop",
            exit: .data,
            "A page names one that this pass has already read, or page after page holds the same records. A source "
                + "that lists the newest records first looks the same if it grows by exactly one "
                + "page between two requests.",
            "Check 'page': its parameter may be misspelt, or its token the wrong one. If the source grows that fast, "
                + "run it again: the next run starts a new pass. A cursor or larger pages avoid this."
        ),
        CodeExplanation(
            "records-failed",
            exit: .data,
            "The program 'records' failed on an answer.",
            "Try it on the answer with 'plughost jq'."
        ),
        CodeExplanation(
            "records-missing",
            exit: .data,
            "'records' gives null or nothing, so it found no records in the answer.",
            "If an empty page leaves them out, write 'records: .items // []'."
        ),
    ]

    private static let warnings: [CodeExplanation] = [
        CodeExplanation(
            "secret-short",
            "A secret of the configuration has fewer than four characters. Hiding so short a text everywhere would make "
                + "messages unreadable, so it is hidden only where it is a word of its own.",
            "Use a longer secret, if the service allows it; check that the right value was configured."
        ),
        CodeExplanation(
            "page-token-doubtful",
            "The last page has no member where 'page.next' or 'page.cursor.from' looks for the next page, and it may be "
                + "full: a first page with a round number of records, which may be the service's page size, or "
                + "a later page with as many records as the ones before. The program may be misspelt, or the service leaves "
                + "the member out on its last page.",
            "Check the program. If the last page leaves the member out, add '// null'. Request as many "
                + "records as the service returns."
        ),
        CodeExplanation(
            "child-gone",
            "The details of a parent were answered with 404 or 410 and are left out.",
            "Do nothing if items may disappear between the list and their details."
        ),
        CodeExplanation(
            "more-without-page",
            exit: .data,
            "'page.more' says that there is another page, but the answer has no token or address for it. This is an "
                + "error, because records may be missing. If pages are counted, or the page is "
                + "empty, it is only a warning.",
            "Check 'page': the program for the next page's token or address, and 'page.more' itself."
        ),
        CodeExplanation(
            "order-broken",
            "A stream with 'order: asc' returned a record older than the one before it.",
            "Remove 'order: asc' if the source does not promise this order."
        ),
        CodeExplanation(
            "cursor-in-future",
            "A stream would resume at a time in the future: this machine's clock was ahead during an earlier run, or "
                + "is behind now. The last four days are read again, or everything if the "
                + "difference is more than two days.",
            "Check this machine's clock."
        ),
        CodeExplanation(
            "pages-shifted",
            "Records were deleted or moved at the source while pages by number or offset were read. The run went back "
                + "and read again from where the pages join.",
            "Nothing is lost. A cursor, if the service has one, needs fewer requests."
        ),
        CodeExplanation(
            "place-refused",
            "The source does not accept the position where the last run stopped; the pass starts over.",
            "Do nothing: what was delivered is not delivered again."
        ),
        CodeExplanation(
            "since-missing",
            "Records have no readable 'since.field'. They are delivered, but do not move the watermark.",
            "Check 'since.field' and 'since.type'."
        ),
    ]
}
