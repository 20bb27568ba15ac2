internal import LosslessJSON
package import PlugCore
internal import PlugFetch
internal import PlugRuntime

/// Keeps what a consent gave in the vault of a connection, and whose account it is.
package enum KeptAccount {
    /// Replaces whatever is kept.
    ///
    /// - Throws: `PlugError` `grant-contended` if others keep changing it.
    package static func keep(
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
            "another process keeps changing the grant of connection '\(DisplayText.escaped(id.connection.name))'",
            advice: "end it, and connect again"
        )
    }

    /// Forgets the tokens of a connection's consent. The account's owner is kept: when reconnected, it must be the same.
    package static func forgetConsent(of connection: ConnectionID, in vault: any GrantKeeping) async throws {
        let id = GrantID(connection: connection, name: KeptGrant.consent)
        guard let content = try await vault.grant(id)?.content, let kept = try? KeptGrant(content) else { return }
        try await keep(kept.forgotten.content, as: id, in: vault)
    }

    /// Keeps whose account it is.
    package static func keep(label: String, of connection: ConnectionID, in vault: any GrantKeeping) async throws {
        let content = Secret(JSONValue.members(("who", .text(label))).compactText)
        try await keep(content, as: GrantID(connection: connection, name: ConnectionAccount.label), in: vault)
    }

    /// Whose account it was when last checked; `nil` if it never was.
    package static func label(of connection: ConnectionID, in vault: any GrantKeeping) async throws -> String? {
        let kept = try await vault.grant(GrantID(connection: connection, name: ConnectionAccount.label))
        return kept.flatMap { try? JSONValue(parsing: $0.content.reveal()) }?["who"]?.stringText
    }
}
