package import LosslessJSON
package import OAuth
package import PlugCore

/// The outcome of connecting the account at a source.
package struct ConnectedAccount: Sendable {
    /// The connection's name.
    package let connection: String
    /// The plug's id.
    package let plug: String
    /// Whose account it is, if known.
    package var who: String?
    /// What was granted; `nil` if no consent was needed.
    package var grant: Grant?
    /// Scopes that were requested but not granted: requests that need them will be refused.
    package var missing: [String] = []
    /// Whether configured credentials were checked.
    package var isChecked = false
    /// Why the account's owner could not be checked, if that is transient.
    package var unchecked: PlugError?

    /// Whether the person has to consent again when the access token expires.
    package var endsWithItsToken: Bool { grant.map { $0.refreshToken == nil && $0.expires != nil } ?? false }

    /// For the browser.
    package var sentence: String {
        "\(who.map { "plughost can read the account of \(DisplayText.escaped($0))" } ?? "plughost can read the account"). "
            + "This page can be closed."
    }

    /// `{"connection", "plug", "who", "scopes", "not_granted", "expires", "refreshes"}`; `null` for anything unknown.
    package var json: JSONValue {
        .members(
            ("connection", .text(connection)),
            ("plug", .text(plug)),
            ("who", who.map(JSONValue.text) ?? .null),
            ("scopes", grant.map { .array($0.scopes.map(JSONValue.text)) } ?? .null),
            ("not_granted", .array(missing.map(JSONValue.text))),
            ("expires", grant?.expires.map { .text(Timestamp(seconds: $0 / 1_000_000).rfc3339) } ?? .null),
            ("refreshes", grant.map { .bool($0.refreshToken != nil) } ?? .null)
        )
    }

    /// A line for a terminal; empty if nothing was done.
    package var text: String {
        let name = DisplayText.escaped(connection)
        let account = who.map { " as \(DisplayText.escaped($0))" } ?? ""
        guard let grant else {
            return isChecked ? "connection \(name): the credentials are accepted\(account)\n" : ""
        }
        let scopes = grant.scopes.map { DisplayText.escaped($0) }.joined(separator: ", ")
        return "connected \(name)\(account)\(scopes.isEmpty ? "" : "; granted: \(scopes)")\n"
    }
}
