internal import PDAWire
internal import PlugCore

/// What a method and path ask for.
enum Route: Sendable, Equatable {
    // Open to all
    case token, publicKey, health, version, systemUpdate, applicationDefinition(String)
    case requestReset, confirmReset(String)
    // Pages
    case page, stylesheet, script, logIn, logOut
    case askConsent, consent, askDebit(String), decideDebit(String), askReset, reset
    // With a token
    case validate, serviceToken, hatLogin, changePassword
    case users, addUser, setUser(String, isEnabled: Bool), updateUser(String), deleteUser(String)
    case read(DataPath), write(DataPath), deleteAll(DataPath)
    case batch, update, deleteRecords, sources, record(String), link
    case readCombinator(String), setCombinator(String)
    case readBundle(String), setBundle(String), bundleStructure(String)
    case debits, debit(String), createDebit(String), updateDebit(String)
    case enableDebit(String), disableDebit(String), debitValues(String)
    case applications, application(String), setUp(String), disable(String), applicationToken(String)
    case proxy(String, path: String)
    case systemStatus
    // Nothing
    case anyPage, none

    /// The reference server's table: a path that no route has is a page for GET and an error for everything else.
    init(method: String, path: String) {
        let method = method == "HEAD" ? "GET" : method
        self = Self.known(method, path) ?? (method == "GET" ? .anyPage : .none)
    }

    private static func known(_ method: String, _ path: String) -> Route? {
        for (base, isNewest) in [("/api/v2.6/", true), ("/api/v2.0/", false), ("/api/v2/", false)]
        where path.hasPrefix(base) {
            return versioned(method, path.dropFirst(base.count), isNewest)
        }
        return fixed(method, path) ?? user(method, path) ?? page(method, path)
    }

    private static func fixed(_ method: String, _ path: String) -> Route? {
        switch (method, path) {
        case ("GET", "/publickey"): .publicKey
        case ("GET", "/healthz"): .health
        case ("GET", "/system/update"): .systemUpdate
        case ("GET", "/users/access_token"): .token
        case ("GET", "/users/access_token/validate"): .validate
        case ("GET", "/users/application_token"): .serviceToken
        case ("GET", "/users/user"): .users
        case ("POST", "/users/user"): .addUser
        case ("GET", "/control/v2/auth/hatlogin"): .hatLogin
        case ("POST", "/control/v2/auth/password"): .changePassword
        case ("POST", "/control/v2/auth/passwordReset"): .requestReset
        default: nil
        }
    }

    private static func user(_ method: String, _ path: String) -> Route? {
        let confirm = "/control/v2/auth/passwordreset/confirm/"
        if method == "POST", path.hasPrefix(confirm) {
            return segment(path.dropFirst(confirm.count)).map { .confirmReset($0) }
        }
        guard path.hasPrefix("/users/user/") else { return nil }
        let parts = path.dropFirst(12).split(separator: "/", omittingEmptySubsequences: false)
        guard parts.count == 2, let id = segment(parts[0]) else { return nil }
        switch (method, parts[1]) {
        case ("PUT", "enable"): return .setUser(id, isEnabled: true)
        case ("PUT", "disable"): return .setUser(id, isEnabled: false)
        case ("PUT", "update"): return .updateUser(id)
        case ("PUT", "delete"), ("DELETE", "delete"): return .deleteUser(id)
        default: return nil
        }
    }

    private static func page(_ method: String, _ path: String) -> Route? {
        switch (method, path) {
        case ("GET", "/"): return .page
        case ("GET", "/assets/sandbox.css"): return .stylesheet
        case ("GET", "/assets/sandbox.js"): return .script
        case ("POST", "/login"): return .logIn
        case ("POST", "/logout"): return .logOut
        case ("GET", "/hatlogin"): return .askConsent
        case ("POST", "/hatlogin"): return .consent
        case ("GET", "/reset"): return .askReset
        case ("POST", "/reset"): return .reset
        default: break
        }
        guard path.hasPrefix("/data-debit/") else { return nil }
        // The approval address that clients build ends so; the plain one is for the links of the page.
        var key = path.dropFirst(12)
        if key.hasSuffix("/quick-confirm") { key = key.dropLast(14) }
        guard DataBundle.isName(key) else { return nil }
        switch method {
        case "GET": return .askDebit(String(key))
        case "POST": return .decideDebit(String(key))
        default: return nil
        }
    }

    /// One part of a path, decoded.
    static func segment(_ text: some StringProtocol) -> String? {
        text.isEmpty || text.contains("/") ? nil : PercentEncoding.decode(text)
    }
}
