internal import Cryptography
internal import PlugCore

/// What a browser is known by: 256 random bits in a cookie, from the first form that it is shown.
///
/// It ties forms to the browser before anybody is logged in. At a log-in it is replaced, so that nobody can have given the
/// browser one that they know.
package struct BrowserSecret: Sendable, Equatable {
    private static let size = 32

    /// As it stands in the cookie.
    let text: Secret
    /// Whether this browser does not have it yet.
    let isNew: Bool

    /// A new one.
    package init() {
        let bytes = SecretBytes.random(count: Self.size).withUnsafeBytes { Array($0) }
        text = Secret(Base64URL.encode(bytes))
        isNew = true
    }

    /// The one of a cookie; `nil` where that has another form.
    init?(cookie: String) {
        guard Base64URL.decode(cookie)?.count == Self.size else { return nil }
        text = Secret(cookie)
        isNew = false
    }

    /// What the store knows it by.
    package var hash: [UInt8] { SHA256.hash(Array(text.reveal().utf8)) }

    /// What the forms of this browser's pages carry: a keyed hash, from which the cookie cannot be found.
    var formToken: String {
        Hexadecimal.encoded(HMAC.code(for: Array("plughost form".utf8), key: SecretBytes(Array(text.reveal().utf8))))
    }

    /// Whether a form carries this browser's token. Takes the same time wherever they differ.
    func matches(formToken given: String?) -> Bool {
        guard let given, !isNew else { return false }
        return ConstantTime.areEqual(Array(given.utf8), Array(formToken.utf8))
    }
}

/// The cookie in which a browser keeps its secret.
struct BrowserCookie: Sendable {
    /// Whether browsers send it over TLS only.
    let isSecure: Bool
    /// What it is for; each has a cookie of its own.
    var purpose = "plughost"

    /// A cookie with the prefix is taken by browsers from this very host only, over TLS, for all paths.
    var name: String { isSecure ? "__Host-\(purpose)" : purpose }

    /// The same kind of cookie for something else.
    func forPurpose(_ purpose: String) -> BrowserCookie { BrowserCookie(isSecure: isSecure, purpose: purpose) }

    /// The secret that a request carries.
    func secret(in headers: [String]) -> BrowserSecret? { value(in: headers).flatMap { BrowserSecret(cookie: $0) } }

    /// What a request carries. Of several cookies of the name none counts: somebody may have added one.
    func value(in headers: [String]) -> String? {
        let values = headers.flatMap { header in
            header.utf8.split(separator: UInt8(ascii: ";")).compactMap { pair -> String? in
                let pair = String(Substring(pair.drop { $0 == UInt8(ascii: " ") }))
                return pair.hasPrefix(name + "=") ? String(pair.utf8.dropFirst(name.utf8.count + 1)) : nil
            }
        }
        return values.count == 1 ? values[0] : nil
    }

    /// `Set-Cookie` for a secret; without `seconds` it ends with the browser.
    func header(_ secret: Secret, seconds: Int64?) -> (name: String, value: String) {
        let age = seconds.map { "; Max-Age=\($0)" } ?? ""
        return ("Set-Cookie", "\(name)=\(secret.reveal())\(age)\(attributes)")
    }

    /// `Set-Cookie` that removes it.
    var removal: (name: String, value: String) { ("Set-Cookie", "\(name)=; Max-Age=0\(attributes)") }

    private var attributes: String { "; Path=/; HttpOnly; SameSite=Lax" + (isSecure ? "; Secure" : "") }
}
