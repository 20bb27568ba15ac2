/// What all requests of a plug share.
extension Tables {
    static let http = KeyTable(
        "http",
        [
            .key("base", .template, "The URL that relative paths are resolved against."),
            .key("headers", .names(.template), "Headers of every request."),
        ] + AnswerLimits.keys + [
            .key(
                "cookies",
                .choice(["keep"]),
                default: "none are kept",
                example: "keep",
                "keep sends the cookies that the service sets back to the host that set them, within a run."
            ),
            .key("limits", .list(.table(limit)), "Limits for the rate and the number of requests."),
            .key("retry", .table(retry), "How failed requests are retried."),
            .key("on", .list(.table(rule)), "What to do with answers of a given status; the first match wins."),
            .key(
                "quota_headers",
                .table(quotaHeaders),
                "The service's own headers for what is left of a quota; the usual names are known."
            ),
            .key("error", .program, "The service's own message in the body of an error answer."),
        ]
    )

    static let quotaHeaders = KeyTable(
        "quota_headers",
        [
            .kind("remaining", .text, example: "X-Quota-Left", "The header that is 0 when no request is left."),
            .kind(
                "used",
                .text,
                example: "X-Shopify-Shop-Api-Call-Limit",
                "The header that counts the requests made: 32/40, or with 'limit' 32. Several counts are separated by commas."
            ),
            .key(
                "limit",
                .text,
                example: "X-RateLimit-Limit",
                excludes: ["remaining"],
                "The header that says how many requests are allowed, to compare with 'used'."
            ),
            .key(
                "reset",
                .text,
                "The header that says when the quota is renewed: seconds, seconds or milliseconds since 1970, or a time."
            ),
            .key(
                "wait",
                .duration,
                default: "60s",
                "How long to wait if no header says when the quota is renewed; at most 1d."
            ),
            .key(
                "periods",
                .list(.duration),
                example: "[15m, 1d]",
                excludes: ["wait"],
                "How long each quota of the header lasts, if quotas restart by the clock, in UTC; at most 1d."
            ),
        ]
    )
    static let limit = KeyTable(
        "a limit",
        [
            .kind("rate", .rate, example: "180/60s", "A number of requests per time."),
            .kind("concurrency", .integer(1...64), "How many requests may run at once, in each process."),
            .key(
                "match",
                .text,
                example: "/search",
                "The limit applies only to paths that begin like this, below http.base; * stands for one segment."
            ),
            .key("burst", .integer(1...1_000_000), default: "the number in the rate", "How many may be sent at once."),
        ]
    )
    static let retry = KeyTable(
        "retry",
        [
            .key("tries", .integer(1...20), default: "5", "How many attempts a request gets."),
            .key("max_wait", .duration, default: "15m", "The longest wait before a retry; a longer one ends the run."),
        ]
    )
    static let rule = KeyTable(
        "a rule",
        [
            .key(
                "status",
                .list(.text, orOne: true),
                required: true,
                "A status such as 404, a class such as 5xx, or a list."
            ),
            .key(
                "if",
                .program,
                "A program over the body; the rule applies if it gives something other than false or null."
            ),
            .key(
                "do",
                .choice(StatusRule.Action.allCases.map(\.rawValue), refused: ["IGNORE": "write 'skip'"]),
                required: true,
                "What to do."
            ),
            .key(
                "wait",
                .durationOrProgram,
                example: "headers[\"x-reset-in\"]",
                "How long to wait before the next try: a duration, or a program that gives seconds or a time."
            ),
            .key(
                "as",
                .choice(StatusRule.Failure.allCases.map(\.rawValue)),
                default: StatusRule.Failure.refused.rawValue,
                "The kind of a failure: it decides the exit code of the run."
            ),
            .key("message", .text, example: "Your plan does not include this.", "The message for people."),
        ]
    )
}
