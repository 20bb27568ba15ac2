internal import Hummingbird
internal import Logging
internal import LosslessJSON
internal import PDAWire
internal import PlugCore

/// Answers requests as the reference server does.
final class PDAServer: Sendable {
    let store: SandboxStore
    let directory: any ApplicationDirectory
    let tokens: Tokens
    let clock: any HostClock
    let loginLimit: RateLimit
    let sessions: Sessions
    let logger: Logger
    let owner: Owner
    private let isLoopback: Bool

    init(
        store: SandboxStore,
        directory: any ApplicationDirectory,
        owner: Owner,
        isLoopback: Bool,
        logger: Logger,
        clock: any HostClock
    ) {
        self.store = store
        self.directory = directory
        self.owner = owner
        self.isLoopback = isLoopback
        self.logger = logger
        self.clock = clock
        tokens = Tokens(key: store.key, subject: owner.subject, clock: clock)
        loginLimit = RateLimit(clock: clock)
        sessions = Sessions(clock: clock)
    }

    /// The answer to a request; never throws, because every error has a body of its own.
    func answer(_ exchange: Exchange) async -> Answer {
        let prefersHTML = AcceptHeader.prefersHTML(exchange.header("Accept"))
        do {
            // A foreign name for this address is how a web page would reach it by DNS rebinding.
            if isLoopback, !ListenAddress.isLoopback(ListenAddress.host(ofHeader: exchange.host)) {
                throw Refusal.framework(404, "Not Found", PDACause.unavailable)
            }
            let route = Route(method: exchange.method, path: exchange.path)
            if let answer = try await open(route, exchange) { return answer }
            return try await secured(route, exchange, prefersHTML)
        } catch {
            return self.answer(to: error, prefersHTML)
        }
    }

    /// The answer to an error.
    private func answer(to error: any Error, _ prefersHTML: Bool) -> Answer {
        switch error {
        case let refusal as Refusal: return refusal.answer(prefersHTML: prefersHTML)
        case let refusal as ShapeRefusal: return refusal.answer
        case let page as HTMLError: return page.answer
        default:
            let id = RandomText.hex(bytes: 4)
            logger.error("request failed", metadata: ["id": "\(id)", "error": "\(type(of: error))"])
            return Refusal.framework(500, "Internal Server error", "Server error occurred: \(id)")
                .answer(prefersHTML: prefersHTML)
        }
    }

    /// Routes without a token; `nil` where the route needs one.
    private func open(_ route: Route, _ exchange: Exchange) async throws -> Answer? {
        switch route {
        case .ownerToken: try await ownerToken(exchange)
        case .publicKey: Answer(type: "text/plain; charset=UTF-8", body: Array(store.key.publicPEM.utf8))
        case .health: Answer(.object(JSONObject([("Status", .text("OK"))])))
        case .version: Answer(.object(JSONObject([("Version", .text("v2.8.18"))])))
        case .applicationDefinition(let id): try await definition(id, exchange)
        case .page: try await page(exchange)
        case .stylesheet: Page.stylesheet
        case .logIn: try await logIn(exchange)
        case .logOut: try await logOut(exchange)
        case .anyPage: Page.unknown(exchange.path)
        case .none:
            throw Refusal.framework(
                404,
                "Handler Not Found",
                "Request handler at \(exchange.method):\(exchange.path) does not exist"
            )
        default: nil
        }
    }

    /// Routes with a token. Parameters and body are judged first, then the token, then the role.
    private func secured(_ route: Route, _ exchange: Exchange, _ prefersHTML: Bool) async throws -> Answer {
        let work = try await prepare(route, exchange)
        guard let caller = try await caller(exchange) else {
            // The reference server's route for one record checks by hand and says less.
            if case .record = route { return Answer(403, body: []) }
            throw Refusal.notAuthenticated
        }
        var answer: Answer
        do {
            answer = try await work(caller)
        } catch {
            answer = self.answer(to: error, prefersHTML)
        }
        if answer.status != 500 { answer.headers.append((PDAHeader.token, try tokens.refresh(caller.claims))) }
        return answer
    }

    /// Who sent a request, `nil` without a valid token. The query's token goes before the header's.
    func caller(_ exchange: Exchange) async throws -> Caller? {
        guard let token = exchange.parameter(PDAHeader.token) ?? exchange.header(PDAHeader.token),
            let claims = tokens.check(token)
        else { return nil }
        guard let id = claims.application else { return Caller(claims: claims) }
        return Caller(claims: claims, application: try await application(id))
    }

    /// What is left of a request once its parameters and body are read.
    typealias Work = @Sendable (Caller) async throws -> Answer

    private func prepare(_ route: Route, _ exchange: Exchange) async throws -> Work {
        switch route {
        case .validate: return { _ in .message("Authenticated") }
        case .read(let path): return try read(path, exchange)
        case .write(let path): return try await write(path, exchange)
        case .deleteAll(let path): return deleteAll(path)
        case .batch: return try await batch(exchange)
        case .update: return try await update(exchange)
        case .deleteRecords: return try deleteRecords(exchange)
        case .sources: return sources
        case .record(let id): return try record(id)
        case .applications: return listApplications
        case .application(let id): return showApplication(id)
        case .setUp(let id): return setUp(id)
        case .disable(let id): return disable(id)
        case .applicationToken(let id): return applicationToken(id, issuer: exchange.host)
        default: throw Refusal.notAuthenticated
        }
    }
}
