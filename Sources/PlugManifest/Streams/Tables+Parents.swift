/// What a stream is read for.
extension Tables {
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
}
