internal import PlugCore

/// One mapping of a language that is written in YAML, such as the manifest's: which keys it has.
///
/// The tables are the truth about a language. The validator checks against them; the JSON Schema (`KeySchema`) and the
/// reference page (`KeyReference`) are written from them, and tests hold an example with every key against them.
package struct KeyTable: Sendable {
    /// What the mapping is called in messages, such as `a stream`.
    package let name: String
    /// The keys, in the order in which they are told.
    package let keys: [KeySpec]
    /// Names that are no keys but that people write, and what to write instead.
    package let instead: [String: String]

    package init(_ name: String, _ keys: [KeySpec], instead: [String: String] = [:]) {
        self.name = name
        self.keys = keys
        self.instead = instead
    }

    /// A key by its name.
    package subscript(key: String) -> KeySpec? { keys.first { $0.name == key } }

    /// The names of the keys.
    package var names: [String] { keys.map(\.name) }

    /// The keys of which exactly one must be written; empty where there is no such choice.
    package var kinds: [String] { keys.filter(\.isKind).map(\.name) }

    /// The name without its article, as a word: `stream`, `config-key`.
    package var identifier: String {
        let words = name.split(separator: " ")
        return words.drop { $0 == "a" || $0 == "an" }.joined(separator: "-")
    }
}

extension KeyTable {
    /// This table and all that can stand inside it, those of the outside first: a language.
    package var withInnerTables: [KeyTable] {
        var found = [self]
        var index = 0
        while index < found.count {
            for table in found[index].keys.flatMap(\.shape.tables)
            where !found.contains(where: { $0.name == table.name }) {
                found.append(table)
            }
            index += 1
        }
        return found
    }
}

extension KeyTable {
    /// Whether a secret may stand somewhere in such a mapping.
    package var holdsSecrets: Bool { keys.contains { $0.shape.holdsSecrets } }

    /// Whether a secret is a value of such a mapping itself.
    package var isBesideSecrets: Bool {
        name == Shape.secretFile.name || keys.contains { if case .secret = $0.shape { true } else { false } }
    }

    /// Whether what stands as a key may be a secret, or have one in it: `client_secret:x` without a space is a key for YAML.
    package func mayHoldSecret(_ key: String) -> Bool {
        if self[key] != nil { return false }
        if holdsSecrets, !MessageText.isWord(key) { return true }
        return isBesideSecrets && (!MessageText.isWord(key) || Spelling.nearest(key, in: names) == nil)
    }
}
