internal import LosslessJSON
internal import OAuth
internal import PlugCore

/// What `plughost connect` has done.
struct ConnectedAccount: Sendable {
    let connection: String
    let plug: String
    /// Whose account it is, if that is known.
    var who: String?
    /// What was granted; `nil` where no consent was needed.
    var grant: Grant?
    /// Scopes that were asked for and not granted.
    var missing: [String] = []
    /// Whether configured credentials were checked.
    var isChecked = false

    /// For the browser.
    var sentence: String {
        "\(who.map { "plughost can read the account of \(DisplayText.escaped($0))" } ?? "plughost can read the account"). "
            + "This page can be closed."
    }

    /// `{"connection", "plug", "who", "scopes", "not_granted", "expires", "refreshes"}`; `null` for what is not known.
    var json: JSONValue {
        .members(
            ("connection", .text(connection)),
            ("plug", .text(plug)),
            ("who", who.map(JSONValue.text) ?? .null),
            ("scopes", grant.map { .array($0.scopes.map(JSONValue.text)) } ?? .null),
            ("not_granted", .array(missing.map(JSONValue.text))),
            ("expires", grant?.expires.map { .text(ConnectionText.time($0)) } ?? .null),
            ("refreshes", grant.map { .bool($0.refreshToken != nil) } ?? .null)
        )
    }

    var text: String {
        let name = DisplayText.escaped(connection)
        let account = who.map { " as \(DisplayText.escaped($0))" } ?? ""
        guard let grant else {
            return isChecked ? "connection \(name): the credentials are accepted\(account)\n" : ""
        }
        let scopes = grant.scopes.map { DisplayText.escaped($0) }.joined(separator: ", ")
        return "connected \(name)\(account)\(scopes.isEmpty ? "" : "; granted: \(scopes)")\n"
    }
}
