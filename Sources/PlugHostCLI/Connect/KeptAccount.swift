internal import LosslessJSON
internal import PlugCore
internal import PlugRuntime

/// Keeps what a consent gave in the vault of a connection, and whose account it is.
enum KeptAccount {
    /// Keeps something in the place of whatever is there.
    ///
    /// - Throws: `PlugError` `grant-contended` if somebody else changes it all the time.
    static func keep(
        _ content: Secret,
        as id: GrantID,
        renewal: GrantRenewal = .asItIs,
        in vault: any GrantKeeping
    ) async throws {
        for _ in 0..<10 {
            let version = try await vault.grant(id)?.version
            if try await vault.keepGrant(content, as: id, replacing: version, renewal: renewal) != nil { return }
        }
        throw PlugError(
            .grantContended,
            "another process changes what is kept of connection '\(DisplayText.escaped(id.connection.name))'",
            advice: "end it, and connect again"
        )
    }

    /// Keeps whose account it is.
    static func keep(label: String, of connection: ConnectionID, in vault: any GrantKeeping) async throws {
        let content = Secret(JSONValue.members(("who", .text(label))).compactText)
        try await keep(content, as: GrantID(connection: connection, name: ConnectionAccount.label), in: vault)
    }

    /// Whose account it was when it was checked last; `nil` if it never was.
    static func label(of connection: ConnectionID, in vault: any GrantKeeping) async throws -> String? {
        let kept = try await vault.grant(GrantID(connection: connection, name: ConnectionAccount.label))
        return kept.flatMap { try? JSONValue(parsing: $0.content.reveal()) }?["who"]?.stringText
    }
}
