internal import Cryptography
internal import PlugCore

/// A browser's identity: 256 random bits in a cookie, set with the first form that it is shown.
///
/// It ties forms to the browser before anyone logs in. It is replaced at login, so that no one can have planted a secret that
/// they know.
package struct BrowserSecret: Sendable, Equatable {
    private static let size = 32

    /// Its value in the cookie.
    let text: Secret
    /// Whether the browser has yet to receive it.
    let isNew: Bool

    /// A new one.
    package init() {
        text = Secret(SecureRandom.base64URL(bytes: Self.size))
        isNew = true
    }

    /// The secret in a cookie; `nil` if that has another form.
    init?(cookie: String) {
        guard Base64URL.decode(cookie)?.count == Self.size else { return nil }
        text = Secret(cookie)
        isNew = false
    }

    /// The key under which the store knows it.
    package var hash: [UInt8] { SHA256.hash(Array(text.reveal().utf8)) }

    /// The token in this browser's forms: a keyed hash, from which the cookie cannot be derived.
    var formToken: String {
        Hexadecimal.encoded(HMAC.code(for: Array("plughost form".utf8), key: SecretBytes(Array(text.reveal().utf8))))
    }

    /// Whether a form carries this browser's token. Compares in constant time.
    func matches(formToken given: String?) -> Bool {
        guard let given, !isNew else { return false }
        return ConstantTime.areEqual(Array(given.utf8), Array(formToken.utf8))
    }
}

/// The cookie in which a browser keeps its secret.
struct BrowserCookie: Sendable {
    /// Whether browsers send it over TLS only.
    let isSecure: Bool
    /// Its purpose; each has a cookie of its own.
    var purpose = "plughost"

    /// Browsers accept a cookie with the prefix only from this very host, over TLS, for all paths.
    var name: String { isSecure ? "__Host-\(purpose)" : purpose }

    /// The same kind of cookie for another purpose.
    func forPurpose(_ purpose: String) -> BrowserCookie { BrowserCookie(isSecure: isSecure, purpose: purpose) }

    /// The secret that a request carries.
    func secret(in headers: [String]) -> BrowserSecret? { value(in: headers).flatMap { BrowserSecret(cookie: $0) } }

    /// The cookie's value in a request. If several have the name, none counts: one may have been planted.
    func value(in headers: [String]) -> String? {
        let values = headers.flatMap { header in
            header.utf8.split(separator: UInt8(ascii: ";")).compactMap { pair -> String? in
                let pair = String(Substring(pair.drop { $0 == UInt8(ascii: " ") }))
                return pair.hasPrefix(name + "=") ? String(pair.utf8.dropFirst(name.utf8.count + 1)) : nil
            }
        }
        return values.count == 1 ? values[0] : nil
    }

    /// `Set-Cookie` for a secret; without `seconds` it lasts as long as the browser's session.
    func header(_ secret: Secret, seconds: Int64?) -> (name: String, value: String) {
        let age = seconds.map { "; Max-Age=\($0)" } ?? ""
        return ("Set-Cookie", "\(name)=\(secret.reveal())\(age)\(attributes)")
    }

    /// `Set-Cookie` that removes it.
    var removal: (name: String, value: String) { ("Set-Cookie", "\(name)=; Max-Age=0\(attributes)") }

    private var attributes: String { "; Path=/; HttpOnly; SameSite=Lax" + (isSecure ? "; Secure" : "") }
}
