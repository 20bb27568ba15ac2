/// How a stream reads only what is new.
extension Tables {
    static let since = KeyTable(
        "since",
        [
            .key(
                "field",
                .list(.program, orOne: true),
                required: true,
                example: "[.updated_at, .created_at]",
                "The field's value in a source record; of several programs the first that gives one."
            ),
            .key(
                "type",
                .choice(Since.Kind.allCases.map(\.rawValue)),
                required: true,
                "The type of the field."
            ),
            .key("from", .template, example: "\"2020-01-01\"", "Where the first pass begins."),
            .key(
                "to",
                .template,
                example: "\"{{ config.end }}\"",
                "A time at which each pass ends, if it is before the present; null, or an empty text, is the present."
            ),
            .key("send", .table(bound), example: "{query: {from: date}}", "How the lower bound is sent."),
            .key("until", .table(bound), example: "{query: {to: date}}", "How the upper bound is sent."),
            .key(
                "overlap",
                .text,
                example: "1h",
                "How far before the watermark the next pass begins, but not before from: a duration, or a number for integer. A "
                    + "template over config gives a duration."
            ),
            .key("settle", .duration, example: "5m", "How far before the present a pass ends."),
            .key(
                "window",
                .text,
                example: "30d",
                excludes: ["stop"],
                "How much to request at once: a duration, months or years of the calendar (1mo, 1y), or a number for integer. A "
                    + "template over config gives a duration or months."
            ),
            .key(
                "align",
                .choice(Since.Align.allCases.map(\.rawValue)),
                default: "calendar",
                "Where windows of months end: calendar, with a calendar month; begin, on the first window's day of the month."
            ),
            .key(
                "granule",
                .text,
                example: "1s",
                "The smallest step of the field, for a service that includes both bounds; each window ends this far before the next begins."
            ),
            .key(
                "bounds",
                .choice(Since.Bounds.allCases.map(\.rawValue)),
                example: "half_open",
                "Which bounds a window includes: both, the lower one, or none. closed if there is a granule, otherwise half_open."
            ),
            .key(
                "order",
                .choice(Since.Order.allCases.map(\.rawValue)),
                default: "none",
                "asc if the source promises the oldest records first, desc for the newest first."
            ),
            .key(
                "stop",
                .choice(["known"]),
                "known ends a pass at the first page that is older than the last pass, where the newest records come first."
            ),
            .key("filter", .boolean, default: "false", "Whether records older than the lower bound are left out here."),
        ],
        instead: [
            "step": "write 'window'", "lookback": "write 'overlap'", "lookback_window": "write 'overlap'",
            "start": "write 'from'", "cursor_field": "write 'field'",
            "format": "write it in 'send': {query: {since: epoch}}",
        ]
    )
    static let bound = KeyTable(
        "a bound",
        [
            .kind("query", .names(.text), example: "{from: epoch}", "Query parameters and their formats."),
            .kind(
                "json",
                .names(.text),
                example: "{filter.from: \"%Y-%m-%d %H:%M:%S\"}",
                "Members of the JSON body, by paths with dots, and their formats."
            ),
            .kind("form", .names(.text), "Fields of the form and their formats."),
            .kind("variables", .names(.text), "Variables of the GraphQL query, by paths with dots, and their formats."),
            .kind(
                "header",
                .names(.text),
                example: "{If-Modified-Since: \"%a, %d %b %Y %T GMT\"}",
                "Headers and their formats."
            ),
        ],
        instead: ["path": "write {{ since }} or {{ until }} in the path itself: '/days/{{ since | time(\"date\") }}'"]
    )
}
