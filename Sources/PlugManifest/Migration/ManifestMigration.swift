import LosslessJSON
package import PlugCore

/// A manifest migrated to a newer version of the language. Everything that has not changed stays as written, including comments
/// and order.
package struct ManifestMigration: Sendable, Equatable {
    /// The new text.
    package var text: String
    /// The old version.
    package var from: Int
    /// The new version.
    package var to: Int
    /// Notes for what was changed, errors for what the author has to change. In the order of the original file.
    package var findings: [Diagnostic]

    /// Migrates a manifest to the newest version.
    ///
    /// - Parameters:
    ///   - path: The file's name, for messages.
    ///   - versions: All versions after the first, oldest first.
    /// - Throws: `PlugError` `not-migrated` if the file is not YAML, does not give its version, or is of a later one.
    package init(
        of text: [UInt8],
        path: String,
        versions: [LanguageVersion] = LanguageVersion.all
    ) throws(PlugError) {
        let tree = YAMLReader.read(text)
        if let error = tree.diagnostics.first(where: { $0.severity == .error }) {
            let place = error.location.map { ":\($0.line):\($0.column)" } ?? ""
            throw Self.failure("\(path)\(place): \(error.message)", "correct it; 'plughost validate' shows all errors")
        }
        guard let root = tree.root else { throw Self.failure("\(path) is empty", "begin it with 'api: 1'") }
        let newest = versions.last?.number ?? 1
        guard let api = root["api"], let written = api.scalar?.number?.int64, written >= 1 else {
            throw Self.failure("\(path) does not say which version of the language it is in", "begin it with 'api: 1'")
        }
        guard written <= Int64(newest) else {
            throw Self.failure(
                "\(path): 'api' is \(written), and this plughost knows the versions up to \(newest)",
                "use a newer plughost"
            )
        }
        var file = EditedFile(String(decoding: text, as: UTF8.self), root)
        for version in versions where Int64(version.number) > written {
            for change in version.changes { file.make(change, version.number) }
        }
        if written < Int64(newest) { file.replace(api, with: String(newest)) }
        self.text = file.text
        (from, to) = (Int(written), newest)
        findings = file.findings.sorted { left, right in
            guard let left = left.location, let right = right.location else { return false }
            return left < right
        }
    }

    private static func failure(_ message: String, _ advice: String) -> PlugError {
        PlugError(.notMigrated, message, advice: advice)
    }
}

/// A manifest between two versions. Later changes look for the names that earlier ones produced.
private struct EditedFile {
    private let source: String
    private var root: YAMLNode
    /// The replacements, by their place in the file.
    private var edits: [Place: (length: Int, text: String)] = [:]
    private(set) var findings: [Diagnostic] = []

    private struct Place: Hashable {
        var line: Int
        var column: Int
    }

    init(_ source: String, _ root: YAMLNode) {
        self.source = source
        self.root = root
    }

    mutating func make(_ change: LanguageChange, _ version: Int) {
        var (edits, findings) = (edits, findings)
        func note(_ message: String, at location: Diagnostic.Location, advice: String? = nil) {
            let finding = Diagnostic(
                advice == nil ? .note : .error,
                advice == nil ? .migrated : .migrateByHand,
                message,
                at: location,
                help: advice
            )
            // An alias leads to one place more than once.
            if !findings.contains(finding) { findings.append(finding) }
        }
        func edit(_ location: Diagnostic.Location, _ text: String) {
            edits[Place(line: location.line, column: location.column)] = (location.length, text)
        }
        switch change {
        case .rename(let path, let name):
            Self.visit(&root, path) { entry in
                note("'\(entry.key)' is called '\(name)' in api: \(version)", at: entry.keyLocation)
                edit(entry.keyLocation, name)
                entry.key = name
            }
        case .reword(let path, let old, let new):
            Self.visit(&root, path) { entry in
                guard var scalar = entry.value.scalar, scalar.text == old else { return }
                note("'\(old)' of '\(entry.key)' is called '\(new)' in api: \(version)", at: entry.value.location)
                edit(entry.value.location, new)
                scalar.text = new
                entry.value.content = .scalar(scalar)
            }
        case .remove(let path, let advice):
            Self.visit(&root, path) { entry in
                note("there is no '\(entry.key)' in api: \(version)", at: entry.keyLocation, advice: advice)
            }
        }
        (self.edits, self.findings) = (edits, findings)
    }

    mutating func replace(_ node: YAMLNode, with text: String) {
        edits[Place(line: node.location.line, column: node.location.column)] = (node.location.length, text)
    }

    /// Visits each entry that a path leads to.
    private static func visit(_ node: inout YAMLNode, _ path: [String], _ body: (inout YAMLEntry) -> Void) {
        guard let name = path.first else { return }
        switch node.content {
        case .scalar: break
        case .sequence(var nodes):
            for at in nodes.indices { visit(&nodes[at], path, body) }
            node.content = .sequence(nodes)
        case .mapping(var entries):
            for at in entries.indices where name == "*" || entries[at].key == name {
                if path.count == 1 {
                    body(&entries[at])
                } else {
                    visit(&entries[at].value, Array(path.dropFirst()), body)
                }
            }
            node.content = .mapping(entries)
        }
    }

    /// The file with all edits applied. Line endings are preserved.
    var text: String {
        var output = String.UnicodeScalarView()
        var (line, column) = (1, 1)
        var skipped = 0
        var previous: Unicode.Scalar?
        for scalar in source.unicodeScalars {
            let isMark = previous == nil && scalar == "\u{FEFF}"
            if !isMark, skipped == 0, let edit = edits[Place(line: line, column: column)], !SourceText.isBreak(scalar) {
                output.append(contentsOf: edit.text.unicodeScalars)
                skipped = edit.length
            }
            if skipped > 0, !isMark { skipped -= 1 } else { output.append(scalar) }
            let endsPair = scalar == "\n" && previous == "\r"
            previous = scalar
            if isMark || endsPair { continue }
            if SourceText.isBreak(scalar) { (line, column, skipped) = (line + 1, 1, 0) } else { column += 1 }
        }
        return String(output)
    }
}
