import LosslessJSON
import PlugCore

/// A value of a manifest, before it becomes text.
indirect enum PlugYAML: Equatable, Sendable {
    /// A text.
    case text(String)
    /// A jq program.
    case program(String)
    /// A number, a boolean or null, as written.
    case plain(String)
    case list([PlugYAML])
    case mapping([Entry])

    /// A key with its value.
    struct Entry: Equatable, Sendable {
        var key: String
        var value: PlugYAML
        /// The lines of a comment above it.
        var comments: [String] = []
        /// Whether its members are on lines of their own, however few there are.
        var isBlock = false
    }

    /// A mapping of the members that have a value.
    static func members(_ members: (String, PlugYAML?)...) -> PlugYAML {
        .mapping(members.compactMap { key, value in value.map { Entry(key: key, value: $0) } })
    }

    /// The value of a key.
    subscript(key: String) -> PlugYAML? {
        guard case .mapping(let entries) = self else { return nil }
        return entries.first { $0.key == key }?.value
    }

    /// The keys of a mapping.
    var keys: [String] {
        guard case .mapping(let entries) = self else { return [] }
        return entries.map(\.key)
    }

    /// All texts in it.
    var texts: [String] {
        switch self {
        case .text(let text): [text]
        case .program, .plain: []
        case .list(let elements): elements.flatMap(\.texts)
        case .mapping(let entries): entries.flatMap(\.value.texts)
        }
    }

    /// The same with its texts changed.
    func mapTexts(_ change: (String) -> String) -> PlugYAML {
        switch self {
        case .text(let text): .text(change(text))
        case .program, .plain: self
        case .list(let elements): .list(elements.map { $0.mapTexts(change) })
        case .mapping(let entries):
            .mapping(entries.map { Entry(key: $0.key, value: $0.value.mapTexts(change), comments: $0.comments) })
        }
    }

    /// An integer.
    static func integer(_ number: Int) -> PlugYAML { .plain(String(number)) }

    /// Whether it is empty.
    var isEmpty: Bool {
        switch self {
        case .list(let elements): elements.isEmpty
        case .mapping(let entries): entries.isEmpty
        default: false
        }
    }

    /// The same, or `nil` if it is empty.
    var unlessEmpty: PlugYAML? { isEmpty ? nil : self }

    // MARK: - Text

    private static let width = 110

    /// The lines of a mapping, each indented.
    func lines(indent: Int = 0) -> [String] {
        guard case .mapping(let entries) = self else { return [] }
        let margin = String(repeating: " ", count: indent)
        return entries.flatMap { entry -> [String] in
            let comments = entry.comments.map { "\(margin)# \($0)" }
            return comments + Self.lines(of: entry, margin, indent)
        }
    }

    private static func lines(of entry: Entry, _ margin: String, _ indent: Int) -> [String] {
        let key = "\(margin)\(YAMLWriting.key(entry.key)):"
        if !entry.isBlock, let flow = entry.value.flow, key.count + flow.count < width || entry.value.isScalar {
            return ["\(key) \(flow)"]
        }
        switch entry.value {
        case .mapping: return [key] + entry.value.lines(indent: indent + 2)
        case .list(let elements):
            return [key] + elements.flatMap { element in Self.lines(ofElement: element, margin + "  ", indent + 2) }
        case .program(let text), .text(let text), .plain(let text):
            return ["\(key) \(YAMLWriting.quoted(text))"]
        }
    }

    private static func lines(ofElement element: PlugYAML, _ margin: String, _ indent: Int) -> [String] {
        if let flow = element.flow, margin.count + flow.count < width || element.isScalar {
            return ["\(margin)- \(flow)"]
        }
        let inner = element.lines(indent: indent + 2)
        guard let first = inner.first else { return ["\(margin)- \(element.flow ?? "")"] }
        return ["\(margin)- \(first.dropFirst(indent + 2))"] + inner.dropFirst()
    }

    private var isScalar: Bool {
        switch self {
        case .list(let elements): elements.isEmpty
        case .mapping(let entries): entries.isEmpty
        default: true
        }
    }

    private var isSpread: Bool {
        switch self {
        case .list(let elements): elements.contains { $0.isSpread }
        case .mapping(let entries): entries.contains { !$0.comments.isEmpty || $0.isBlock || $0.value.isSpread }
        default: false
        }
    }

    /// The value on one line; `nil` if it has comments.
    private var flow: String? {
        switch self {
        case .text(let text): return YAMLWriting.text(text)
        case .program(let text): return YAMLWriting.program(text)
        case .plain(let text): return text
        case .list(let elements):
            if isSpread { return nil }
            return "[\(elements.compactMap(\.flow).joined(separator: ", "))]"
        case .mapping(let entries):
            if isSpread { return nil }
            let pieces = entries.compactMap { entry in entry.value.flow.map { "\(YAMLWriting.key(entry.key)): \($0)" } }
            return "{\(pieces.joined(separator: ", "))}"
        }
    }
}
