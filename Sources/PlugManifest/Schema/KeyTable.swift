internal import PlugCore

/// One mapping of a language that is written in YAML, such as the manifest's, and its keys.
///
/// The tables define a language. The validator checks against them; the JSON Schema (`KeySchema`) and the reference page
/// (`KeyReference`) are generated from them, and tests check an example with every key against them.
package struct KeyTable: Sendable {
    /// The name of the mapping in messages, such as `a stream`.
    package let name: String
    /// The keys, in the order in which they are listed.
    package let keys: [KeySpec]
    /// Names that are not keys but that people write, and what to write instead.
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

    /// The keys of which exactly one must be written; empty if there is no such choice.
    package var kinds: [String] { keys.filter(\.isKind).map(\.name) }

    /// The name without its article, as a word: `stream`, `config-key`.
    package var identifier: String {
        let words = name.split(separator: " ")
        return words.drop { $0 == "a" || $0 == "an" }.joined(separator: "-")
    }
}

extension KeyTable {
    /// This table and all tables inside it, outermost first: a language.
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
    /// Whether such a mapping may contain a secret.
    package var holdsSecrets: Bool { keys.contains { $0.shape.holdsSecrets } }

    /// Whether a direct value of such a mapping is a secret.
    package var isBesideSecrets: Bool {
        name == Shape.secretFile.name || keys.contains { if case .secret = $0.shape { true } else { false } }
    }

    /// Whether a key may be a secret, or contain one: `client_secret:x` without a space is a key in YAML.
    package func mayHoldSecret(_ key: String) -> Bool {
        if self[key] != nil { return false }
        if holdsSecrets, !MessageText.isWord(key) { return true }
        return isBesideSecrets && (!MessageText.isWord(key) || Spelling.nearest(key, in: names) == nil)
    }
}
