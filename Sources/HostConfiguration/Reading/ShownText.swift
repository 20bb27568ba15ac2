internal import PlugCore
internal import PlugManifest

/// A file as messages may show it: with dots in place of what may be secret. Columns are preserved.
struct ShownText {
    private let source: SourceText
    /// Where keys and values begin, and whether they are hidden.
    private var starts: [(location: Diagnostic.Location, isHidden: Bool)] = []

    /// The text of a file whose tree has everything that is written in it.
    static func text(of root: YAMLNode, by table: KeyTable, in source: SourceText) -> String {
        var shown = ShownText(source: source)
        shown.walk(root, .table(table))
        return shown.text
    }

    /// The text of a file that is not YAML: shows the known top-level keys that hold no secrets, with everything below them, up
    /// to the first line with any other key, or with a comment in place of a key.
    static func text(ofUnread source: SourceText, by table: KeyTable) -> String {
        // The possible names in a line; none for one that is hidden.
        var names: Set<String> = []
        return source.lines.map { line in
            if let first = line.first, ![" ", "\t", "-"].contains(first) {
                let spec = keys(in: line).first.flatMap { table[$0] }
                names =
                    spec.map { $0.shape.holdsSecrets ? [] : Set($0.shape.tables.flatMap(\.names) + [$0.name]) } ?? []
            }
            if !names.isSuperset(of: keys(in: line)) { names = [] }
            return String(String.UnicodeScalarView(names.isEmpty ? line.map(Self.dot) : line))
        }.joined(separator: "\n")
    }

    /// The part of a line before a colon that is followed by nothing or a space.
    private static func keys(in line: [Unicode.Scalar]) -> [String] {
        line.indices.compactMap { index in
            guard line[index] == ":", index + 1 == line.count || line[index + 1] == " " else { return nil }
            let name = line[..<index].reversed().prefix { $0.value > 0x7F || MessageText.isWord(String($0)) }.reversed()
            return String(String.UnicodeScalarView(name))
        }
    }

    private init(source: SourceText) { self.source = source }

    // MARK: - What is hidden

    private mutating func walk(_ node: YAMLNode, _ shape: Shape) {
        starts.append((node.location, false))
        switch (shape, node.content) {
        case (.secret, .mapping(let entries)):
            for entry in entries {
                add(entry, isHidden: Shape.secretFile.mayHoldSecret(entry.key))
                if entry.key == "file" { starts.append((entry.value.location, false)) } else { hide(entry.value) }
            }
        case (.table(let table), .mapping(let entries)):
            for entry in entries {
                add(entry, isHidden: table.mayHoldSecret(entry.key))
                if let spec = Self.meant(entry.key, in: table) {
                    walk(entry.value, spec.shape)
                } else {
                    hide(entry.value)
                }
            }
        case (.names(let inner), .mapping(let entries)):
            for entry in entries {
                add(entry, isHidden: inner.holdsSecrets && !MessageText.isWord(entry.key))
                walk(entry.value, inner)
            }
        default:
            if shape.holdsSecrets { hide(node) }
        }
    }

    /// The key that a name refers to. Next to a secret, a misspelt name may be that of the secret.
    private static func meant(_ name: String, in table: KeyTable) -> KeySpec? {
        if let spec = table[name] { return spec }
        return table.isBesideSecrets ? nil : Spelling.nearest(name, in: table.names).flatMap { table[$0] }
    }

    private mutating func add(_ entry: YAMLEntry, isHidden: Bool) { starts.append((entry.keyLocation, isHidden)) }

    private mutating func hide(_ node: YAMLNode) {
        switch node.content {
        case .scalar: starts.append((node.location, true))
        case .sequence(let nodes):
            starts.append((node.location, false))
            for node in nodes { hide(node) }
        case .mapping(let entries):
            starts.append((node.location, false))
            for entry in entries {
                add(entry, isHidden: true)
                hide(entry.value)
            }
        }
    }

    // MARK: - Dots

    private var text: String {
        var lines = source.lines
        let starts = starts.sorted { $0.location < $1.location }
        for (index, start) in starts.enumerated() where start.isHidden {
            let next = starts[index...].first { $0.location > start.location }?.location
            Self.hide(start.location, before: next, in: &lines)
        }
        return lines.map { String(String.UnicodeScalarView($0)) }.joined(separator: "\n")
    }

    /// Hides what begins at a place. If the next item is on a later line, the text in between is hidden too: a comment after a
    /// secret may hold an older one.
    private static func hide(
        _ place: Diagnostic.Location,
        before next: Diagnostic.Location?,
        in lines: inout [[Unicode.Scalar]]
    ) {
        let first = place.line - 1
        guard lines.indices.contains(first) else { return }
        if let next, next.line == place.line {
            return dot(&lines[first], from: place.column - 1, to: place.column - 1 + place.length)
        }
        dot(&lines[first], from: place.column - 1, to: lines[first].count)
        let last = next.map { $0.line - 1 } ?? lines.count
        for line in (first + 1)..<max(first + 1, min(last, lines.count)) {
            dot(&lines[line], from: 0, to: lines[line].count)
        }
        if let next, lines.indices.contains(last) { dot(&lines[last], from: 0, to: next.column - 1) }
    }

    private static func dot(_ line: inout [Unicode.Scalar], from start: Int, to end: Int) {
        let start = max(0, start)
        for index in start..<max(start, min(end, line.count)) { line[index] = dot(line[index]) }
    }

    private static func dot(_ scalar: Unicode.Scalar) -> Unicode.Scalar {
        scalar == " " || scalar == "\t" ? scalar : "\u{2022}"
    }
}
