extension Tables {
    static let stream = KeyTable(
        "a stream",
        [
            .key(
                "endpoint",
                .text,
                "Where its records go below the namespace; without it they are only read for children."
            ),
            .key("request", .table(request), required: true, "What is asked for a page."),
            .key("records", .program, "The records of a page; the whole page unless it is given."),
            .key("page", .table(page), "How the next page is found."),
            .key("since", .table(since), "How the stream is read incrementally."),
            .key("for_each", .table(forEach), "The stream whose records it is read for."),
            .key("key", .list(.program, orOne: true), "What makes a record the same thing when it is seen again."),
            .key("version", .programOrNone, "What changes when the thing changes, or none."),
            .key("map", .program, "Source record to canonical record."),
            .key("drop_if", .program, "Leaves out the records for which it gives something other than false or null."),
            .key("fields", .names(.choice(Cast.allCases.map(\.rawValue))), "Casts of the mapped record's members."),
            .key("every", .duration, "How often it is worth reading."),
            .key("identity", .choice(["on", "off"]), "off leaves the _id out, for shapes that others have fixed."),
            .key("tests", .list(.table(test)), "Examples: a source record and what must come of it."),
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
            .key("method", .choice(Request.Method.allCases.map(\.rawValue)), "GET unless it is given."),
            .key("path", .template, required: true, "The path below http.base, or a URL."),
            .key("query", .names(.template), "Query parameters."),
            .key("headers", .names(.template), "Headers, beside those of http."),
            .key("json", .anything, "A JSON body whose texts may be templates."),
        ] + KeySpec.later("form", "text")
    )

    static let page = KeyTable(
        "page",
        [
            .kind("next", .program, "The next page's URL."),
            .kind("link", .choice(["next"]), "The Link header with this relation."),
            .kind("number", .table(number), "A page number."),
            .kind("offset", .table(offset), "A number of records to leave out."),
            .kind("cursor", .table(cursor), "A token of the page before."),
            .key(
                "in",
                .choice(Paging.Place.allCases.map(\.rawValue)),
                "Where the parameters go: the query, or the JSON body."
            ),
            .key("more", .program, "Whether there is another page: true or false."),
            .key("total", .program, "How many records there are in all of what is asked for; fewer are an error."),
            .key("pages", .program, "How many pages there are in all."),
            .key("stop", .choice(Paging.Stop.allCases.map(\.rawValue)), "What ends a pass beside the kind's own end."),
            .key("max", .integer(1...10_000_000), "The most pages in one pass; 10000 unless it is given."),
        ] + KeySpec.later("only_first", "header")
    )
    static let number = KeyTable(
        "number",
        [
            .key("param", .text, required: true, "The parameter's name."),
            .key("from", .integer(0...1_000_000), "The first page's number; 1 unless it is given."),
            .key("size", .integer(1...1_000_000), "How many records a full page has."),
            .key("size_param", .text, "The parameter that asks for that many."),
        ]
    )
    static let offset = KeyTable(
        "offset",
        [
            .key("param", .text, required: true, "The parameter's name."),
            .key("size", .integer(1...1_000_000), required: true, "How many records a full page has."),
            .key("size_param", .text, "The parameter that asks for that many."),
        ]
    )
    static let cursor = KeyTable(
        "cursor",
        [
            .key("from", .program, required: true, "The token, out of the page."),
            .key("param", .text, required: true, "The parameter's name."),
        ]
    )

    static let since = KeyTable(
        "since",
        [
            .key("field", .program, required: true, "The field's value, out of a source record."),
            .key(
                "type",
                .choice(["time", "date", "epoch", "epoch_ms", "integer", "opaque"]),
                required: true,
                "What it holds."
            ),
            .key("from", .template, "Where the first pass begins."),
            .key("send", .table(bound), "How the lower bound is sent."),
            .key("until", .table(bound), "How the upper bound is sent."),
            .key("overlap", .text, "How far before the last record the next pass begins."),
            .key("order", .choice(Since.Order.allCases.map(\.rawValue)), "asc where records surely come oldest first."),
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
            .key("as", .text, "What programs and templates call the parent's record, beside 'parent'."),
        ] + KeySpec.later("only", "group", "skip_if")
    )
    static let test = KeyTable(
        "a test",
        [
            .key("in", .anything, required: true, "A source record."),
            .key("out", .anything, required: true, "The record that must come of it."),
        ]
    )
}
