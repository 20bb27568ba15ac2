import PlugManifest

/// Credentials that stand in a manifest as they are, beside `auth`: a header or a query parameter whose name says that it
/// proves who asks.
enum LiteralCredentials {
    /// Names that contain one of these, without signs and in small letters.
    private static let parts = [
        "authorization", "authtoken", "authkey", "accesstoken", "accesskey", "apikey", "apitoken", "appkey",
        "clientsecret",
        "secret", "password", "passwd", "cookie", "session", "signature", "bearer",
    ]
    /// Names that are one of these.
    private static let whole = ["auth", "key", "token", "xtoken", "sig"]
    /// Shorter texts are ordinary words.
    private static let shortest = 8

    static func of(_ manifest: Manifest) -> [String] {
        let requests = manifest.streams.map(\.request)
        var fields = manifest.http.headers + requests.flatMap { $0.headers + $0.query }
        if case .login(let login) = manifest.authorization {
            fields += login.request.headers + login.request.query
            if case .form(let form) = login.request.body { fields += form }
        }
        return fields.compactMap { name, template in
            guard template.isConstant, template.source.count >= shortest, isCredential(name) else { return nil }
            return template.source
        }
    }

    private static func isCredential(_ name: String) -> Bool {
        let plain = name.lowercased().filter { $0.isLetter || $0.isNumber }
        return whole.contains(plain) || parts.contains { plain.contains($0) }
    }
}
