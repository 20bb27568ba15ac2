internal import CurlTransport
package import LosslessJSON
internal import OAuth
internal import PlugCore

extension HostSettings {
    /// A value as it would be written in the file.
    package struct Row: Sendable, Equatable {
        /// Its key, such as `limits.memory`.
        package var key: String
        /// The value: a text, a number, or a list of texts; `null` if there is none. Secrets are left out.
        package var value: JSONValue
        /// Its origin.
        package var origin: SettingOrigin

        init(_ key: String, _ value: JSONValue, _ origin: SettingOrigin) {
            self.key = key
            self.value = value
            self.origin = origin
        }
    }

    /// Every value, in the order of the table of keys.
    package var rows: [Row] {
        [
            text("listen", listen) { $0.description },
            text("public_url", publicURL) { $0?.origin },
            Row("trusted_proxies", Self.list(trustedProxies.value.map(\.description)), trustedProxies.origin),
            text("state", state) { $0 },
            Row("plugs", plugs.value.map(Self.list) ?? .null, plugs.origin),
        ] + clients.rows + [
            Row("pda.networks", Self.list(pda.networks.value.map(\.description)), pda.networks.origin),
            text("pda.directory_upstream", pda.directoryUpstream) { $0?.description },
            Row("source.networks", Self.list(source.networks.value.map(\.description)), source.networks.origin),
            Row("programs.trust", Self.list(programs.trust.value), programs.trust.origin),
            Row("programs.folders", Self.list(programs.folders.value), programs.folders.origin),
        ] + limits.rows + [
            text("schedule.every", schedule.every, HumanDuration.text),
            text("schedule.quiet", schedule.quiet) { $0 },
            text("schedule.zone", schedule.zone) { $0 },
            Row("retention.runs", retention.runs.value.json, retention.runs.origin),
            text("retention.dead_letters", retention.deadLetters) { $0.map(HumanDuration.text) },
            text("retention.outbox", retention.outbox) { $0.map(HumanDuration.text) },
        ] + notify.flatMap(\.rows) + [
            Row("operators", Self.list(operators.value), operators.origin)
        ]
    }

    /// The keys whose values differ from other settings and take effect only at the next start.
    package func changedForRestart(from other: HostSettings) -> [String] {
        let old = Dictionary(other.rows.map { ($0.key, $0.value) }, uniquingKeysWith: { first, _ in first })
        return rows.filter { row in
            let isRead =
                ["plugs", "operators"].contains(row.key)
                || ["providers.", "schedule.", "retention."].contains { row.key.hasPrefix($0) }
            return !isRead && old[row.key] != row.value
        }
        .map(\.key)
    }

    private func text<Value>(_ key: String, _ setting: Setting<Value>, _ write: (Value) -> String?) -> Row {
        Row(key, write(setting.value).map(JSONValue.text) ?? .null, setting.origin)
    }

    private static func list(_ texts: [String]) -> JSONValue { .array(texts.map(JSONValue.text)) }
}

extension HostSettings.Retention.Runs {
    fileprivate var json: JSONValue {
        switch self {
        case .age(let duration): .text(HumanDuration.text(duration))
        case .count(let count): .integer(count)
        }
    }
}

extension HostClients {
    /// Each client, by provider.
    fileprivate var rows: [HostSettings.Row] {
        listed.flatMap { provider, client in
            let secret = client.value.secret.map { JSONValue.text($0.description) } ?? .null
            return [
                HostSettings.Row("providers.\(provider).client_id", .text(client.value.id), client.origin),
                HostSettings.Row("providers.\(provider).client_secret", secret, client.origin),
            ]
        }
    }
}
