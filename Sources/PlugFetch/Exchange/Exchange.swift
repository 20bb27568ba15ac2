import CurlTransport
import LosslessJSON
import PlugCore
import PlugManifest
import Synchronization
import Throttling

/// Sends the requests of one connection: with its credentials, within its hosts and rates, and again if that helps. All readers
/// of a fetcher share one.
final class Exchange: Sendable {
    let hosts: HostSet
    let credentials: Credentials
    /// Provides requests with their token; `nil` if the credentials are not a token of a run.
    let tokens: TokenKeeper?
    let redactor: Redactor
    /// The cookies of this run; `nil` if none are kept.
    let jar: CookieJar?
    let clock: any HostClock
    /// How many requests may be in flight at once.
    let width: Int
    /// Whether children of parents are prefetched.
    let readsAhead: Bool
    let settings: HTTPSettings
    /// The base of relative paths.
    let base: BaseAddress
    let transport: any HTTPSending
    /// Answers that several streams are read from.
    let shared: SharedAnswers
    /// Where large answers to be decoded are stored.
    private let scratch: HTTPSpooling
    /// The most records of a block of a decoded answer; `nil` for the default number.
    let blockRecords: Int?
    /// JSON answers of more bytes than this are read in pieces, if the stream allows it; `nil` for none.
    let largestWholePage: Int?
    let config: JSONValue
    private let observer: (@Sendable (FetchEvent) -> Void)?
    /// The limit that all connections of the plug share.
    let limit: SourceLimit
    /// The same, for requests to some paths.
    private let matched: [(match: RequestMatch, limit: SourceLimit)]
    let semaphore: AsyncSemaphore
    private let sender: RetryingSender
    /// The limit of this connection alone: its credentials' quota.
    let own: SourceLimit
    /// The source's answer when it asked for a longer wait than `retry` allows, and until when.
    let told = Mutex<(error: PlugError, until: Int64)?>(nil)
    private let nonces = Nonces()
    /// Of each stream: an answer that comes twice is never taken for one of another stream.
    private let connections = Mutex<[String: ConnectionGroup]>([:])
    /// How many warnings are remembered so as to be given once.
    private static let mostWarnings = 1_000
    /// Warnings already given, for those that are given once.
    private let warned = Mutex<Set<String>>([])

    init(
        settings: HTTPSettings,
        base: BaseAddress,
        config: JSONValue,
        hosts: HostSet,
        credentials: Credentials,
        tokens: TokenKeeper? = nil,
        redactor: Redactor,
        transport: any HTTPSending,
        shared: SharedAnswers,
        scratch: HTTPSpooling,
        blockRecords: Int? = nil,
        largestWholePage: Int? = nil,
        clock: any HostClock,
        limit: SourceLimit,
        matched: [(match: RequestMatch, limit: SourceLimit)] = [],
        own: SourceLimit,
        concurrency: Int,
        readsAhead: Bool = true,
        observer: (@Sendable (FetchEvent) -> Void)?
    ) {
        self.settings = settings
        jar = settings.keepsCookies ? CookieJar() : nil
        self.base = base
        self.config = config
        self.hosts = hosts
        self.credentials = credentials
        self.tokens = tokens
        self.redactor = redactor
        self.transport = transport
        self.shared = shared
        self.scratch = scratch
        self.blockRecords = blockRecords
        self.largestWholePage = largestWholePage
        self.clock = clock
        self.observer = observer
        self.readsAhead = readsAhead
        width = readsAhead ? max(1, settings.concurrency ?? concurrency) : 1
        self.limit = limit
        // In the same order for all, so that they cannot deadlock.
        self.matched = matched.sorted { $0.match.text < $1.match.text }
        self.own = own
        semaphore = limit.concurrency ?? AsyncSemaphore(width: width)
        let retry = settings.retry
        let policy = RetryPolicy(
            tries: retry.tries,
            backoff: Backoff(maximum: retry.maximumWait),
            patience: .each(retry.maximumWait)
        )
        sender = RetryingSender(policy, clock: clock)
    }

    /// Notifies the observer.
    func note(_ stream: String, _ kind: FetchEvent.Kind) { observer?(FetchEvent(stream: stream, kind)) }

    /// Notifies the observer of something worth a person's attention.
    func warn(_ stream: String, _ code: PlugError.Code, _ message: String) {
        note(stream, .warning(code: code, message: message))
    }

    /// The same, once per stream and code: what is wrong with one page is often wrong with all of them.
    func warnOnce(_ stream: String, _ code: PlugError.Code, _ message: String) {
        warnOnce(stream, code, message, about: "")
    }

    /// The same, once per stream, code and subject. A run gives at most a thousand of them.
    func warnOnce(_ stream: String, _ code: PlugError.Code, _ message: String, about subject: String) {
        let isNew = warned.withLock { warned in
            warned.count < Self.mostWarnings && warned.insert("\(code) \(stream) \(subject)").inserted
        }
        if isNew { warn(stream, code, message) }
    }

    /// Warns of secrets that are too short to be hidden inside other words.
    func warnOfShortSecrets(_ stream: String) {
        for name in redactor.short where warned.withLock({ $0.insert("secret-short of \(name)").inserted }) {
            let message =
                "the secret '\(name)' has fewer than \(SecretWords.shortest) characters: messages hide it only where it is a "
                + "separate word"
            warn(stream, .secretShort, message)
        }
    }

    /// The credentials for a request.
    func credentials(of request: PreparedRequest) -> Credentials { request.credentials ?? credentials }

    /// The name of a request in messages.
    func name(_ request: PreparedRequest) -> String { "\(request.method) \(redactor.shown(request.url))" }

    /// Sends a request until there is a conclusive answer.
    ///
    /// - Throws: `PlugError`, `PlaceRefused`, or `CancellationError`.
    func send(_ prepared: PreparedRequest, for stream: String, _ handling: Handling) async throws -> Answer {
        var request = SourceRequest(prepared: prepared, stream: stream, handling: handling)
        let outcome = try await sender.send { attempt in
            try await answer(to: &request, attempt)
        } waiting: { wait in
            // Too many requests are too many for all that share the limit; later processes start afresh.
            if wait.failure.isLimit, !wait.isAsked {
                await concerned(by: request.status, of: request.prepared).close(for: wait.length, isLasting: false)
            }
            note(stream, .waiting(reason: wait.isAsked ? .retryAfter : .backoff, until: time(after: wait.length)))
        }
        switch outcome {
        case .done(let answer): return answer
        case .exhausted(let last), .tooLong(_, let last): throw last.error
        }
    }

    /// Whether the source asked this connection, or all, to pause, and the pause is not over.
    var isClosed: Bool { own.isClosed || limit.isClosed }

    // MARK: - One attempt

    /// Sends a request once, following redirects, and says what the answer means.
    private func answer(
        to request: inout SourceRequest,
        _ attempt: RetryingSender.Attempt
    ) async throws -> RetryingSender.Verdict<Answer> {
        request.tries += 1
        while true {
            let response: HTTPResponse
            do {
                request.cost.requests += 1
                let sent = request
                (response, request.token) = try await transmitInTurn(sent, isRetry: attempt.isRetry)
            } catch let error as PlugError where error.code == .rateLimited {
                // The outcome of the last attempt says more than that there is no time for another.
                throw attempt.last?.error(because: error.message) ?? error
            } catch let error as HTTPError {
                return .again(try unanswered(error, &request, after: attempt.last))
            }
            request.hasLostConnection = false
            request.status = response.status
            request.cost.bytes += response.bodyCount
            if let verdict = try await verdict(response, &request) { return verdict }
            try Task.checkCancellation()
        }
    }

    /// Sends a request as soon as all limits allow it.
    ///
    /// A pause for this connection alone is spent outside the queue that all connections share: one that has to wait holds no
    /// place that others could use.
    private func transmitInTurn(
        _ request: SourceRequest,
        isRetry: Bool
    ) async throws -> (HTTPResponse, TokenKeeper.Token?) {
        var hasLookedAgain = false
        while true {
            try await wait(for: own, request)
            let token = try await token(for: request)
            let limits = limits(of: request)
            if let response = try await admitted(by: limits, request, token, isRetry, looksAgain: !hasLookedAgain) {
                return (response, token)
            }
            hasLookedAgain = true
        }
    }

    /// The limits for this request's path, in addition to those for all.
    private func limits(of request: SourceRequest) -> [SourceLimit] {
        if matched.isEmpty { return [] }
        let basePath = (try? base.url())?.path ?? ""
        return matched.filter { $0.match.covers(request.prepared.url.path, below: basePath) }.map(\.limit)
    }

    /// Sends a request in its turn; `nil` if the source asked for a pause meanwhile, or the token has expired.
    ///
    /// All its limits record it at once, just before it goes: recorded earlier, it could overlap with others on the way. So of
    /// the requests under further limits only one waits in the shared queue.
    private func admitted(
        by limits: [SourceLimit],
        _ request: SourceRequest,
        _ token: TokenKeeper.Token?,
        _ isRetry: Bool,
        looksAgain: Bool
    ) async throws -> HTTPResponse? {
        try await within(limits.compactMap(\.concurrency)[...], request) {
            var entered = limits.prefix(0)
            defer { for limit in entered { limit.admission.leave() } }
            for limit in limits {
                try await limit.admission.enter(as: request.turn)
                entered = limits.prefix(entered.count + 1)
            }
            for limit in limits { try await self.waitUntilDue(limit, request) }
            return try await self.semaphore.pass(as: request.turn) {
                if self.own.isClosed { return nil }
                try await self.wait(for: self.limit, request)
                for limit in limits { try await self.wait(for: limit, request, ofPath: true) }
                for limit in entered { limit.admission.leave() }
                entered = []
                // After a long wait the token may have expired as well.
                if let token, looksAgain, self.tokens?.isFresh(token) == false { return nil }
                return try await self.transmit(request, token, isRetry: isRetry)
            }
        }
    }

    /// Runs an operation inside all of these queues.
    private func within(
        _ lines: ArraySlice<AsyncSemaphore>,
        _ request: SourceRequest,
        _ body: () async throws -> HTTPResponse?
    ) async throws -> HTTPResponse? {
        guard let line = lines.first else { return try await body() }
        return try await line.pass(as: request.turn) { try await within(lines.dropFirst(), request, body) }
    }

    /// What a missing answer means.
    private func unanswered(
        _ error: HTTPError,
        _ request: inout SourceRequest,
        after last: FailedTry?
    ) throws -> FailedTry {
        if error.code == .cancelled { throw CancellationError() }
        if [.retriesSpent, .circuitOpen].contains(error.code), let last { throw last.error(because: error.message) }
        let (method, url) = (request.prepared.method, redactor.shown(request.prepared.url))
        note(request.stream, .unanswered(method: method, url: url, reason: error.message))
        let fault = SourceFault.failed(error, name(request.prepared))
        guard SourceFault.isPassing(error) else { throw fault }
        request.hasLostConnection = error.lostKeptConnection
        request.status = nil
        return FailedTry(fault)
    }

    private func connections(of stream: String) -> ConnectionGroup {
        connections.withLock { connections in
            if let known = connections[stream] { return known }
            let group = ConnectionGroup()
            connections[stream] = group
            return group
        }
    }

    private func transmit(
        _ sent: SourceRequest,
        _ token: TokenKeeper.Token?,
        isRetry: Bool
    ) async throws -> HTTPResponse {
        let prepared = sent.prepared
        var outgoing = OutgoingRequest(prepared)
        addCookies(to: &outgoing)
        let credentials = credentials(of: prepared)
        if credentials.goes(with: prepared) {
            let occasion = SigningOccasion(clock: clock, nonces: nonces, redactor: redactor, token: token)
            try credentials.apply(to: &outgoing, token: token, occasion)
        }
        let timeouts = HTTPTimeouts(
            connect: min(.seconds(10), settings.answers.timeout),
            firstByte: settings.answers.timeout,
            idle: settings.answers.timeout,
            total: max(.seconds(300), settings.answers.timeout)
        )
        var request = HTTPRequest(to: outgoing.url, side: .source)
        request.method = prepared.method
        request.headers = outgoing.headers
        request.body = outgoing.body
        request.timeouts = timeouts
        request.bodyLimit = settings.answers.page
        request.wireLimit = settings.answers.page
        if prepared.decoding != nil || prepared.list != nil {
            // Read piece by piece and kept on disk: a large one takes no more memory.
            request.spooling = scratch
            request.spooling?.bodyLimit = settings.answers.body
            if let largestWholePage, prepared.list != nil {
                request.spooling?.threshold = largestWholePage
                request.spooling?.isOptional = true
            }
        }
        request.isRetry = isRetry
        // A retry by libcurl would not be counted by any rate, nor as an attempt.
        request.isSentOnce = true
        request.needsNewConnection = sent.hasLostConnection
        request.connections = connections(of: sent.stream)
        let start = clock.now()
        let response = try await transport.send(request)
        keepCookies(of: response, from: outgoing.url)
        let event = FetchEvent.Kind.answered(
            method: prepared.method,
            url: redactor.shown(prepared.url),
            status: response.status,
            bytes: response.bodyCount,
            duration: .microseconds(max(0, clock.now() - start))
        )
        note(sent.stream, event)
        return response
    }
}
