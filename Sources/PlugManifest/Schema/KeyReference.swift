/// The reference page of a language of key tables: every key, in Markdown.
package struct KeyReference {
    private let head: String
    private let tables: [KeyTable]
    private let note: (KeyTable, KeySpec) -> String?

    /// Creates a page.
    ///
    /// - Parameters:
    ///   - head: The text above the tables; ends with a line break.
    ///   - root: The file's own table.
    ///   - note: An additional sentence about a key.
    package init(
        head: String,
        of root: KeyTable,
        note: @escaping (KeyTable, KeySpec) -> String? = { _, _ in nil }
    ) {
        self.head = head
        tables = root.withInnerTables
        self.note = note
    }

    /// The page as Markdown.
    package var markdown: String { ([head] + tables.map(section)).joined(separator: "\n") }

    private func section(_ table: KeyTable) -> String {
        let rows = table.keys.map { key in
            "| \(name(key)) | \(key.shape.notation) | \(text(key, of: table)) |"
        }
        return """
            ## \(title(table))

            \(place(of: table))

            | key | value | |
            |---|---|---|
            \(rows.joined(separator: "\n"))

            """
    }

    private func title(_ table: KeyTable) -> String {
        table.name == table.identifier ? "`\(table.name)`" : table.name.prefix(1).uppercased() + table.name.dropFirst()
    }

    private func name(_ key: KeySpec) -> String { key.isRequired ? "**`\(key.name)`**" : "`\(key.name)`" }

    private func text(_ key: KeySpec, of table: KeyTable) -> String {
        var parts = [key.doc]
        if key.isKind { parts.append("One of.") }
        if let fallback = key.fallback { parts.append("Default: \(quoted(fallback)).") }
        if let example = key.example { parts.append("Example: `\(example)`.") }
        if !key.excludes.isEmpty {
            parts.append("Not with \(MessageText.list(key.excludes.map { "`\($0)`" }, conjunction: "or")).")
        }
        if let note = note(table, key) { parts.append(note) }
        if key.since != KeySpec.firstVersion { parts.append("Since \(key.since).") }
        return parts.joined(separator: " ").replacing("|", with: "\\|")
    }

    /// A value as code; phrases stay plain.
    private func quoted(_ fallback: String) -> String { fallback.contains(" ") ? fallback : "`\(fallback)`" }

    /// Where a table may be used: the keys that lead to it.
    private func place(of table: KeyTable) -> String {
        if table.name == tables.first?.name { return "The file itself." }
        let places = tables.flatMap { outer in
            outer.keys.filter { $0.shape.tables.contains { $0.name == table.name } }.map {
                "`\($0.name)` of \(outer.name)"
            }
        }
        return "Used in \(MessageText.list(places))."
    }
}

extension Shape {
    /// The permitted values, in short.
    fileprivate var notation: String {
        switch self {
        case .text: "text"
        case .template: "T"
        case .program: "J"
        case .programOrWord(let words):
            "J, \(MessageText.list(words.map { "`\($0)`" }, conjunction: "or"))"
        case .integer(let range):
            range.count == 1 ? "\(range.lowerBound)" : "\(range.lowerBound) to \(range.upperBound)"
        case .boolean: "`true` or `false`"
        case .duration: "duration"
        case .durationOrProgram: "duration or J"
        case .durationOrCount(let range): "duration, or \(Shape.integer(range).notation)"
        case .size, .sizeFrom: "size"
        case .rate: "rate"
        case .share: "share"
        case .choice(let words, _): words.map { "`\($0)`" }.joined(separator: ", ")
        case .anything: "any value"
        case .list(let element, let orOne): "list of \(element.notation)" + (orOne ? ", or one" : "")
        case .names(let element): "names with \(element.notation)"
        case .table(let table): table.name == table.identifier ? "`\(table.name)`" : table.name
        case .wordOrTable(let words, let table):
            words.map { "`\($0)`" }.joined(separator: ", ") + " or \(Shape.table(table).notation)"
        case .textOrTable(let table): "text or \(Shape.table(table).notation)"
        case .secret: "text or \(Self.secretFile.name)"
        case .detail(let table): (table.map { "\(Shape.table($0).notation), or " } ?? "") + "nothing"
        }
    }
}
