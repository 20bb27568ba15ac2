package import LosslessJSON
package import PlugCore
package import PlugStorage

/// What a host needs to run a connection unattended: the person's answers and choices, and how often.
///
/// It is stored as the content of a `ConnectionSetup`, because the answers include secrets: an object of `config`, `streams`,
/// `from`, `every`, `cron` and `zone`, each `null` if nothing is said, and `foreign_token` if that is accepted.
package struct ConnectionPlan: Sendable, CustomStringConvertible, CustomReflectable {
    /// The person's answers, secrets included, without defaults: the manifest's may change.
    package var config: JSONObject
    /// The chosen streams; `nil` for all that the plug delivers.
    package var streams: [String]?
    /// The first day to read, such as `2024-01-01`; `nil` for the plug's choice. It counts before the first run.
    package var from: String?
    /// How often it runs, instead of the `every` of the plug's streams: a duration such as `1h`.
    package var every: String?
    /// When it runs, instead of an interval: a cron expression.
    package var cron: String?
    /// The time zone of the cron expression, such as `Europe/Berlin`; `nil` for UTC.
    package var zone: String?
    /// Whether a token of another PDA or another application is accepted.
    package var acceptsForeignToken = false

    /// A plan.
    package init(config: JSONObject) { self.config = config }

    /// The names of the answers: values may be secret.
    package var description: String { "a plan with \(config.members.map(\.key.text).joined(separator: ", "))" }
    /// A mirror without the answers.
    package var customMirror: Mirror { Mirror(self, children: ["streams": streams as Any]) }

    /// The stored form.
    package var content: Secret {
        func text(_ value: String?) -> JSONValue { value.map { .text($0) } ?? .null }
        var members: [JSONObject.Member] = [
            ("config", .object(config)),
            ("streams", streams.map { .array($0.map { .text($0) }) } ?? .null),
            ("from", text(from)),
            ("every", text(every)),
            ("cron", text(cron)),
            ("zone", text(zone)),
        ]
        if acceptsForeignToken { members.append(("foreign_token", .bool(true))) }
        return Secret(JSONValue.object(JSONObject(members)).compactText)
    }

    /// Reads the stored form.
    ///
    /// - Throws: `PlugError` `setup-unreadable` (78).
    package init(content: Secret, of connection: ConnectionID) throws(PlugError) {
        guard let value = try? JSONValue(parsing: Array(content.reveal().utf8)), let config = value["config"]?.object
        else {
            throw PlugError(
                .setupUnreadable,
                "the set-up of connection '\(DisplayText.escaped(connection.name))' cannot be read",
                advice: "'plughost connection add' replaces it; cursors and records stay"
            )
        }
        self.init(config: config)
        streams = value["streams"]?.elements?.compactMap(\.stringText)
        from = value["from"]?.stringText
        every = value["every"]?.stringText
        cron = value["cron"]?.stringText
        zone = value["zone"]?.stringText
        acceptsForeignToken = value["foreign_token"]?.bool ?? false
    }

    /// Whether a connection accepts a token of another PDA or another application; not without a set-up.
    ///
    /// - Throws: `PlugError` `setup-unreadable` (78), errors of the store.
    package static func acceptsForeignToken(of connection: ConnectionID, in store: any SetupStore) async throws -> Bool
    {
        guard let setup = try await store.setup(of: connection) else { return false }
        return try ConnectionPlan(content: setup.content, of: connection).acceptsForeignToken
    }
}
