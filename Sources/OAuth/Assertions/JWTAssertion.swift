internal import Cryptography
package import LosslessJSON
package import PlugCore

/// A signed assertion by a client: who it is, for whom it acts, and for how long (RFC 7523, section 3).
package struct JWTAssertion: Sendable {
    /// Members of the header besides `alg` and `typ`, such as `kid`.
    package var header: JSONObject
    /// The claims. `iat`, `exp` and `jti` are added if missing.
    package var claims: JSONObject
    /// How long it is valid.
    package var lifetime: Duration

    /// An assertion.
    package init(header: JSONObject = JSONObject(), claims: JSONObject, lifetime: Duration) {
        self.header = header
        self.claims = claims
        self.lifetime = lifetime
    }

    /// The assertion in compact form (RFC 7515, section 3.1), different each time.
    ///
    /// - Parameter now: Microseconds since 1970.
    package func signed(with key: AssertionKey, now: Int64) throws(AssertionKey.Refused) -> Secret {
        var header: JSONObject = ["alg": .text(key.algorithm.rawValue), "typ": .text("JWT")]
        // The key determines `alg`: any other value would be wrong.
        for member in self.header.members where member.key != "alg" { header[member.key] = member.value }
        var claims = claims
        let seconds = now / 1_000_000
        let (end, _) = seconds.addingReportingOverflow(max(1, lifetime.components.seconds))
        for (name, value) in [("iat", seconds), ("exp", end)] where claims[JSONString(name)] == nil {
            claims[JSONString(name)] = .number(JSONNumber(value))
        }
        if claims["jti"] == nil { claims["jti"] = .text(SecureRandom.base64URL(bytes: 16)) }
        let input = Self.part(header) + "." + Self.part(claims)
        return Secret(input + "." + Base64URL.encode(try key.signature(of: Array(input.utf8))))
    }

    private static func part(_ object: JSONObject) -> String {
        var bytes: [UInt8] = []
        JSONValue.object(object).write(to: &bytes)
        return Base64URL.encode(bytes)
    }
}
