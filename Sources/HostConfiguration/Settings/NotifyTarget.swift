package import CurlTransport
internal import LosslessJSON
package import PlugCore

/// A recipient of notices about what needs a person.
package struct NotifyTarget: Sendable, Equatable {
    /// The operator's name for it.
    package var name: String
    /// How it is reached.
    package var way: Way
    /// Whether notices name the PDAs of connections.
    package var namesPDAs = false

    /// How a target is reached.
    package enum Way: Sendable, Equatable {
        /// A JSON object is posted.
        case webhook(HTTPURL, secret: Secret, networks: [CIDR])
        /// A program reads a JSON object.
        case command([String], folder: String?, timeout: Duration)
        /// Mail is sent.
        case mail(Mail)
    }

    /// Where mail is submitted, its sender and its recipients.
    package struct Mail: Sendable, Equatable {
        /// The server.
        package var server: MailServer
        /// The user name on the server; `nil` if none is needed.
        package var username: String?
        /// The user's password.
        package var password: Secret?
        /// The sender's address.
        package var from: String
        /// The recipients' addresses.
        package var to: [String]
        /// Private networks that the server may be in.
        package var networks: [CIDR]
    }
}

extension Setting<NotifyTarget> {
    /// The target's values, as they would be written in the file, without secrets.
    var rows: [HostSettings.Row] {
        func row(_ key: String, _ value: JSONValue) -> HostSettings.Row {
            HostSettings.Row("notify.\(self.value.name).\(key)", value, origin)
        }
        let own: [HostSettings.Row] =
            switch value.way {
            case .webhook(let url, let secret, let networks):
                [
                    row("webhook.url", .text("\(url)")), row("webhook.secret", .text("\(secret)")),
                    row("webhook.networks", Self.list(networks)),
                ]
            case .command(let words, _, let timeout):
                [
                    row("command.run", .array(words.map { .text($0) })),
                    row("command.timeout", .text(HumanDuration.text(timeout))),
                ]
            case .mail(let mail):
                [
                    row("mail.server", .text("\(mail.server)")), row("mail.from", .text(mail.from)),
                    row("mail.to", .array(mail.to.map { .text($0) })),
                    row("mail.username", mail.username.map { .text($0) } ?? .null),
                    row("mail.password", mail.password.map { .text("\($0)") } ?? .null),
                    row("mail.networks", Self.list(mail.networks)),
                ]
            }
        return own + [row("pdas", .bool(value.namesPDAs))]
    }

    private static func list(_ networks: [CIDR]) -> JSONValue { .array(networks.map { .text($0.description) }) }
}
