internal import PlugCore
internal import PlugStorage

/// Who changed what and when, as a table.
enum ChangeTable {
    /// - Parameter reader: Who reads it: for a person, the audit log's words are rephrased.
    static func html(_ changes: some Collection<AuditEntry>, for reader: RunTrouble.Reader) -> HTML {
        let rows = changes.map { change -> HTML in
            let (who, what) = reader == .person ? (who(change.who), what(change.what)) : (change.who, change.what)
            return "<tr><td>\(Words.time(change.at))</td><td>\(who)</td><td>\(what)</td></tr>"
        }
        return DataTable.html("Changes", columns: ["When", "Who", "What"], rows)
    }

    private static func who(_ name: String) -> String {
        switch name {
        case "person": "you"
        case "pda": "your PDA"
        case "host": "this host"
        case "shell": "whoever runs this host"
        case _ where name.hasPrefix("key "): "the program \(name.dropFirst("key ".count))"
        default: name
        }
    }

    private static func what(_ word: String) -> String {
        switch word {
        case "set up": "changed"
        case "answered": "answers given"
        case "to be erased": "erasing begun"
        default: ConnectionSetup.Status(rawValue: word)?.word(for: .person).text.lowercasedFirst ?? word
        }
    }
}

extension String {
    fileprivate var lowercasedFirst: String { prefix(1).lowercased() + dropFirst() }
}
