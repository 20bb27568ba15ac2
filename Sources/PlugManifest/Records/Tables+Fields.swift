extension Tables {
    /// A member of the mapped record, if a word is not enough.
    static let field = KeyTable(
        "a field",
        CastKind.all.map(\.spec) + [
            .key(
                "sensitive",
                .boolean,
                default: "false",
                "Whether the value is hidden wherever records are shown; it is delivered unchanged."
            )
        ],
        instead: ["type": "write the type itself as a key: {time: {format: …}}"]
    )
}
