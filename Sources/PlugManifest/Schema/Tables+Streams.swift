import Decoding

extension Tables {
    private static let inRequest = "write it in 'request'"
    private static let besideRequest = "write it in the stream, beside 'request'"

    static let stream = KeyTable(
        "a stream",
        [
            .key(
                "endpoint",
                .text,
                "The endpoint of its records, within the namespace: lower-case letters, digits, hyphens, slashes inside. Without one they are read for children only."
            ),
            .key("request", .table(request), required: true, "The request for a page."),
            .key(
                "archive",
                .table(archive),
                excludes: ofRequests,
                "The export to read in place of requests."
            ),
            .key(
                "swift",
                .textOrTable(module),
                example: "MatrixRooms",
                excludes: ["request", "archive", "decode", "records", "page", "since", "for_each", "tap_stream"],
                "The fetcher in Swift that reads it in place of requests: its name, or a mapping with its options."
            ),
            .key(
                "tap_stream",
                .text,
                default: "the stream's name",
                example: "commits",
                excludes: ["request", "archive"],
                "With 'exec', what the program calls the stream; several streams may be made of one."
            ),
            .key(
                "auth",
                .wordOrTable(["none"], streamAuth),
                "How its requests authenticate, if not like the plug's others."
            ),
            .key("on", .list(.table(rule)), "Rules for its answers, before those of http."),
            .key(
                "decode",
                .wordOrTable(["json"] + RecordFormat.words.map(\.word), decode),
                default: "json",
                "The format of its answers; all but JSON give records, and 'records' runs over each of them."
            ),
            .key("records", .program, default: ".", "The records of a page."),
            .key("page", .table(page), "How the next page is found; without it, or with none, there is one page."),
            .key("since", .table(since), "How to read only what is new."),
            .key(
                "for_each",
                .list(.table(forEach), orOne: true),
                "The records or values for each of which this stream is read once; of several, every combination."
            ),
            .key("key", .list(.program, orOne: true), "The members that identify a record."),
            .key(
                "equal",
                .choice(["one", "count"]),
                default: "one",
                example: "count",
                "What records with equal keys stand for: one record, or as many as there are in one answer."
            ),
            .key(
                "version",
                .programOrWord(["none", "content"]),
                "A value that changes when the record changes; none: it never does; content: its contents are compared."
            ),
            .key("map", .program, "Turns a source record into the record to store."),
            .key("drop_if", .program, "Drops a record if it gives something other than false or null."),
            .key("deletes", .table(deletes), "Which records are deletions."),
            .key(
                "fields",
                .names(.wordOrTable(Cast.words, field)),
                example: "{at: time, price: {decimal: {point: \",\"}}}",
                "Members of the mapped record, and their casts."
            ),
            .key(
                "unknown",
                .choice(UnknownMembers.allCases.map(\.rawValue)),
                default: "keep",
                "What happens to members of the mapped record that fields does not name; report keeps and reports them."
            ),
            .key(
                "raw",
                .choice(RawMember.allCases.map(\.rawValue)),
                default: "left out",
                example: "hash",
                "Adds the source's record to the mapped one as the member raw, or its SHA-256."
            ),
            .key("every", .duration, "How often the stream is worth reading."),
            .key(
                "identity",
                .choice(["on", "off"]),
                default: "on",
                "off leaves out _id, for record shapes fixed by others."
            ),
            .key("tests", .list(.table(test)), "Examples: a source record and the record it must become."),
        ],
        instead: [
            "exec": "write it beside 'streams': one program reads all of them",
            "to": "write 'endpoint'",
            "path": inRequest, "query": inRequest, "headers": inRequest, "method": inRequest, "json": inRequest,
            "form": inRequest, "text": inRequest, "graphql": inRequest,
            "title": "the stream's name is shown",
        ]
    )
    /// Keys that a stream has only if it makes requests.
    private static let asking = ["request", "auth", "on", "decode", "records", "page", "since", "tap_stream"]
    /// Keys that do not apply to an export, which is read from beginning to end.
    private static let ofRequests = asking.filter { !["decode", "records"].contains($0) } + ["for_each", "swift"]
    /// A stream whose records are inside those of its parent.
    static let embeddedStream = KeyTable(
        "a stream with 'for_each.inside'",
        stream.keys.filter { !asking.contains($0.name) && !["archive", "swift"].contains($0.name) },
        instead: Dictionary(
            uniqueKeysWithValues: (asking + ["archive", "swift"]).map {
                ($0, "remove it: the records are what 'inside' gives, and nothing is requested for them")
            }
        )
    )

    /// A stream that is read from an export: keys for requests do not apply to it.
    static let archiveStream = KeyTable(
        "a stream with 'archive'",
        stream.keys.filter { !ofRequests.contains($0.name) },
        instead: Dictionary(
            uniqueKeysWithValues: ofRequests.map {
                ($0, "remove it: an export is read as a whole, and nothing is requested")
            }
        )
    )

    /// A stream without the keys that only a single one can have.
    static let defaults = KeyTable(
        "defaults",
        stream.keys.filter {
            !["endpoint", "request", "archive", "swift", "tap_stream", "for_each", "tests"].contains($0.name)
        }
        .map(
            \.optional
        ) + [
            .key("request", .table(defaultRequest), "Query, headers and more of every request; merged key by key.")
        ]
    )
    static let defaultRequest = KeyTable("a default request", request.keys.map(\.optional))

    /// Whether `KEY: none` omits the value from `defaults`. For some keys the word is a value of their own.
    static func mayBeNone(_ table: KeyTable, _ key: KeySpec) -> Bool {
        table.name == stream.name && defaults[key.name] != nil && !StreamDefaults.named.contains(key.name)
    }

    static let request = KeyTable(
        "a request",
        [
            .key(
                "method",
                .choice(Request.Method.allCases.map(\.rawValue), refused: Request.Method.refused),
                default: "GET",
                "The method, which is required if there is a body. Methods that are defined to change something, and GET with a "
                    + "body, are for services that read with them."
            ),
            .key("path", .template, required: true, "The path below http.base, or a URL."),
            .key("query", .names(.template), "Query parameters."),
            .key("headers", .names(.template), "Headers, in addition to those of http."),
            .key(
                "arrays",
                .choice(Request.ArrayStyle.allCases.map(\.rawValue)),
                default: Request.ArrayStyle.repeat.rawValue,
                "How a list is spelled in query and form: ids=1&ids=2, ids[]=1&ids[]=2 or ids=1,2."
            ),
            .key(
                "json",
                .anything,
                excludes: ["form", "text", "graphql"],
                "A JSON body; its texts may be templates."
            ),
            .key("form", .names(.template), excludes: ["text", "graphql"], "The fields of a form body."),
            .key("text", .template, excludes: ["graphql"], "A body of plain text."),
            .key("graphql", .table(graphQL), "A GraphQL query; its method is POST."),
        ],
        instead: [
            "params": "write 'query'", "body": "write 'json'", "url": "write 'path'", "page": besideRequest,
            "decode": besideRequest, "records": besideRequest, "since": besideRequest,
        ]
    )

    static let graphQL = KeyTable(
        "graphql",
        [
            .key(
                "query",
                .text,
                required: true,
                example: "things.graphql",
                "The query, or the name of a .graphql file beside the manifest; it has no templates."
            ),
            .key("variables", .anything, "Its variables; their texts may be templates."),
        ]
    )

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
                "The smallest step of the field, for a service that includes both bounds; a window ends so far before the next."
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
    static let forEach = KeyTable(
        "for_each",
        [
            .kind("in", .text, "The parent stream."),
            .kind("list", .anything, "Texts, numbers or mappings, or a template that gives a list of them."),
            .kind("any_of", .list(.table(parentSource)), "Several streams and lists: all of them together, each once."),
            .key("as", .text, "Another name for 'parent' in programs and templates."),
            .key("only", .choice(["changed"]), "Reads only for parents that are new or have changed."),
            .key(
                "unchanged",
                .choice(["skip"]),
                example: "skip",
                excludes: ["group", "inside"],
                "skip does not read again for a parent whose one page is unchanged, as its ETag says."
            ),
            .key("skip_if", .program, "Leaves out a parent if it gives something other than false or null."),
            .key("group", .integer(2...1000), "How many parents one request is made for; 'parent' is then their list."),
            .key(
                "inside",
                .program,
                example: ".lines",
                excludes: ["list", "any_of", "group"],
                "The stream's records, if they are inside the parent's record; there is no request then."
            ),
        ]
    )
    static let parentSource = KeyTable(
        "a source of any_of",
        [
            .kind("in", .text, "A stream."),
            .kind("list", .anything, "Texts, numbers or mappings, or a template that gives a list of them."),
        ]
    )
    static let deletes = KeyTable(
        "deletes",
        [
            .key(
                "field",
                .program,
                example: ".deleted",
                "Treats a record as a deletion if it gives something other than false or null; true does so for all."
            ),
            .key(
                "missing",
                .boolean,
                example: "true",
                "Whether records that a complete pass no longer finds count as deleted."
            ),
            .key(
                "max",
                .share,
                default: "20%",
                "How many of all records may be missing at a time; if there are more, none counts as deleted."
            ),
        ]
    )
    static let test = KeyTable(
        "a test",
        [
            .key("in", .anything, required: true, "A source record."),
            .key("out", .anything, excludes: ["dropped"], "The record that it must become."),
            .key("dropped", .boolean, "true for a record that drop_if or map leaves out."),
            .key("parent", .anything, "The record that the stream is read for."),
            .key("ancestors", .list(.anything), "The records above the parent, outermost first."),
            .key("config", .names(.anything), "Answers that differ from the defaults of config."),
            .key("key", .text, example: #""7,en""#, "What key gives, as in _id: parts separated by commas."),
            .key("version", .text, example: #""2026-01-01T00:00:00Z""#, "What version gives, as in _id."),
            .key("since", .anything, "What 'since' is in 'map'."),
            .key("until", .anything, "What 'until' is in 'map'."),
            .key("entry", .text, example: "posts/1.json", "The name of the archive's entry that has the record."),
        ]
    )
}
