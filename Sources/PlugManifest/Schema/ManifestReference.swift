/// The reference page of the manifest language: every key, in Markdown.
package enum ManifestReference {
    /// `Documentation/manifest-reference.md`.
    package static var markdown: String {
        let head = """
            # Every key of the manifest

            Written by `plughost schema --format markdown`. [plug.yaml.example](../plug.yaml.example) shows the keys in a manifest,
            [Manifest](manifest.md) explains the behaviour behind them.

            *T* is text in which `{{ … }}` may stand, *J* a jq program. Keys in bold are required; of the keys marked "one of", exactly
            one is written.

            """
        return ([head] + Tables.all.map(section)).joined(separator: "\n")
    }

    private static func section(_ table: KeyTable) -> String {
        let rows = table.keys.map { key in
            "| \(name(key)) | \(key.shape.notation) | \(text(key)) |"
        }
        return """
            ## \(title(table))

            \(place(of: table))

            | key | value | |
            |---|---|---|
            \(rows.joined(separator: "\n"))

            """
    }

    private static func title(_ table: KeyTable) -> String {
        table.name == table.identifier ? "`\(table.name)`" : table.name.prefix(1).uppercased() + table.name.dropFirst()
    }

    private static func name(_ key: KeySpec) -> String { key.isRequired ? "**`\(key.name)`**" : "`\(key.name)`" }

    private static func text(_ key: KeySpec) -> String {
        var parts = [key.doc]
        if key.isKind { parts.append("One of.") }
        if let fallback = key.fallback { parts.append("Default: \(quoted(fallback)).") }
        if let example = key.example { parts.append("Example: `\(example)`.") }
        if !key.excludes.isEmpty {
            parts.append("Not with \(MessageText.list(key.excludes.map { "`\($0)`" }, conjunction: "or")).")
        }
        if key.since != KeySpec.firstVersion { parts.append("Since \(key.since).") }
        return parts.joined(separator: " ").replacing("|", with: "\\|")
    }

    /// A value as code; words stay words.
    private static func quoted(_ fallback: String) -> String { fallback.contains(" ") ? fallback : "`\(fallback)`" }

    /// Where a table may stand: the keys that lead to it.
    private static func place(of table: KeyTable) -> String {
        if table.name == Tables.manifest.name { return "The file itself." }
        let places = Tables.all.flatMap { outer in
            outer.keys.filter { $0.shape.tables.contains { $0.name == table.name } }.map {
                "`\($0.name)` of \(outer.name)"
            }
        }
        return "Stands in \(MessageText.list(places))."
    }
}

extension Shape {
    /// What may be written, in short.
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
        case .size: "size"
        case .rate: "rate"
        case .share: "share"
        case .choice(let words, _): words.map { "`\($0)`" }.joined(separator: ", ")
        case .anything: "any value"
        case .list(let element, let orOne): "list of \(element.notation)" + (orOne ? ", or one" : "")
        case .names(let element): "names with \(element.notation)"
        case .table(let table): table.name == table.identifier ? "`\(table.name)`" : table.name
        case .wordOrTable(let words, let table):
            words.map { "`\($0)`" }.joined(separator: ", ") + " or \(Shape.table(table).notation)"
        case .detail(let table): (table.map { "\(Shape.table($0).notation), or " } ?? "") + "nothing"
        }
    }
}
