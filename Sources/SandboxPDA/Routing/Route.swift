internal import PDAWire
internal import PlugCore

/// What a method and path ask for.
enum Route: Sendable, Equatable {
    // Open to all
    case ownerToken, publicKey, health, version, applicationDefinition(String)
    // The page
    case page, stylesheet, logIn, logOut
    // With a token
    case validate
    case read(DataPath), write(DataPath), deleteAll(DataPath)
    case batch, update, deleteRecords, sources, record(String)
    case applications, application(String), setUp(String), disable(String), applicationToken(String)
    // Nothing
    case anyPage, none

    /// The reference server's table: a path that no route has is a page for GET and an error for everything else.
    init(method: String, path: String) {
        let method = method == "HEAD" ? "GET" : method
        self = Self.known(method, path) ?? (method == "GET" ? .anyPage : .none)
    }

    private static func known(_ method: String, _ path: String) -> Route? {
        switch (method, path) {
        case ("GET", "/"): return .page
        case ("GET", "/assets/sandbox.css"): return .stylesheet
        case ("POST", "/login"): return .logIn
        case ("POST", "/logout"): return .logOut
        case ("GET", "/publickey"): return .publicKey
        case ("GET", "/healthz"): return .health
        case ("GET", "/users/access_token"): return .ownerToken
        case ("GET", "/users/access_token/validate"): return .validate
        default: break
        }
        for (base, isNewest) in [("/api/v2.6/", true), ("/api/v2.0/", false), ("/api/v2/", false)]
        where path.hasPrefix(base) {
            return versioned(method, String(path.dropFirst(base.count)), isNewest)
        }
        return nil
    }

    private static func versioned(_ method: String, _ path: String, _ isNewest: Bool) -> Route? {
        switch (method, path) {
        case ("GET", "users/access_token"): return .ownerToken
        case ("GET", "users/access_token/validate"): return .validate
        case ("GET", "publickey"): return .publicKey
        case ("GET", "healthz") where isNewest: return .health
        case ("GET", "version") where isNewest: return .version
        case ("GET", "data/sources"): return .sources
        case ("POST", "data-batch"): return .batch
        case ("PUT", "data"): return .update
        case ("DELETE", "data"): return .deleteRecords
        case ("GET", "applications"): return .applications
        case ("GET", "applications/hmi") where isNewest: return .applications
        default: break
        }
        if path.hasPrefix("data/") { return data(method, path.dropFirst(5)) }
        if path.hasPrefix("data-record/"), method == "GET", isNewest {
            let id = path.dropFirst(12)
            return id.isEmpty || id.contains("/") ? nil : .record(String(id))
        }
        if path.hasPrefix("applications/"), method == "GET" { return application(path.dropFirst(13), isNewest) }
        return nil
    }

    private static func data(_ method: String, _ path: Substring) -> Route? {
        guard let slash = path.firstIndex(of: "/"),
            let data = DataPath(
                namespace: String(path[..<slash]),
                endpoint: String(path[path.index(after: slash)...])
            )
        else { return nil }
        switch method {
        case "GET": return .read(data)
        case "POST": return .write(data)
        case "DELETE": return .deleteAll(data)
        default: return nil
        }
    }

    private static func application(_ path: Substring, _ isNewest: Bool) -> Route? {
        let parts = path.split(separator: "/", omittingEmptySubsequences: false)
        guard let first = parts.first, !first.isEmpty, parts.count <= 2 else { return nil }
        let id = PercentEncoding.decode(first)
        guard parts.count == 2 else { return .application(id) }
        switch parts[1] {
        case "setup": return .setUp(id)
        case "disable": return .disable(id)
        case "access-token": return .applicationToken(id)
        case "hmi" where isNewest: return .applicationDefinition(id)
        default: return nil
        }
    }
}
