import Decoding

extension Tables {
    private static let inRequest = "write it in 'request'"

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
                "version",
                .programOrWord(["none", "content"]),
                "A value that changes when the record changes; none: it never does; content: its contents are compared."
            ),
            .key("map", .program, "Turns a source record into the record to store."),
            .key("drop_if", .program, "Drops a record if it gives something other than false or null."),
            .key("deletes", .table(deletes), "Which records are deletions."),
            .key(
                "fields",
                .names(.wordOrTable(CastKind.words, field)),
                example: "{at: time, price: {decimal: {point: \",\"}}}",
                "Members of the mapped record, and their casts."
            ),
        ] + StreamOptions.keys + [
            .key("tests", .list(.table(test)), "Examples: a source record and the record it must become.")
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
