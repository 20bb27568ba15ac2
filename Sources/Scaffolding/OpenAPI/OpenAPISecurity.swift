import LosslessJSON
import PlugCore

/// The authentication of an operation's requests, in the manifest's language.
struct OpenAPISecurity {
    /// The value of `auth:`.
    let auth: String
    let questions: [PlugDraft.Question]
    /// Query parameters that the key takes.
    let parameters: Set<String>
    /// Headers that the key takes.
    let headers: Set<String>

    init(_ description: OpenAPIDescription, _ operation: OpenAPIDescription.Operation) {
        let root = description.root
        let wanted = (operation.node["security"] ?? root["security"])?.elements?.first?.object?.members.first
        let schemes = description.isSwagger ? root["securityDefinitions"] : root["components"]?["securitySchemes"]
        let scheme = wanted.flatMap { schemes?[$0.key.text] }.map(description.resolved)
        let scopes = wanted?.value.elements?.compactMap(\.stringText) ?? []
        guard let scheme, let kind = scheme["type"]?.stringText else {
            (auth, questions, parameters, headers) = ("none", [], [], [])
            return
        }
        let token = PlugDraft.Question(key: "token", title: "Token", isSecret: true, answer: .text("fixture-token"))
        let bearer = "{bearer: {token: \"{{ config.token }}\"}}"
        switch (kind, scheme["scheme"]?.stringText?.lowercased()) {
        case ("http", "basic"), ("basic", _):
            auth = "{basic: {username: \"{{ config.username }}\", password: \"{{ config.password }}\"}}"
            questions = [
                PlugDraft.Question(key: "username", title: "User name"),
                PlugDraft.Question(
                    key: "password",
                    title: "Password",
                    isSecret: true,
                    answer: .text("fixture-password")
                ),
            ]
            (parameters, headers) = ([], [])
        case ("apiKey", _):
            let place = scheme["in"]?.stringText ?? "header"
            let name = scheme["name"]?.stringText ?? "X-Api-Key"
            auth =
                "{key: {in: \(YAMLWriting.text(place)), name: \(YAMLWriting.text(name)), value: \"{{ config.api_key }}\"}}"
            questions = [
                PlugDraft.Question(key: "api_key", title: "API key", isSecret: true, answer: .text("fixture-key"))
            ]
            (parameters, headers) = (place == "query" ? [name] : [], place == "header" ? [name] : [])
        case ("oauth2", _):
            let flow =
                scheme["flows"]?["authorizationCode"] ?? (scheme["flow"]?.stringText == "accessCode" ? scheme : nil)
            guard let authorize = flow?["authorizationUrl"]?.stringText, let tokens = flow?["tokenUrl"]?.stringText,
                [authorize, tokens].allSatisfy({ $0.hasPrefix("https://") })
            else {
                (auth, questions, parameters, headers) = (bearer, [token], [], [])
                return
            }
            let list =
                scopes.isEmpty ? "" : ", scopes: [\(scopes.map { YAMLWriting.text($0) }.joined(separator: ", "))]"
            auth =
                "{oauth2: {authorize: {url: \(YAMLWriting.quoted(authorize))}, token: {url: \(YAMLWriting.quoted(tokens))}\(list)}}"
            (questions, parameters, headers) = ([], [], [])
        default: (auth, questions, parameters, headers) = (bearer, [token], [], [])
        }
    }
}
