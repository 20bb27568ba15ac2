import LosslessJSON
import PlugManifest

/// Credentials that stand in a manifest as they are, beside `auth`: a header, a parameter or a member of the body whose
/// name says that it proves who asks.
package enum LiteralCredentials {
    /// Names that contain one of these, without signs and in small letters.
    private static let parts = [
        "authorization", "authtoken", "authkey", "accesstoken", "accesskey", "apikey", "apitoken", "appkey",
        "clientsecret", "refreshtoken", "devicecode", "secret", "password", "passwd", "cookie", "session", "signature",
        "bearer",
    ]
    /// Names that are one of these.
    private static let whole = ["auth", "key", "token", "idtoken", "xtoken", "sig"]
    /// Shorter texts are ordinary words.
    private static let shortest = 8

    static func of(_ manifest: Manifest) -> [String] {
        let requests = manifest.streams.compactMap(\.request)
        var fields = manifest.http.headers + requests.flatMap { $0.headers + $0.query + ($0.form ?? []) }
        if case .login(let login) = manifest.authorization {
            fields += login.request.headers + login.request.query
            if case .form(let form) = login.request.body { fields += form }
        }
        if case .oauth2(let oauth) = manifest.authorization {
            fields += oauth.token.headers + oauth.token.address.parameters + oauth.refresh.parameters
            fields += (oauth.authorize?.parameters ?? []) + (oauth.device?.parameters ?? [])
        }
        if case .oauth1(let oauth) = manifest.authorization, let consent = oauth.consent {
            fields += consent.request.parameters + consent.authorize.parameters + consent.access.parameters
        }
        let texts = fields.filter { $0.value.isConstant }.map { (name: $0.name, text: $0.value.source) }
        return (texts + requests.flatMap { $0.json.map { members($0) } ?? [] }).compactMap { name, text in
            text.count >= shortest && isCredential(name) ? text : nil
        }
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

    /// Whether the name of a header, a parameter or a member says that its value proves who asks.
    package static func isCredential(_ name: String) -> Bool {
        let plain = name.lowercased().filter { $0.isLetter || $0.isNumber }
        return whole.contains(plain) || parts.contains { plain.contains($0) }
    }
}
