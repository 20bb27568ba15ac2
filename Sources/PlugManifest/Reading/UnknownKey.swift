import PlugCore

/// A key that the language does not have in a mapping, and what was probably meant.
struct UnknownKey {
    private let key: String
    private let table: KeyTable
    private let language: [KeyTable]

    init(_ key: String, in table: KeyTable, of language: [KeyTable]) {
        self.key = key
        self.table = table
        self.language = language
    }

    /// What to write: what the table says of this name, a key of a similar name, where else a key of this name is, or all
    /// keys there are.
    var help: String? {
        if let instead = table.instead[key] { return instead }
        if let question = Spelling.question(key, in: table.names) { return question }
        let homes = language.filter { $0[key] != nil }.map(\.name)
        if homes.count == 1 { return "'\(key)' is a key of \(homes[0])" }
        return MessageText.help(for: key, in: table.names, called: "keys")
    }
}
