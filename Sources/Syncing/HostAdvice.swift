internal import PlugCore
internal import PlugManifest

/// What an operator can do about an error of a run started by a host, without a person at the command line.
enum HostAdvice {
    /// The advice for a code; `nil` if the error's own advice also suits a host.
    static func text(for error: PlugError, of connection: ConnectionID) -> String? {
        let name = DisplayText.escaped(connection.name)
        return switch error.code.text {
        case "token-missing", "token-malformed", "token-expired", "token-idle", "token-issuer", "token-application":
            "'plughost connection add \(name) PATH … --token-file FILE' gives it a new token"
        case "run-time-limit": "nothing is lost: it is due again at once, and continues where it stopped"
        case "state-locked":
            "another command uses the connection; it is retried automatically. Other connections are not affected"
        case "template-undefined":
            "the connection lacks an answer that the plug needs: 'plughost connection add \(name) PATH --config KEY=VALUE …'"
        case "client-missing": client
        case "connect-first": "'plughost connect PATH --connection \(name)' asks the person"
        case "dead-letters-full":
            "correct their cause (plughost deadletters list), then drop or retry them. Nothing is lost"
        case "deletions-held":
            "if they are gone, 'plughost run PATH --connection \(name) --accept-deletions' delivers them; if so many may be, raise "
                + "'max' in 'deletes'"
        case "probe-budget": "it continues with its next run"
        default: nil
        }
    }

    /// How a host gets an OAuth client.
    static let client =
        "register a client with the service, write its id and secret under 'providers' in plughost.yaml, and reload the host "
        + "(Documentation/authorisation.md, Clients)"

    /// How to answer a plug's questions.
    static func answering(_ fields: [ConfigField], _ connection: ConnectionID) -> String {
        let options = fields.map { "--config \($0.name)=\($0.isSecret ? "@FILE" : "…")" }.joined(separator: " ")
        return
            "'plughost connection add \(DisplayText.escaped(connection.name)) PATH \(options) …' answers it; cursors stay"
    }
}
