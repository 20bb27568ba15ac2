import PlugCore

/// A key that the language does not have in a mapping, and what was probably intended.
struct UnknownKey {
    private let key: String
    private let table: KeyTable
    private let language: [KeyTable]

    init(_ key: String, in table: KeyTable, of language: [KeyTable]) {
        self.key = key
        self.table = table
        self.language = language
    }

    /// What to write: the table's advice for this name, a key with a similar name, where a key of this name belongs, or all
    /// existing keys.
    var help: String? {
        if let instead = table.instead[key] { return instead }
        if let question = Spelling.question(key, in: table.names) { return question }
        let homes = language.filter { $0[key] != nil }.map(\.name)
        if homes.count == 1 { return "'\(key)' is a key of \(homes[0])" }
        return MessageText.help(for: key, in: table.names, called: "keys")
    }
}
