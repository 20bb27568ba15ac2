extension Tables {
    static let stream = KeyTable(
        "a stream",
        [
            .key(
                "endpoint",
                .text,
                "The endpoint of its records, within the namespace; without one they are read for children only."
            ),
            .key("request", .table(request), required: true, "The request for a page."),
            .key("records", .program, "The records of a page; default: the whole page."),
            .key("page", .table(page), "How the next page is found."),
            .key("since", .table(since), "How to read only what is new."),
            .key("for_each", .table(forEach), "The parent stream: this one is read once for each of its records."),
            .key("key", .list(.program, orOne: true), "The members that identify a record."),
            .key("version", .programOrNone, "The member that changes when the record changes, or none."),
            .key("map", .program, "Turns a source record into the record to store."),
            .key("drop_if", .program, "Drops a record if it gives something other than false or null."),
            .key("fields", .names(.choice(Cast.allCases.map(\.rawValue))), "Casts for members of the mapped record."),
            .key("every", .duration, "How often the stream is worth reading."),
            .key("identity", .choice(["on", "off"]), "off leaves out _id, for record shapes fixed by others."),
            .key("tests", .list(.table(test)), "Examples: a source record and the record it must become."),
        ]
            + KeySpec.later(
                "swift",
                "exec",
                "decode",
                "deletes",
                "unknown",
                "raw",
                "to",
                "jitter",
                "mode",
                "title",
                "description"
            )
    )

    static let request = KeyTable(
        "a request",
        [
            .key("method", .choice(Request.Method.allCases.map(\.rawValue)), "Default: GET."),
            .key("path", .template, required: true, "The path below http.base, or a URL."),
            .key("query", .names(.template), "Query parameters."),
            .key("headers", .names(.template), "Headers, in addition to those of http."),
            .key("json", .anything, "A JSON body; its texts may be templates."),
        ] + KeySpec.later("form", "text")
    )

    static let page = KeyTable(
        "page",
        PagingKey.all.map(\.spec) + [
            .key(
                "in",
                .choice(Paging.Place.allCases.map(\.rawValue)),
                "Where the parameters go: the query, or the JSON body."
            ),
            .key("more", .program, "Whether there is another page: true or false."),
            .key("total", .program, "How many records the source has for this request; fewer are an error."),
            .key("pages", .program, "How many pages there are in all."),
            .key("stop", .choice(Paging.Stop.allCases.map(\.rawValue)), "What else ends a pass."),
            .key("max", .integer(1...10_000_000), "The most pages in one pass; default: 10000."),
        ] + KeySpec.later("only_first", "header")
    )

    static let since = KeyTable(
        "since",
        [
            .key("field", .program, required: true, "The field's value in a source record."),
            .key(
                "type",
                .choice(Since.Kind.allCases.map(\.rawValue)),
                required: true,
                "The type of the field."
            ),
            .key("from", .template, "Where the first pass begins."),
            .key("send", .table(bound), "How the lower bound is sent."),
            .key("until", .table(bound), "How the upper bound is sent."),
            .key("overlap", .text, "How far before the last record the next pass begins."),
            .key(
                "order",
                .choice(Since.Order.allCases.map(\.rawValue)),
                "asc if the source promises the oldest records first."
            ),
        ] + KeySpec.later("window", "granule", "settle", "filter")
    )
    static let bound = KeyTable(
        "a bound",
        [
            .key(
                "query",
                .names(.choice(Since.timeFormats + Since.plainFormats)),
                required: true,
                "Parameters and formats."
            )
        ]
            + KeySpec.later("json", "header")
    )
    static let forEach = KeyTable(
        "for_each",
        [
            .key("in", .text, required: true, "The parent stream."),
            .key("as", .text, "Another name for 'parent' in programs and templates."),
        ] + KeySpec.later("only", "group", "skip_if")
    )
    static let test = KeyTable(
        "a test",
        [
            .key("in", .anything, required: true, "A source record."),
            .key("out", .anything, required: true, "The record that it must become."),
        ]
    )
}
