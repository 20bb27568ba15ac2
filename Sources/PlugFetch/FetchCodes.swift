public import PlugCore

/// What each code of reading a source means: the table behind `plughost explain CODE`.
public enum FetchCodes {
    /// The explanation of a code, `nil` for codes of other parts.
    public static func explanation(of code: String) -> CodeExplanation? { all.first { $0.code == code } }

    /// All of them, errors and warnings.
    public static let all: [CodeExplanation] = setting + answers + pages + warnings

    private static let setting: [CodeExplanation] = [
        CodeExplanation(
            "bad-base",
            exit: .configuration,
            "With this configuration 'http.base' is not an http or https URL within 'hosts'.",
            "Write a whole URL without a query, and list its host in 'hosts'."
        ),
        CodeExplanation(
            "bad-request",
            exit: .data,
            "A request cannot be sent: its URL is too long, or a header is one that only the transport may set.",
            "Check path, query and headers of the request in the manifest."
        ),
        CodeExplanation(
            "bad-username",
            exit: .configuration,
            "HTTP's basic authentication cannot carry a user name with a colon.",
            "Check the configuration that 'auth.basic.username' refers to."
        ),
        CodeExplanation(
            "body-not-object",
            exit: .configuration,
            "'page.in: json' puts a parameter into the body's top level, which is not an object.",
            "Make 'request.json' a mapping, or put the parameter into the query."
        ),
        CodeExplanation(
            "credential-missing",
            exit: .authorisation,
            "A credential of 'auth' is empty.",
            "Give the configuration it refers to, for secrets as --config k=@FILE."
        ),
        CodeExplanation(
            "credential-unreadable",
            exit: .configuration,
            "A credential holds a line break or another control character, as files with two lines do.",
            "Check the file it comes from."
        ),
        CodeExplanation(
            "path-segment",
            exit: .data,
            "A template in a path is empty, '.' or '..', and the request would ask for something else.",
            "Check what the template refers to."
        ),
        CodeExplanation(
            "since-unreadable",
            "--since or 'since.from' gives no value of the type in 'since.type'.",
            "Write a time such as 2026-11-21T12:00:00Z, a day, or for integers a number."
        ),
        CodeExplanation(
            "state-unreadable",
            exit: .data,
            "The state of a stream is damaged or of a later version of plughost.",
            "Use the version that wrote it, or begin anew with another --state DIR: then everything is read again."
        ),
    ]

    private static let answers: [CodeExplanation] = [
        CodeExplanation(
            "address-refused",
            exit: .configuration,
            "The source's address is not on the public internet, or it is asked without TLS.",
            "Where this is meant, allow its network with --allow-network source=CIDR."
        ),
        CodeExplanation(
            "condition-failed",
            exit: .data,
            "An 'if' of 'http.on' fails on an answer.",
            "Let it expect any body; a body that is not JSON is null."
        ),
        CodeExplanation(
            "rate-limited",
            exit: .tryLater,
            "The source or a rate of the manifest ('http.limits') wants a longer wait than 'retry.max_wait', or the source limits "
                + "every try. The message says which. Both hold for all connections of a plug, and for later runs.",
            "Run it again at the time it names; it goes on where it stopped."
        ),
        CodeExplanation(
            "source-circuit-open",
            exit: .tryLater,
            "The source's host has failed again and again, in this run or in earlier ones, so that it is left alone "
                + "for a while: 30 seconds at first, up to 15 minutes in a long outage.",
            "Run it again at the time it names: then one request tries whether the host is back. The first ten runs of "
                + "an outage may try at once."
        ),
        CodeExplanation(
            "source-refused",
            exit: .failed,
            "The source answered a request with a status that means no.",
            "Check the request in the manifest, or say in 'http.on' what the status means."
        ),
        CodeExplanation(
            "source-unauthorised",
            exit: .authorisation,
            "The source answered with 401 or 403.",
            "Check the credentials of 'auth' and what they may read."
        ),
        CodeExplanation(
            "source-unavailable",
            exit: .tryLater,
            "The source answered with 5xx or 408 on every try.",
            "Run it again later; it goes on where it stopped."
        ),
        CodeExplanation(
            "source-unreachable",
            exit: .unreachable,
            "Nobody answered at the source's address on any try, or its certificate is not to be trusted.",
            "Check the network and the address."
        ),
        CodeExplanation(
            "too-many-redirects",
            exit: .data,
            "A request was led on more than five times.",
            "Name the last address in the manifest."
        ),
        CodeExplanation(
            "unexpected-not-modified",
            exit: .data,
            "The source answered 304, 'not modified', to a request that did not ask whether anything was.",
            "Ask for the same address by hand: a cache between here and the source may answer in its place."
        ),
        CodeExplanation(
            "transport-failed",
            exit: .bug,
            "The transport itself failed, not the source.",
            "Report it; memory may be short."
        ),
    ]

    private static let pages: [CodeExplanation] = [
        CodeExplanation(
            "children-gone",
            exit: .failed,
            "Ten children in a row were answered with 404 or 410, and none was found.",
            "Check the child's path; where all may be gone, say 'do: skip' in 'http.on'."
        ),
        CodeExplanation(
            "page-limit",
            exit: .tryLater,
            "The stream has more pages than 'page.max'.",
            "Raise 'page.max'; the next run goes on where it stopped."
        ),
        CodeExplanation(
            "page-not-json",
            exit: .data,
            "An answer is not JSON from its first byte to its last.",
            "Ask for the same address by hand: a login or error page often stands there."
        ),
        CodeExplanation(
            "child-failed",
            "The records of one parent could not be read; those of the others are.",
            "See the error. The next run reads them again."
        ),
        CodeExplanation(
            "children-failed",
            exit: .failed,
            "A stream with 'for_each' was read to its end, but for some parents whose requests fail. Nothing of theirs is lost: "
                + "the next run reads them again.",
            "Ask for the address in the message by hand. Where such an answer is to be expected, say in 'http.on' what it means."
        ),
        CodeExplanation(
            "page-too-large",
            exit: .data,
            "An answer has more values or records than 'http.max_body' allows: one value for each four of its bytes, one record "
                + "for each 64.",
            "Ask for smaller pages. Or raise 'http.max_body', and give the host the memory: some eight times as much."
        ),
        CodeExplanation(
            "page-more",
            exit: .data,
            "'page.more' gave something other than true or false, as a misspelt name does: taken for an end it would leave "
                + "records behind.",
            "Check the program; where the last page leaves the member out, add '// false'."
        ),
        CodeExplanation(
            "page-token-missing",
            exit: .data,
            "The first page is full, and its answer has no member where 'page.next' or 'page.cursor.from' looks for the next "
                + "page: either there is no other page, or the program is misspelt.",
            "Check the program; where the last page leaves the member out, add '// null'."
        ),
        CodeExplanation(
            "total-unmet",
            exit: .data,
            "The last page of a pass was read, and all pages together have fewer records than 'page.total' says there are: the "
                + "pages may end too early. Of several numbers in a pass the smallest counts. What was read is delivered, and the "
                + "next run reads from the same watermark.",
            "Check 'page', 'stop' before all. 'total' has to count what the request asks for: where it is an estimate, or counts "
                + "records that are not given, leave it out."
        ),
        CodeExplanation(
            "page-cut",
            "Pages have fewer records than were asked for, and there are more behind them: the service has a largest size of its "
                + "own. With 'stop: short' the rest would be left behind; the run noticed because the size is round.",
            "Ask for the size that the service gives (in the request, or with 'size'), or write 'stop: empty'."
        ),
        CodeExplanation(
            "pages-unjoined",
            exit: .failed,
            "Pages by number or offset shifted while they were read, again and again, and records may have been passed over. "
                + "The watermark stays, so that the next run reads from there again.",
            "Page by a cursor where the service has one, or ask for larger pages."
        ),
        CodeExplanation(
            "since-field-missing",
            exit: .data,
            "All records of a pass were delivered, and none has a readable 'since.field', so that each run reads everything "
                + "again.",
            "Check 'since.field' and 'since.type' against a record of the source."
        ),
        CodeExplanation(
            "page-program-failed",
            exit: .data,
            "A program of 'page' fails on an answer.",
            "Try it on the answer with: plughost jq."
        ),
        CodeExplanation(
            "page-token",
            exit: .data,
            "The program for the next page gives neither a text, nor a number, nor nothing.",
            "Let it give the token itself; null ends the pages."
        ),
        CodeExplanation(
            "page-truncated",
            exit: .data,
            "Answers ended before their announced end on every try.",
            "Ask for smaller pages, or tell whoever runs the source."
        ),
        CodeExplanation(
            "page-unreadable",
            exit: .data,
            "An answer is larger than allowed ('http.max_body'; 64 KiB and 256 fields for its header), grows too much when it is "
                + "decompressed, is in an unknown coding, or no HTTP. The message says which.",
            "Only 'http.max_body' can be raised; or ask for smaller pages. For all else ask for the address by hand, and check "
                + "what lies between here and the source."
        ),
        CodeExplanation(
            "page-too-deep",
            exit: .data,
            "An answer is JSON whose arrays and objects stand inside each other deeper than 128 levels. No setting changes that "
                + "limit.",
            "Ask for less in an answer, where the service has a parameter for it. Answers of this depth are often a mistake of "
                + "the service's."
        ),
        CodeExplanation(
            "pagination-empty",
            exit: .data,
            "More than twenty pages in a row had no records, each naming another.",
            "Check 'records' and 'page'; the next run goes on there."
        ),
        CodeExplanation(
            "pagination-escape",
            exit: .data,
            "A next link, a redirect or a parent's link leads out of 'hosts', from https to http, or nowhere.",
            "Add the host to 'hosts' where the plug is meant to follow it; credentials do not go there. An http address is not "
                + "followed from https: let 'page.next' make it one of https, as '.next | sub(\"^http:\"; \"https:\")' does."
        ),
        CodeExplanation(
            "pagination-loop",
            exit: .data,
            "A page names one that this pass has read, or page after page holds the same records. A source that grows by just a "
                + "page between any two requests, newest first, looks the same.",
            "Check 'page': its parameter may be misspelt, or its token the wrong one. Where the source is that busy, run it again: "
                + "the next run begins anew. A cursor, or larger pages, spare it."
        ),
        CodeExplanation(
            "records-failed",
            exit: .data,
            "The program 'records' fails on an answer.",
            "Try it on the answer with: plughost jq."
        ),
        CodeExplanation(
            "records-missing",
            exit: .data,
            "'records' gives null, or nothing is where the records should be.",
            "Where an empty page lacks them, write 'records: .items // []'."
        ),
    ]

    private static let warnings: [CodeExplanation] = [
        CodeExplanation(
            "page-token-doubtful",
            "The first page has fewer records than were asked for, and no member where 'page.next' or 'page.cursor.from' looks for "
                + "the next page. Their number is round: it may be the largest page that the service makes, and the program "
                + "misspelt. Or it is all there is.",
            "Check the program; where the last page leaves the member out, add '// null'. Ask for as many as the service gives."
        ),
        CodeExplanation(
            "child-gone",
            "The details of a parent were answered with 404 or 410 and are left out.",
            "Nothing, where things may vanish between the list and their details."
        ),
        CodeExplanation(
            "more-without-page",
            exit: .data,
            "'page.more' says that there is another page, but the answer has no token or address of it: an error, as records may be "
                + "missing. Where pages are counted, or the page is empty, it is a warning.",
            "Check 'page': the program for the next page's token or address, and 'page.more' itself."
        ),
        CodeExplanation(
            "order-broken",
            "A stream with 'order: asc' gave a record older than the one before it.",
            "Remove 'order: asc' where the source does not promise it."
        ),
        CodeExplanation(
            "cursor-in-future",
            "A stream would continue at a time that has not come yet: this machine's clock was ahead during an earlier run, or is "
                + "behind now. The last four days are read again, or everything where the difference is more than two days.",
            "Check this machine's clock."
        ),
        CodeExplanation(
            "pages-shifted",
            "Records were deleted or moved at the source while pages by number or offset were read; the run went back and "
                + "read again from where the pages join.",
            "Nothing is lost. A cursor, where the service has one, needs fewer requests."
        ),
        CodeExplanation(
            "place-refused",
            "The source does not know the place where the last run stopped; the pass starts over.",
            "Nothing: what was delivered is not delivered again."
        ),
        CodeExplanation(
            "since-missing",
            "Records have no readable 'since.field'. They are delivered and move nothing.",
            "Check 'since.field' and 'since.type'."
        ),
    ]
}
