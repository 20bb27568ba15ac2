/// Which streams are read for which, as written in a manifest that has not been checked yet.
struct StreamFamilies {
    /// The ancestors of a stream.
    struct Family {
        /// The names of the records that a request is made for, outermost first.
        var lineage: [String?] = []
        /// The number of streams and lists behind it.
        var sources = 0
    }

    /// The names of all streams, in file order.
    let names: [String]
    private let levels: [String: [YAMLNode]]
    private let incremental: Set<String>
    private var families: [String: Family] = [:]

    init(_ streams: [YAMLEntry]) {
        names = streams.map(\.key)
        incremental = Set(streams.filter { $0.value["since"] != nil }.map(\.key))
        levels = Dictionary(
            streams.map { ($0.key, $0.value["for_each"].map(Self.levels) ?? []) },
            uniquingKeysWith: { first, _ in first }
        )
        var open: Set<String> = []
        for name in names { _ = work(out: name, &open) }
    }

    /// The parts of a combination, as written.
    static func levels(_ node: YAMLNode) -> [YAMLNode] { node.sequence ?? [node] }

    /// The ancestors of a stream; none for one that does not exist.
    func family(of stream: String) -> Family { families[stream] ?? Family() }

    /// Whether a stream is read for others.
    func isChild(_ stream: String) -> Bool { levels[stream]?.isEmpty == false }

    /// Whether a stream is read incrementally.
    func isIncremental(_ stream: String) -> Bool { incremental.contains(stream) }

    /// Whether a stream is read only for parents that are new or have changed.
    func readsChangedOnly(_ stream: String) -> Bool { levels[stream]?.contains { $0["only"] != nil } == true }

    /// The streams that a stream names as its parents, with the locations of the names.
    func parents(of stream: String) -> [(name: String, node: YAMLNode)] {
        (levels[stream] ?? []).flatMap { level in
            ([level] + (level["any_of"]?.sequence ?? [])).compactMap { source in
                source["in"].flatMap { node in node.scalar.map { (name: $0.text, node: node) } }
            }
        }
    }

    /// The ancestors of the parent in a part of `for_each`. Names that the stream itself gives take precedence.
    func lineage(above level: YAMLNode, of stream: String) -> [String?] {
        // If several are taken together or grouped, each may have parents of its own.
        guard level["any_of"] == nil, level["group"] == nil, let above = level["in"]?.scalar?.text else { return [] }
        let own = Set((levels[stream] ?? []).compactMap(Self.name))
        return family(of: above).lineage.map { $0.flatMap { own.contains($0) ? nil : $0 } }
    }

    /// Adds up the ancestors of a stream, only up to the limit beyond which it is refused anyway.
    private mutating func work(out stream: String, _ open: inout Set<String>) -> Family {
        if let family = families[stream] { return family }
        // A cycle is refused elsewhere.
        guard open.insert(stream).inserted else { return Family() }
        defer { open.remove(stream) }
        var family = Family()
        for level in levels[stream] ?? [] {
            for source in level["any_of"]?.sequence ?? [level] {
                family.sources += 1
                guard let above = source["in"]?.scalar?.text else { continue }
                family.sources += work(out: above, &open).sources
            }
            family.lineage += lineage(above: level, of: stream) + [Self.name(of: level)]
            family.sources = min(family.sources, Parents.depthLimit + 1)
            family.lineage = Array(family.lineage.prefix(Parents.depthLimit + 1))
        }
        families[stream] = family
        return family
    }

    /// The names of lists, because a part of `for_each` takes several parents together. The last part's is `parent`.
    static func lists(_ forEach: YAMLNode?) -> Set<String> {
        guard let levels = forEach.map(levels) else { return [] }
        let grouped = levels.filter { $0["group"] != nil }
        return Set(grouped.compactMap(name)).union(levels.last?["group"] != nil ? ["parent"] : [])
    }

    /// The name that a part of `for_each` gives to its records.
    static func name(of level: YAMLNode) -> String? {
        level["as"]?.scalar.flatMap { $0.text == "parent" || !isName($0.text) ? nil : $0.text }
    }

    /// Whether programs can use a text as the name of a record.
    static func isName(_ text: String) -> Bool {
        text.unicodeScalars.allSatisfy { $0.isASCIIWord || $0 == "_" }
            && text.unicodeScalars.first.map { !("0"..."9").contains($0) } == true
            && !TemplateRoots.names.contains(text) && text != "headers" && !reservedWords.contains(text)
    }

    private static let reservedWords: Set<String> = [
        "and", "as", "catch", "def", "elif", "else", "end", "false", "foreach", "if", "import", "include", "label",
        "not",
        "null", "or", "reduce", "then", "true", "try", "add", "all", "any", "empty", "error", "first", "keys", "last",
        "length", "map", "max", "min", "range", "reverse", "select", "sort", "time", "type", "unique", "values",
    ]
}
