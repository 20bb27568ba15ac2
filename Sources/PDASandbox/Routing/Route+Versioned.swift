internal import PDAWire
internal import PlugCore

extension Route {
    /// What lies under `/api/v2.6/`, or under the older base paths, which have less.
    static func versioned(_ method: String, _ path: Substring, _ isNewest: Bool) -> Route? {
        if let route = whole(method, String(path), isNewest) { return route }
        guard let slash = path.firstIndex(of: "/") else { return nil }
        let rest = path[path.index(after: slash)...]
        switch path[..<slash] {
        case "data": return data(method, rest)
        case "data-record" where method == "GET" && isNewest: return segment(rest).map { .record($0) }
        case "combinator":
            guard EndpointGrammar.accepts(rest) else { return nil }
            return either(method, get: .readCombinator(String(rest)), post: .setCombinator(String(rest)))
        case "data-bundle": return bundle(method, rest)
        // The older base paths have data debits of another form, which are not offered.
        case "data-debit" where isNewest: return debit(method, rest)
        case "applications": return application(method, rest, isNewest)
        default: return nil
        }
    }

    private static func whole(_ method: String, _ path: String, _ isNewest: Bool) -> Route? {
        switch (method, path) {
        case ("GET", "users/access_token"): .token
        case ("GET", "users/access_token/validate"): .validate
        case ("GET", "publickey"): .publicKey
        case ("GET", "healthz") where isNewest: .health
        case ("GET", "version") where isNewest: .version
        case ("GET", "data/sources"): .sources
        case ("POST", "data-batch"): .batch
        case ("POST", "data-link"): .link
        case ("PUT", "data"): .update
        case ("DELETE", "data"): .deleteRecords
        case ("GET", "data-debit") where isNewest: .debits
        case ("GET", "applications"): .applications
        case ("GET", "applications/hmi") where isNewest: .applications
        case ("GET", "system/status"): .systemStatus
        case ("GET", "system/update"): .systemUpdate
        default: nil
        }
    }

    private static func either(_ method: String, get: Route, post: Route) -> Route? {
        method == "GET" ? get : method == "POST" ? post : nil
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

    private static func bundle(_ method: String, _ path: Substring) -> Route? {
        let parts = path.split(separator: "/", omittingEmptySubsequences: false)
        guard let name = parts.first.map(String.init), DataBundle.isName(name) else { return nil }
        if parts.count == 1 { return either(method, get: .readBundle(name), post: .setBundle(name)) }
        return method == "GET" && parts.dropFirst() == ["structure"] ? .bundleStructure(name) : nil
    }

    private static func debit(_ method: String, _ path: Substring) -> Route? {
        let parts = path.split(separator: "/", omittingEmptySubsequences: false)
        guard let key = parts.first.map(String.init), DataBundle.isName(key), parts.count <= 2 else { return nil }
        switch (method, parts.dropFirst().first) {
        case ("GET", nil): return .debit(key)
        case ("POST", nil): return .createDebit(key)
        case ("PUT", nil): return .updateDebit(key)
        case ("GET", "enable"): return .enableDebit(key)
        case ("GET", "disable"): return .disableDebit(key)
        case ("GET", "values"): return .debitValues(key)
        default: return nil
        }
    }

    private static func application(_ method: String, _ path: Substring, _ isNewest: Bool) -> Route? {
        let parts = path.split(separator: "/", maxSplits: 2, omittingEmptySubsequences: false)
        guard let id = parts.first.flatMap({ segment($0) }) else { return nil }
        if parts.count == 3 {
            return isNewest && parts[1] == "proxy" ? .proxy(id, path: String(parts[2])) : nil
        }
        guard method == "GET" else { return nil }
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
