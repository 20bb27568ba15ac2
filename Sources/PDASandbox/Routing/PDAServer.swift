internal import Cryptography
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
    let loginLimit: LoginThrottle
    let sessions: Sessions
    let statuses: StatusCache
    let outward: OutgoingClient
    /// How much the bodies of requests in progress may take together.
    let bodies: BodyRoom
    let logger: Logger
    /// The owner's address, for resets.
    let email: String
    /// The only `Host` that is answered; `nil` for any.
    private let domain: String?
    private let isLoopback: Bool

    init(
        store: SandboxStore,
        owner: User,
        options: SandboxOptions,
        isLoopback: Bool,
        clock: any HostClock
    ) throws(PlugError) {
        self.store = store
        directory = options.directory ?? StoredDirectory(store: store)
        email = options.email
        domain = options.domain
        logger = options.logger
        self.isLoopback = isLoopback
        self.clock = clock
        tokens = Tokens(key: store.key, subject: owner.subject, clock: clock)
        loginLimit = LoginThrottle(clock: clock)
        sessions = Sessions(clock: clock)
        bodies = BodyRoom(options.bodyRoom)
        statuses = StatusCache(clock: clock)
        outward = try OutgoingClient()
    }

    /// The answer to a request; never throws, because every error has a body of its own.
    func answer(_ request: ServedRequest) async -> Answer {
        let prefersHTML = AcceptHeader.prefersHTML(request.header("Accept"))
        do {
            guard isOurs(request.host) else { throw Refusal.framework(404, "Not Found", PDACause.unavailable) }
            switch Route.handler(of: request) {
            case .open(let answer): return try await answer(self, request)
            case .secured(let access, let read): return try await secured(access, read, request, prefersHTML)
            }
        } catch {
            return self.answer(to: error, prefersHTML)
        }
    }

    /// Whether a request is for this PDA: for its domain if it has one; on loopback only under a loopback name, because DNS
    /// rebinding lets a web page reach this address under a foreign name.
    private func isOurs(_ host: String) -> Bool {
        if let domain { return host.lowercased() == domain.lowercased() }
        return !isLoopback || ListenAddress.isLoopback(ListenAddress.host(ofHeader: host))
    }

    /// The answer to an error.
    private func answer(to error: any Error, _ prefersHTML: Bool) -> Answer {
        switch error {
        case let refusal as Refusal: return refusal.answer(prefersHTML: prefersHTML)
        case let refusal as ShapeRefusal: return refusal.answer
        case let page as HTMLError: return page.answer
        case let full as BodiesFull: return full.answer
        default:
            let id = SecureRandom.hexadecimal(bytes: 4)
            logger.error("request failed", metadata: ["id": "\(id)", "error": "\(type(of: error))"])
            return Refusal.framework(500, "Internal Server error", "Server error occurred: \(id)")
                .answer(prefersHTML: prefersHTML)
        }
    }

    /// Routes with a token. The caller is known from the header before the body is read: a stranger's body is not kept. Mistakes
    /// in parameters and a small body are reported first, then the token, then the role, as in the reference server.
    private func secured(
        _ access: Access,
        _ read: (PDAServer, ServedRequest) async throws -> Route.Reply,
        _ request: ServedRequest,
        _ prefersHTML: Bool
    ) async throws -> Answer {
        let caller = try await caller(request)
        var request = request
        request.sender = caller == nil ? .stranger : .caller
        let reply = try await read(self, request)
        guard let caller else {
            if let answer = access.answerToStrangers { return answer }
            throw Refusal.notAuthenticated
        }
        var answer: Answer
        do {
            try access.demand(caller)
            answer = try await reply(caller)
        } catch {
            answer = self.answer(to: error, prefersHTML)
        }
        // A new password comes with a new token; everything else with the refreshed one.
        if answer.status != 500, !answer.headers.contains(where: { $0.name == PDAHeader.token }) {
            answer.headers.append((PDAHeader.token, try tokens.refresh(caller.claims)))
        }
        return answer
    }

    /// The sender of a request, `nil` without a valid token. The query's token takes precedence over the header's.
    func caller(_ request: ServedRequest) async throws -> Caller? {
        guard let token = request.parameter(PDAHeader.token) ?? request.header(PDAHeader.token),
            let claims = tokens.check(token), let subject = claims.subject,
            let user = try await store.user(subject: subject), user.isEnabled
        else { return nil }
        guard let id = claims.application else { return Caller(claims: claims, user: user) }
        return Caller(claims: claims, user: user, application: try await application(id))
    }
}
