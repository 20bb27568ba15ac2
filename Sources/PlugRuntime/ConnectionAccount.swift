internal import LosslessJSON
internal import OAuth
internal import PlugCore
internal import PlugFetch
package import PlugStorage

/// What a connection's vault knows about the account at the source, without any of its tokens.
package struct ConnectionAccount: Sendable {
    /// The name under which the account's owner is kept.
    package static let label = "account"

    /// Whose account it is, as found by `check`; `nil` if that was never asked.
    package var who: String?
    /// When the person consented, in microseconds since 1970; `nil` if they have not.
    package var connected: Int64?
    /// The scopes that were granted.
    package var scopes: [String] = []
    /// When the access token expires, in microseconds since 1970; `nil` if that is not known.
    package var expires: Int64?
    /// Whether there is a refresh token.
    package var refreshes = false
    /// Whether the person has to consent again.
    package var isDead = false

    /// Looks into a connection's vault; `nil` if it is empty.
    package init?(of connection: Connection, in store: any PlugStore) async throws {
        let label = try await store.grant(GrantID(connection: connection.id, name: Self.label))
        let kept = try await store.grant(GrantID(connection: connection.id, name: KeptGrant.consent))
        if label == nil, kept == nil { return nil }
        who = label.flatMap { try? JSONValue(parsing: $0.content.reveal()) }?["who"]?.stringText
        guard let content = kept?.content, let kept = try? KeptGrant(content) else { return }
        let grant = kept.grant
        connected = grant.since
        scopes = grant.scopes
        expires = grant.expires
        refreshes = grant.refreshToken != nil
        isDead = kept.isDead
    }

    /// `{"who", "connected", "scopes", "expires", "refreshes", "dead"}`
    var json: JSONValue {
        .members(
            ("who", who.map(JSONValue.text) ?? .null),
            ("connected", ConnectionSummary.time(connected)),
            ("scopes", .array(scopes.map(JSONValue.text))),
            ("expires", ConnectionSummary.time(expires)),
            ("refreshes", .bool(refreshes)),
            ("dead", .bool(isDead))
        )
    }
}
