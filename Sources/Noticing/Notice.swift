internal import Cryptography
internal import LosslessJSON
internal import PlugCore

/// A message to the operator of a host: everything that a person must do, collapsed into one.
package struct Notice: Sendable, Equatable {
    /// Its unique name, the same at each try.
    package var id: String
    /// When it was made, in microseconds since 1970.
    package var at: Int64
    /// The host that sends it: its public address.
    package var host: String
    /// Its causes; none for one that only tests its target.
    package var items: [NoticeItem]

    /// A notice.
    package init(id: String, at: Int64, host: String, items: [NoticeItem]) {
        (self.id, self.at, self.host, self.items) = (id, at, host, items)
    }

    /// A notice without causes.
    package static func trial(of host: String, at now: Int64) -> Notice {
        Notice(id: newID(), at: now, host: host, items: [])
    }

    /// A unique name.
    static func newID() -> String { "notice_" + SecureRandom.hexadecimal(bytes: 16) }

    /// The subject, on one line.
    package var subject: String {
        guard let first = items.first else { return "plughost: this is a test" }
        return "plughost: \(first.what)" + (items.count > 1 ? ", and \(items.count - 1) more" : "")
    }

    /// The full text, for people.
    package var text: String {
        let place = "Sent by plughost at \(host), \(Timestamp(seconds: at / 1_000_000).rfc3339).\n"
        if items.isEmpty { return "This is a test: no action is needed.\n\n\(place)" }
        let paragraphs = items.map { item in
            var text = "* \(item.what).\n  \(item.advice).\n"
            if !item.examples.isEmpty {
                let names = item.examples.map { one in one.pda.map { "\(one.name) (\($0))" } ?? one.name }
                text += "  Such as: \(names.joined(separator: ", "))\n"
            }
            return text
        }
        return paragraphs.joined(separator: "\n")
            + "\n\(place)Nothing more is sent about the same causes within a day.\n"
    }

    /// The full content, for programs; `Documentation/notices.md` has the contract.
    package var json: String {
        JSONValue.members(
            ("version", .integer(1)),
            ("id", .text(id)),
            ("type", .text(items.isEmpty ? "test" : "attention")),
            ("at", .text(Timestamp(seconds: at / 1_000_000).rfc3339)),
            ("host", .text(host)),
            ("subject", .text(subject)),
            ("text", .text(text)),
            ("causes", .array(items.map { $0.json(withWords: true) }))
        ).compactText
    }
}
