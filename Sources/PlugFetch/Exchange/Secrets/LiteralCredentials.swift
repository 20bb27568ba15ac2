import LosslessJSON
import PlugManifest

/// Credentials written literally in a manifest, outside `auth`: a header, a parameter or a member of the body whose name says
/// that it authenticates the caller.
package enum LiteralCredentials {
    /// Names that contain one of these, without punctuation and in lower case.
    private static let parts = [
        "authorization", "authtoken", "authkey", "accesstoken", "accesskey", "apikey", "apitoken", "appkey",
        "clientsecret", "refreshtoken", "devicecode", "secret", "password", "passwd", "cookie", "session", "signature",
        "bearer",
    ]
    /// Names that equal one of these.
    private static let whole = ["auth", "key", "token", "idtoken", "xtoken", "sig"]
    /// Shorter texts are ordinary words.
    private static let shortest = 8

    static func of(_ manifest: Manifest) -> [String] {
        var found = texts(manifest.http.headers)
        for request in manifest.streams.lazy.compactMap(\.request) {
            found += texts(request.headers) + texts(request.query) + texts(request.form ?? [])
            found += request.json.map { credentials(members($0)) } ?? []
        }
        return found + texts(fields(of: manifest.authorization))
    }

    /// The fields of token requests.
    private static func fields(of authorization: Authorization) -> [(name: String, value: Template)] {
        switch authorization {
        case .login(let login):
            let form =
                if case .form(let form) = login.request.body { form } else { [] as [(name: String, value: Template)] }
            return login.request.headers + login.request.query + form
        case .oauth2(let oauth):
            let tokens = oauth.token.headers + oauth.token.address.parameters + oauth.refresh.parameters
            return tokens + (oauth.authorize?.parameters ?? []) + (oauth.device?.parameters ?? [])
        case .oauth1(let oauth):
            guard let consent = oauth.consent else { return [] }
            return consent.request.parameters + consent.authorize.parameters + consent.access.parameters
        case .none, .bearer, .basic, .keys, .sign, .aws, .anyOf: return []
        }
    }

    /// The constant texts of fields whose names mark them as credentials.
    private static func texts(_ fields: [(name: String, value: Template)]) -> [String] {
        credentials(fields.lazy.filter { $0.value.isConstant }.map { ($0.name, $0.value.source) })
    }

    private static func credentials(_ texts: some Sequence<(name: String, text: String)>) -> [String] {
        texts.compactMap { $0.text.count >= shortest && isCredential($0.name) ? $0.text : nil }
    }

    /// The constant texts of a body with the names of their members.
    private static func members(_ body: JSONTemplate, _ name: String = "") -> [(name: String, text: String)] {
        switch body {
        case .constant(let value): value.stringText.map { [(name, $0)] } ?? []
        case .template: []
        case .array(let elements): elements.flatMap { members($0, name) }
        case .object(let object): object.flatMap { members($0.value, $0.key) }
        }
    }

    /// Whether the name of a header, a parameter or a member says that its value is a credential.
    package static func isCredential(_ name: String) -> Bool {
        let plain = name.lowercased().filter { $0.isLetter || $0.isNumber }
        return whole.contains(plain) || parts.contains { plain.contains($0) }
    }
}
