/// A key of `page` that says how the next page is found, the keys beneath it, and how it is read.
struct PagingKey {
    let spec: KeySpec
    /// Reads the key's value; `nil` if it is invalid; the error is in the findings.
    let read: (ManifestBuilder, YAMLEntry, ProgramScope) -> Paging.Kind?

    static var all: [PagingKey] { [next, link, number, offset, cursor] }

    private static var next: PagingKey {
        PagingKey(spec: .kind("next", .program, "The next page's URL.")) { builder, entry, scope in
            builder.program(entry.value, scope).map { .next($0) }
        }
    }

    private static var link: PagingKey {
        PagingKey(spec: .kind("link", .choice(["next"]), "The Link header with this relation.")) { _, _, _ in .link }
    }

    private static var number: PagingKey {
        let table = KeyTable(
            "number",
            [
                .key(
                    "param",
                    .text,
                    "The parameter's name; without it, templates of the request send {{ page.number }}."
                ),
                .key("from", .integer(0...1_000_000), default: "1", "The first page's number."),
                omitFirst, size(), sizeParam, minimumSize,
            ]
        )
        return PagingKey("A page number.", table) { builder, keys, _ in
            checkSize(keys, builder.findings)
            checkFirst(keys, builder.findings)
            return .number(
                param: keys.text("param"),
                from: keys.integer("from") ?? 1,
                sizeParam: keys.text("size_param")
            )
        }
    }

    private static var offset: PagingKey {
        let table = KeyTable(
            "offset",
            [
                .key(
                    "param",
                    .text,
                    "The parameter's name; without it, templates of the request send {{ page.offset }}."
                ),
                .key("from", .integer(0...1), default: "0", "The first record's offset."),
                omitFirst, size(required: true), sizeParam, minimumSize,
            ],
            instead: ["limit": "write 'size' for how many, and 'size_param' for the parameter's name"]
        )
        return PagingKey("A number of records to skip.", table) { builder, keys, _ in
            checkSize(keys, builder.findings)
            checkFirst(keys, builder.findings)
            guard let size = keys.integer("size") else { return nil }
            return .offset(
                param: keys.text("param"),
                size: size,
                sizeParam: keys.text("size_param"),
                from: keys.integer("from") ?? 0
            )
        }
    }

    private static var cursor: PagingKey {
        let table = KeyTable(
            "cursor",
            [
                .key("from", .program, required: true, "The token in the page."),
                .key(
                    "param",
                    .text,
                    "The parameter's name; without it, templates of the request send {{ page.cursor }}."
                ),
                size(), sizeParam, minimumSize,
            ]
        )
        return PagingKey("A token from the previous page.", table) { builder, keys, scope in
            checkSize(keys, builder.findings)
            return builder.program(keys["from"], scope).map { from in
                .cursor(from: from, param: keys.text("param"), sizeParam: keys.text("size_param"))
            }
        }
    }

    private static func size(required: Bool = false) -> KeySpec {
        .key("size", .integer(1...1_000_000), required: required, "How many records a full page has.")
    }
    private static let omitFirst = KeySpec.key(
        "omit_first",
        .boolean,
        default: "false",
        "Whether the first page is requested without the parameter."
    )
    private static let sizeParam = KeySpec.key("size_param", .text, "The parameter that requests this size.")
    private static let minimumSize = KeySpec.key(
        "min_size",
        .integer(1...1_000_000),
        default: "1",
        "The smallest size that is requested if a rule says 'do: shrink'."
    )

    /// The parameter is what is omitted from the first request, so there must be one.
    private static func checkFirst(_ keys: CheckedMapping, _ findings: Findings) {
        guard keys.isWritten("omit_first"), !keys.isWritten("param") else { return }
        findings.error(
            .placeWithoutParam,
            "'omit_first' has no 'param' to leave out",
            at: keys.location("omit_first"),
            help: "write 'param', or leave the first number out in the template that sends it"
        )
    }

    /// A parameter for the size, and a smallest size, need a size, which must not be below the smallest.
    private static func checkSize(_ keys: CheckedMapping, _ findings: Findings) {
        for name in ["size_param", "min_size"] where keys.isWritten(name) && !keys.isWritten("size") {
            findings.error(
                .sizeMissing,
                name == "min_size" ? "'min_size' has no 'size' to be below" : "'size_param' has no 'size' to send",
                at: keys.location(name),
                help: "write how many records a page should have, such as 'size: 100'"
            )
        }
        guard let size = keys.integer("size"), let least = keys.integer("min_size"), least > size else { return }
        findings.error(
            .wrongValue,
            "'min_size' is \(least), and pages have \(size) records",
            at: keys.location("min_size"),
            help: "write the smallest size that is worth requesting, such as 1"
        )
    }
}

extension PagingKey {
    /// A key with others beneath it.
    fileprivate init(
        _ help: String,
        _ table: KeyTable,
        _ read: @escaping (ManifestBuilder, CheckedMapping, ProgramScope) -> Paging.Kind?
    ) {
        self.init(spec: .kind(table.name, .table(table), help)) { builder, entry, scope in
            CheckedMapping(entry.value, table, at: entry.keyLocation, builder.findings)
                .flatMap { read(builder, $0, scope) }
        }
    }
}
