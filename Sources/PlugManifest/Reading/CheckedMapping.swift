import LosslessJSON
package import PlugCore

/// A mapping whose keys were checked against its table: every value in it has the right shape.
package struct CheckedMapping {
    /// The mapping itself.
    package let node: YAMLNode
    /// Where to report missing keys: the key that holds the mapping.
    package let place: Diagnostic.Location
    private let entries: [YAMLEntry]

    /// Checks a mapping; `nil` if it is not one.
    package init?(_ node: YAMLNode, _ table: KeyTable, at place: Diagnostic.Location, _ findings: Findings) {
        if node.isMisread { return nil }
        guard let mapping = node.mapping else {
            let help = node.scalar?.isNull == true ? "indent its keys beneath it" : nil
            findings.error(
                .wrongType,
                "\(table.name) is a mapping, not \(node.kindName)",
                at: node.location,
                help: help
            )
            return nil
        }
        self.node = node
        self.place = place
        var entries: [YAMLEntry] = []
        // A key that is missing because it is misspelt is one mistake, not two.
        var meant: Set<String> = []
        for entry in mapping {
            guard let spec = table[entry.key] else {
                if let nearest = Spelling.nearest(entry.key, in: table.names) {
                    let isFirst = meant.insert(nearest).inserted && !mapping.contains { $0.key == nearest }
                    if isFirst, let spec = table[nearest], Self.mayBeMeant(entry.value, spec) {
                        // Errors below it are reported as well.
                        entries.append(YAMLEntry(key: nearest, keyLocation: entry.keyLocation, value: entry.value))
                    }
                }
                findings.error(
                    .unknownKey,
                    "\(MessageText.key(entry.key, isSecret: table.mayHoldSecret(entry.key))) is not a key of \(table.name)",
                    at: entry.keyLocation,
                    help: UnknownKey(entry.key, in: table, of: findings.tables).help
                )
                continue
            }
            if spec.shape.check(entry.value, of: entry.key, findings) { entries.append(entry) }
        }
        Self.checkExclusions(mapping, table, findings)
        for spec in table.keys where spec.isRequired && !mapping.contains(where: { $0.key == spec.name }) {
            if meant.contains(spec.name) { continue }
            let sentence = spec.doc.hasSuffix(".") ? spec.doc.dropLast() : spec.doc[...]
            let help = sentence.prefix(1).lowercased() + sentence.dropFirst()
            findings.error(
                .missingKey,
                "'\(spec.name)' is missing in \(table.name)",
                at: place,
                help: "'\(spec.name)' is \(help)"
            )
        }
        self.entries = entries
    }

    /// Whether the value of a misspelt key fits the one that was probably intended.
    private static func mayBeMeant(_ node: YAMLNode, _ spec: KeySpec) -> Bool {
        let findings = Findings()
        return node.scalar == nil && spec.shape.check(node, of: spec.name, findings) && !findings.hasErrors
    }

    /// The value of a key, if it exists and has the right shape.
    package subscript(key: String) -> YAMLNode? { entries.first { $0.key == key }?.value }

    /// The whole entry.
    package func entry(_ key: String) -> YAMLEntry? { entries.first { $0.key == key } }

    /// Whether the key is written at all, valid or not.
    func isWritten(_ key: String) -> Bool { node[key] != nil }

    /// The text of a key's scalar.
    func text(_ key: String) -> String? { self[key]?.scalar?.text }

    /// The integer value of a key.
    func integer(_ key: String) -> Int? { (self[key]?.scalar?.number?.int64).map { Int($0) } }

    /// The duration value of a key.
    func duration(_ key: String) -> Duration? { text(key).flatMap(HumanDuration.parse) }

    /// The location of the key, or else of the mapping.
    package func location(_ key: String) -> Diagnostic.Location {
        node.mapping?.first { $0.key == key }?.keyLocation ?? place
    }

    /// The one kind that is written.
    package func kind(of table: KeyTable, _ findings: Findings) -> YAMLEntry? {
        let kinds = table.kinds
        let written = (node.mapping ?? []).filter { kinds.contains($0.key) }
        if written.count > 1 {
            for entry in written.dropFirst() { Self.excluded(entry, by: written[0].key, table, findings) }
        }
        let hasOther = (node.mapping ?? []).contains { table[$0.key] == nil }
        if written.isEmpty, !hasOther {
            let help = "write one of \(MessageText.list(kinds, conjunction: "or"))"
            findings.error(.missingKind, "\(table.name) does not say which kind it is", at: place, help: help)
        }
        return written.first.flatMap { entry($0.key) }
    }

    /// Reports keys that exclude each other.
    private static func checkExclusions(_ mapping: [YAMLEntry], _ table: KeyTable, _ findings: Findings) {
        // Unknown keys have been reported already.
        for (index, entry) in mapping.enumerated() where table[entry.key] != nil {
            let other = mapping[..<index].first { earlier in
                table[entry.key]?.excludes.contains(earlier.key) == true
                    || table[earlier.key]?.excludes.contains(entry.key) == true
            }
            if let other { excluded(entry, by: other.key, table, findings) }
        }
    }

    private static func excluded(_ entry: YAMLEntry, by other: String, _ table: KeyTable, _ findings: Findings) {
        let message = "'\(entry.key)' and '\(other)' cannot be used together in \(table.name)"
        findings.error(.twoKinds, message, at: entry.keyLocation, help: "keep one of them")
    }
}
