import Decoding

/// The keys of exports, and of formats other than JSON.
extension Tables {
    static let archive = KeyTable(
        "archive",
        [
            .key(
                "file",
                .template,
                required: true,
                example: "\"{{ config.export }}\"",
                "The file, as a config key of type file: zip, tar, either compressed with gzip, or a single file."
            ),
            .key(
                "entries",
                .list(.text, orOne: true),
                required: true,
                example: "[\"**/posts/*.json\"]",
                "The entries to read: * and ? within a part of the name, ** for any parts, {a,b} for one of several texts."
            ),
        ],
        instead: [
            "path": "write 'file'", "files": "write 'entries'", "decode": "write it in the stream, beside 'archive'",
            "records": "write it in the stream, beside 'archive'",
        ]
    )

    static let decode = KeyTable(
        "decode",
        [
            .kind("csv", .table(delimited), "Rows of cells, by commas where 'separator' says nothing else."),
            .kind("tsv", .table(tabbed), "Rows of cells, by tabs."),
            .kind("xml", .table(xml), "Elements of an XML file."),
            .kind("ics", .table(calendar), "Events and tasks of a calendar."),
            .kind("lines", .table(lines), "Each line of a text."),
            .kind("html", .table(tables), "Rows of the tables of an HTML page."),
        ]
    )
    private static let encoding = KeySpec.key(
        "encoding",
        .text,
        example: "windows-1252",
        "Its encoding, by a name that iconv knows; a byte order mark says more, an answer's header less."
    )
    private static let cells: [KeySpec] = [
        .key("quote", .text, default: "'\"'", "The character around cells, or none."),
        .key("escape", .text, "The character that escapes the next one inside quotes."),
        .key(
            "header",
            .list(.text, orOne: true),
            default: "first",
            "Where the names come from: first (row), none (they are numbers), or a list of names."
        ),
        .key("skip", .integer(0...1000), default: "0", "How many lines come before the header."),
        .key(
            "ragged",
            .choice(DelimitedDialect.Ragged.allCases.map(\.rawValue)),
            default: "broken",
            "How a row with more or fewer cells is treated: as broken, or padded."
        ),
        encoding,
    ]
    static let delimited = KeyTable(
        "csv",
        [.key("separator", .text, default: "','", "The character between cells, or tab.")] + cells,
        instead: ["delimiter": "write 'separator'"]
    )
    static let tabbed = KeyTable("tsv", cells)
    static let xml = KeyTable(
        "xml",
        [
            .key(
                "records",
                .text,
                default: "/*/*",
                example: "/rss/channel/item",
                "The elements that are records: a name, or names with slashes between."
            ),
            .key(
                "namespaces",
                .choice(XMLOptions.Namespaces.allCases.map(\.rawValue)),
                default: "prefix",
                "Whether names keep their prefixes."
            ),
            .key("lists", .list(.text, orOne: true), "Names of elements that are lists even if there is only one."),
            encoding,
        ]
    )
    static let calendar = KeyTable(
        "ics",
        [
            .key("past", .duration, default: "365d", "How far back recurring events are listed."),
            .key("future", .duration, default: "365d", "How far ahead recurring events are listed."),
            encoding,
        ]
    )
    static let lines = KeyTable("lines", [encoding])
    static let tables = KeyTable("html", [encoding])
}
