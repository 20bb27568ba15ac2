internal import CurlTransport
internal import LosslessJSON
internal import PDAWire
package import PlugCore
package import PlugStorage

/// Takes a request through everything that precedes its handler, in one order for all routes: the host's name, the route, the
/// rate limit, the caller, their access, the connection that the path names, the body, the form's origin.
package struct HostResponder: Sendable {
    /// How visitors are identified.
    package struct Visitors: Sendable {
        var sessions: HostSessions
        var keys: APIKeys
        var pdas: (any PDAVisitorReading)?
        var connections: any ConnectionStore

        /// Visitors whose sessions and keys are in a store.
        ///
        /// - Parameters:
        ///   - pdas: Reads the tokens of PDAs; `nil` if none are accepted.
        ///   - operators: As for `HostSessions`.
        package init(
            _ store: any AccessStore & ConnectionStore,
            pdas: (any PDAVisitorReading)? = nil,
            clock: any HostClock,
            operators: @escaping @Sendable () -> [String] = { [] }
        ) {
            sessions = HostSessions(store, clock: clock, operators: operators)
            keys = APIKeys(store, clock: clock)
            connections = store
            self.pdas = pdas
        }
    }

    private let table: RouteTable
    private let names: HostNames
    /// `nil` if every caller is unauthenticated.
    private let visitors: Visitors?
    private let proxies: TrustedProxies
    private let clock: any HostClock
    private let limits: PeerLimits
    private let cookie: BrowserCookie

    /// A responder for a table of routes.
    ///
    /// - Parameter proxies: The trusted reverse proxies.
    package init(
        _ table: RouteTable,
        names: HostNames,
        visitors: Visitors?,
        behind proxies: TrustedProxies = TrustedProxies(),
        clock: any HostClock
    ) {
        self.table = table
        self.proxies = proxies
        self.names = names
        self.visitors = visitors
        self.clock = clock
        limits = PeerLimits(clock: clock)
        cookie = BrowserCookie(isSecure: names.isSecure)
    }

    /// The response to a request, with the headers that every response has. Errors are responses, too.
    ///
    /// - Returns: The response, and whether the body was read to its end.
    package func answer(_ incoming: IncomingRequest) async -> (answer: HostAnswer, isRead: Bool) {
        var known = Known(browser: cookie.secret(in: incoming.headers.all("Cookie")) ?? BrowserSecret())
        known.isRead = !incoming.hasBody
        var answer: HostAnswer
        do { answer = try await handled(incoming, &known) } catch {
            let refusal = HostRefusal(error)
            let isProgram = HostRoute.isForPrograms(incoming.path)
            answer = isProgram ? refusal.problem : refusal.page(for: request(incoming, known))
        }
        answer.headers += SecurityHeaders.all(for: answer, isSecure: names.isSecure)
        switch answer.cookie {
        case .stays: break
        case .set(let secret, let seconds): answer.headers.append(cookie.header(secret.text, seconds: seconds))
        case .removed: answer.headers.append(cookie.removal)
        }
        return (answer, known.isRead)
    }

    /// What has been established about a request.
    private struct Known {
        var browser: BrowserSecret
        var parameters: [String: String] = [:]
        var visitor = Visitor.stranger
        var connection: Connection?
        var body: [UInt8] = []
        var form: [(name: String, value: String)] = []
        var isRead = false
    }

    private func handled(_ incoming: IncomingRequest, _ known: inout Known) async throws -> HostAnswer {
        let host = incoming.headers.first("Host") ?? ""
        guard incoming.headers.all("Host").count == 1, names.isOurs(host) else { throw HostRefusal.hostForeign }
        let route: HostRoute
        switch table.target(method: incoming.method, path: incoming.path) {
        case .nothing: throw HostRefusal.routeUnknown
        case .otherMethods(let methods): throw HostRefusal.methodUnknown(incoming.method, methods)
        case .route(let found, let parameters): (route, known.parameters) = (found, parameters)
        }
        if let limit = route.limit {
            let name = "\(route.method.rawValue) \(route.path)"
            if let wait = limits.take(limit, peer: proxies.client(of: incoming), route: name) {
                throw HostRefusal.tooOften(seconds: wait)
            }
        }
        known.visitor = try await visitor(of: incoming, for: route, known)
        guard route.access.allows(known.visitor) else {
            throw known.visitor == .stranger ? HostRefusal.notLoggedIn(for: route.access) : .notAllowed(route.access)
        }
        if let name = known.parameters["connection"] {
            let connection = try await visitors?.connections.connection(ConnectionID(name))
            guard let connection, known.visitor.maySee(connection) else {
                throw StoreErrors.connectionUnknown(ConnectionID(DisplayText.escaped(name)))
            }
            known.connection = connection
        }
        try await readBody(of: incoming, for: route, host, &known)
        return try await route.answer(request(incoming, known))
    }

    /// The caller, by the credentials that the route accepts: no others are looked at.
    private func visitor(
        of incoming: IncomingRequest,
        for route: HostRoute,
        _ known: Known
    ) async throws -> Visitor {
        guard let visitors else { return .stranger }
        if route.access.takesKeys, let header = incoming.headers.first("Authorization") {
            guard let visitor = try await visitors.keys.visitor(header) else {
                // Guessing would take far too many attempts to succeed; its cost is bounded all the same.
                let wait = limits.take(.guesses, peer: proxies.client(of: incoming), route: "keys")
                throw wait.map { .tooOften(seconds: $0) } ?? HostRefusal.keyRefused
            }
            return visitor
        }
        if route.access.takesPDAs, let pdas = visitors.pdas, let token = incoming.headers.first(PDAHeader.token),
            let shown = try await pdas.pda(showing: Secret(token), for: known.parameters["plug"])
        {
            return .pda(shown.pda, plug: shown.plug)
        }
        if route.access.takesCookies, let visitor = try await visitors.sessions.visitor(known.browser) {
            return visitor
        }
        return .stranger
    }

    private func readBody(
        of incoming: IncomingRequest,
        for route: HostRoute,
        _ host: String,
        _ known: inout Known
    ) async throws {
        let limit = if case .bytes(let count) = route.body { count } else { RequestLimits.body }
        if incoming.hasBody {
            if let length = incoming.headers.first("Content-Length"), Int(length).map({ $0 > limit }) ?? true {
                throw HostRefusal.bodyLarge
            }
            let bytes = try await Self.inTime(clock) {
                do { return try await incoming.read(limit) } catch is BodyTooLarge { throw HostRefusal.bodyLarge }
            }
            known.isRead = true
            if route.body != .nothing { known.body = bytes }
        }
        switch route.body {
        case .nothing, .bytes: break
        case .json:
            guard known.body.isEmpty || incoming.mediaType == "application/json" else {
                throw HostRefusal.bodyType("application/json")
            }
        case .form:
            guard known.body.isEmpty || incoming.mediaType == "application/x-www-form-urlencoded" else {
                throw HostRefusal.bodyType("application/x-www-form-urlencoded")
            }
            known.form = FormText.decode(String(decoding: known.body, as: UTF8.self)) ?? []
            let token = known.form.first { $0.name == Page.formField }?.value
            guard FormOrigin.isOurs(incoming.headers, origin: names.origin(host)),
                known.browser.matches(formToken: token)
            else { throw HostRefusal.formForeign }
        }
    }

    private func request(_ incoming: IncomingRequest, _ known: Known) -> HostRequest {
        let host = incoming.headers.first("Host") ?? ""
        return HostRequest(
            method: incoming.method,
            path: incoming.path,
            rawQuery: incoming.rawQuery,
            query: incoming.query,
            parameters: known.parameters,
            headers: incoming.headers,
            visitor: known.visitor,
            connection: known.connection,
            browser: known.browser,
            body: known.body,
            form: known.form,
            origin: names.origin(host),
            isPrivate: names.mayLogIn(host),
            cookie: cookie
        )
    }

    /// Ends work that takes longer than a body may.
    private static func inTime(
        _ clock: any HostClock,
        _ work: @escaping @Sendable () async throws -> [UInt8]
    ) async throws -> [UInt8] {
        try await withThrowingTaskGroup(of: [UInt8].self) { group in
            group.addTask { try await work() }
            group.addTask {
                try await clock.timeout(after: RequestLimits.bodyTime)
                throw HostRefusal.bodySlow
            }
            defer { group.cancelAll() }
            return try await group.next() ?? []
        }
    }
}
