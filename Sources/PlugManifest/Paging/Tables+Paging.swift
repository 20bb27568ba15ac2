/// How the pages of a stream are found; `PagingKey` has the keys of the kinds of paging.
extension Tables {
    static let page = KeyTable(
        "page",
        PagingKey.all.map(\.spec) + [
            .key(
                "in",
                .choice(Paging.Place.allCases.map(\.rawValue)),
                default: "query",
                "Where the parameters go; json and variables take paths with dots."
            ),
            .key(
                "only_first",
                .list(.text),
                example: "[since]",
                "Query parameters that only the first page gets; since means all of the stream's since."
            ),
            .key(
                "add_query",
                .boolean,
                default: "false",
                "Whether the next page's URL gets the parameters of the request's query that it lacks."
            ),
            .key("more", .program, "Whether there is another page: true or false."),
            .key("total", .program, "How many records the source has for this request; fewer are an error."),
            .key("pages", .program, "How many pages there are in all."),
            .key(
                "stop",
                .choice(Paging.Stop.allCases.map(\.rawValue)),
                "What else ends a pass. Counted pages end at one without records, others where no next one is named."
            ),
            .key(
                "max",
                .integer(1...10_000_000),
                default: "10000",
                "The most pages in one run; the next run continues."
            ),
        ]
    )
}
