package import LosslessJSON
package import PlugCore

/// What a host has to know to run a connection by itself: the person's answers and choices, and how often.
///
/// It is kept as the content of a `ConnectionSetup`, because secrets are among the answers: an object of `config`, `streams`,
/// `from`, `every`, `cron` and `zone`, each `null` where nothing is said.
package struct ConnectionPlan: Sendable, CustomStringConvertible, CustomReflectable {
    /// The person's answers, secrets included, without defaults: those of the manifest may change.
    package var config: JSONObject
    /// The streams that were chosen; `nil` for all that the plug delivers.
    package var streams: [String]?
    /// The first day that is read, such as `2024-01-01`; `nil` for what the plug says. It counts before the first run.
    package var from: String?
    /// How often it is run, in place of the `every` of the plug's streams: a duration such as `1h`.
    package var every: String?
    /// When it is run, in place of an interval: a cron expression.
    package var cron: String?
    /// The time zone that the cron expression is read in, such as `Europe/Berlin`; `nil` for UTC.
    package var zone: String?

    /// A plan.
    package init(config: JSONObject) { self.config = config }

    /// The names of what was answered: values may be secrets.
    package var description: String { "a plan with \(config.members.map(\.key.text).joined(separator: ", "))" }
    /// A mirror without the answers.
    package var customMirror: Mirror { Mirror(self, children: ["streams": streams as Any]) }

    /// What a store keeps.
    package var content: Secret {
        func text(_ value: String?) -> JSONValue { value.map { .text($0) } ?? .null }
        let value = JSONValue.members(
            ("config", .object(config)),
            ("streams", streams.map { .array($0.map { .text($0) }) } ?? .null),
            ("from", text(from)),
            ("every", text(every)),
            ("cron", text(cron)),
            ("zone", text(zone))
        )
        return Secret(value.compactText)
    }

    /// Reads what a store has kept.
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
    }
}
