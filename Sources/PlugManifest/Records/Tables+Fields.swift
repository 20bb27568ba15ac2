extension Tables {
    /// A member of the mapped record, if a word is not enough.
    static let field = KeyTable(
        "a field",
        [
            .kind("time", .detail(timeReading), "RFC 3339 in UTC."),
            .kind("date", .detail(timeReading), "A day."),
            .kind("integer", .detail(numberReading), "A whole number."),
            .kind("decimal", .detail(numberReading), "A number."),
            .kind("string", .detail(nil), "Text."),
            .kind("boolean", .detail(booleanWords), "true or false."),
            .kind("any", .detail(nil), "As map gives it."),
            .key(
                "sensitive",
                .boolean,
                default: "false",
                "Whether the value is hidden wherever records are shown; it is delivered unchanged."
            ),
        ],
        instead: ["type": "write the type itself as a key: {time: {format: …}}"]
    )

    private static let timeReading = KeyTable(
        "a cast to a time",
        [
            .key(
                "format",
                .list(.text, orOne: true),
                default: "the usual ones",
                example: "\"%d.%m.%Y %H:%M\"",
                "How the source writes it: epoch, epoch_ms, epoch_us, rfc3339, date or a pattern; of several, the first that fits."
            ),
            .key(
                "zone",
                .text,
                default: "UTC",
                example: "Europe/Berlin",
                "The time zone of texts that name none; for a date, the zone whose day it is."
            ),
        ]
    )

    private static let numberReading = KeyTable(
        "a cast to a number",
        [
            .key("point", .choice([".", ","]), default: "'.'", "What separates the fraction."),
            .key(
                "group",
                .choice([".", ",", "'", "\u{2019}", " ", "\u{A0}", "\u{202F}"]),
                default: "nothing",
                example: "\"'\"",
                "What may separate each three digits; a space is also a no-break one, an apostrophe also a typographic one."
            ),
        ]
    )

    private static let booleanWords = KeyTable(
        "a cast to a boolean",
        [
            .key("true", .list(.text, orOne: true), required: true, example: "[yes, 1]", "The values that mean true."),
            .key("false", .list(.text, orOne: true), required: true, example: "[no, 0]", "The values that mean false."),
        ]
    )
}
