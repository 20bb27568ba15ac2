internal import PlugCore
internal import PlugManifest

/// One source of settings: the file, a variable, or an option.
struct HostLayer {
    /// Its name, for messages.
    let name: String
    /// Its text, as messages may show it.
    let text: String
    /// The base of relative paths; `nil` for the current folder.
    let folder: String?
    let findings: Findings
    /// The file, and the files that it names as `{file: …}`: they hold secrets.
    private(set) var privateFiles: [String] = []
    private let origin: (Diagnostic.Location) -> SettingOrigin
    /// The file's own mapping under the empty name, and those of its sections.
    private var mappings: [String: CheckedMapping] = [:]

    /// The file.
    init(file path: String, bytes: [UInt8]) {
        let tree = YAMLReader.read(bytes, as: .settings("plughost.yaml", example: "plughost.yaml.example"))
        // A file with nothing but comments sets nothing, and is valid.
        let isEmpty = tree.diagnostics.map(\.code) == [.yamlEmpty]
        // Rejected entries, such as a duplicate key, are not in the tree.
        let whole = tree.diagnostics.isEmpty ? tree.root : nil
        self.init(
            name: path,
            text: whole.map { ShownText.text(of: $0, by: HostTables.host, in: tree.source) }
                ?? ShownText.text(ofUnread: tree.source, by: HostTables.host),
            folder: WholeFile.folder(of: path),
            findings: Findings(isEmpty ? [] : tree.diagnostics, of: HostTables.all),
            root: tree.root
        ) { .file(path, line: $0.line) }
        privateFiles = [path] + (tree.root.map(Self.secretFiles) ?? []).map(resolved)
    }

    private static func secretFiles(in node: YAMLNode) -> [String] {
        if let elements = node.sequence { return elements.flatMap(secretFiles) }
        guard let entries = node.mapping else { return [] }
        if entries.count == 1, entries[0].key == "file", let path = entries[0].value.scalar?.text { return [path] }
        return entries.flatMap { secretFiles(in: $0.value) }
    }

    /// A variable that holds the value of a key.
    init(_ key: ConfigurationKey, variable: String, _ text: String) {
        self.init(key, variable, text, .variable(variable))
    }

    /// An option that holds the value of a key.
    init(_ key: ConfigurationKey, option: HostOption, _ text: String) {
        self.init(key, option.rawValue, text, .option(option.rawValue))
    }

    private init(_ key: ConfigurationKey, _ name: String, _ text: String, _ origin: SettingOrigin) {
        let start = Diagnostic.Location(line: 1, column: 1, length: max(1, text.unicodeScalars.count))
        let root = key.path.split(separator: ".").reversed().reduce(FlatText(text).node(as: key.spec.shape)) {
            node,
            part in
            YAMLNode(.mapping([YAMLEntry(key: String(part), keyLocation: start, value: node)]), at: start)
        }
        self.init(name: name, text: text, folder: nil, findings: Findings(of: HostTables.all), root: root) { _ in origin
        }
    }

    private init(
        name: String,
        text: String,
        folder: String?,
        findings: Findings,
        root: YAMLNode?,
        origin: @escaping (Diagnostic.Location) -> SettingOrigin
    ) {
        self.name = name
        self.text = text
        self.folder = folder
        self.findings = findings
        self.origin = origin
        guard let root else { return }
        let start = Diagnostic.Location(line: root.location.line, column: root.location.column)
        guard let top = CheckedMapping(root, HostTables.host, at: start, findings) else { return }
        mappings[""] = top
        for spec in HostTables.host.keys {
            guard case .table(let table) = spec.shape, let entry = top.entry(spec.name) else { continue }
            mappings[spec.name] = CheckedMapping(entry.value, table, at: entry.keyLocation, findings)
        }
    }

    /// A key with its value, if it is present and the value has the right shape.
    func entry(_ path: String) -> YAMLEntry? {
        let parts = path.split(separator: ".").map(String.init)
        return parts.count == 2 ? mappings[parts[0]]?.entry(parts[1]) : mappings[""]?.entry(path)
    }

    /// The origin of a key's value.
    func origin(of entry: YAMLEntry) -> SettingOrigin { origin(entry.keyLocation) }

    /// A path as written, resolved against the folder that it is relative to.
    func resolved(_ path: String) -> String {
        guard let folder, folder != ".", !path.hasPrefix("/") else { return path }
        return folder.hasSuffix("/") ? folder + path : "\(folder)/\(path)"
    }
}

/// The text of a variable or an option.
private struct FlatText {
    private let text: String

    init(_ text: String) { self.text = text }

    /// The text as a value; a list's elements are separated by commas.
    func node(as shape: Shape) -> YAMLNode {
        guard case .list = shape else { return Self.scalar(text, column: 1) }
        var column = 1
        let nodes = text.split(separator: ",", omittingEmptySubsequences: false).map { part in
            let blank = part.prefix { $0 == " " }.count
            let element = String(part.drop { $0 == " " }.reversed().drop { $0 == " " }.reversed())
            let node = Self.scalar(element, column: column + blank)
            column += part.unicodeScalars.count + 1
            return node
        }
        return YAMLNode(.sequence(nodes), at: .init(line: 1, column: 1, length: text.unicodeScalars.count))
    }

    private static func scalar(_ text: String, column: Int) -> YAMLNode {
        YAMLNode(plain: text, at: .init(line: 1, column: column, length: text.unicodeScalars.count))
    }
}
