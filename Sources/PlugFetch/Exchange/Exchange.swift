import HTTPTransport
import LosslessJSON
import PlugCore
import PlugManifest
import Synchronization

/// Sends the requests of one connection: with its credentials, within its hosts and rates, and again where that helps.
/// All readers of a fetcher share one.
final class Exchange: Sendable {
    let hosts: HostSet
    let credentials: Credentials
    let redactor: Redactor
    let clock: any HostClock
    /// How many requests may be under way at once.
    let width: Int
    let settings: HTTPSettings
    private let transport: any HTTPSending
    let config: JSONValue
    private let observer: (@Sendable (FetchEvent) -> Void)?
    private let rates: Mutex<RateBook>
    private let turnstile: Turnstile
    /// Warnings that were given, for those that are worth giving once.
    private let warned = Mutex<Set<String>>([])

    init(
        settings: HTTPSettings,
        config: JSONValue,
        hosts: HostSet,
        credentials: Credentials,
        redactor: Redactor,
        transport: any HTTPSending,
        clock: any HostClock,
        concurrency: Int,
        observer: (@Sendable (FetchEvent) -> Void)?
    ) {
        self.settings = settings
        self.config = config
        self.hosts = hosts
        self.credentials = credentials
        self.redactor = redactor
        self.transport = transport
        self.clock = clock
        self.observer = observer
        width = max(1, settings.concurrency ?? concurrency)
        rates = Mutex(RateBook(settings.limits))
        turnstile = Turnstile(width: width)
    }

    /// Tells whoever listens.
    func note(_ stream: String, _ kind: FetchEvent.Kind) { observer?(FetchEvent(stream: stream, kind)) }

    /// Tells whoever listens about something that somebody should look at.
    func warn(_ stream: String, _ code: String, _ message: String) {
        note(stream, .warning(code: code, message: message))
    }

    /// The same, once for a stream and a code: what is wrong with a page is often wrong with all of them.
    func warnOnce(_ stream: String, _ code: String, _ message: String) {
        if warned.withLock({ $0.insert("\(code) \(stream)").inserted }) { warn(stream, code, message) }
    }

    /// How a request is called in messages.
    func name(_ request: PreparedRequest) -> String { "\(request.method) \(redactor.shown(request.url))" }

    /// Sends a request until there is an answer that means something.
    ///
    /// - Throws: `PlugError`, `PlaceRefused`, or `CancellationError`.
    func send(_ prepared: PreparedRequest, for stream: String, _ handling: Handling) async throws -> Answer {
        var request = prepared
        var plan = RetryPlan(settings.retry)
        var cost = FetchedPage.Cost()
        var hops = 0
        while true {
            try Task.checkCancellation()
            let response: HTTPResponse
            do {
                cost.requests += 1
                response = try await attempt(request, stream)
            } catch let error as HTTPError {
                if error.code == .cancelled { throw CancellationError() }
                note(
                    stream,
                    .unanswered(method: request.method, url: redactor.shown(request.url), reason: error.message)
                )
                guard SourceFault.isPassing(error) else { throw SourceFault.failed(error, name(request)) }
                try await again(&plan, stream, asked: nil, isLimit: false) {
                    SourceFault.failed(error, self.name(request))
                }
                continue
            }
            cost.bytes += response.body.count
            let (verdict, byRule) = try judge(response, request)
            if handling.isResuming, [400, 404, 410].contains(response.status), verdict == .fail || verdict == .empty {
                throw PlaceRefused(cost: cost)
            }
            switch verdict {
            case .page:
                cost.pages += 1
                return Answer(
                    content: .page(try document(response, request)),
                    url: request.url,
                    headers: response.headers,
                    cost: cost
                )
            case .empty:
                cost.pages += 1
                return Answer(content: .empty, url: request.url, headers: response.headers, cost: cost)
            case .fail where handling.isDetail && !byRule && [404, 410].contains(response.status):
                warn(stream, "child-gone", "\(name(request)) was answered with \(response.status) and is left out")
                return Answer(content: .gone, url: request.url, headers: response.headers, cost: cost)
            case .redirect:
                hops += 1
                request.url = try redirect(response, request, hops: hops)
            case .unauthorised: throw SourceFault.unauthorised(response.status, name(request))
            case .fail: throw SourceFault.refused(response.status, name(request), byRule: byRule)
            case .retry, .limit:
                let asked = RetryPlan.asked(by: response.headers, isLimit: verdict == .limit, now: clock.now())
                let status = response.status
                try await again(&plan, stream, asked: asked, isLimit: verdict == .limit) {
                    verdict == .limit
                        ? SourceFault.stillLimited(self.name(request), tries: self.settings.retry.tries)
                        : SourceFault.unavailable(status, self.name(request), tries: self.settings.retry.tries)
                } tooLong: {
                    SourceFault.limited(self.name(request), until: $0)
                }
            }
        }
    }

    // MARK: - One try

    private func attempt(_ prepared: PreparedRequest, _ stream: String) async throws -> HTTPResponse {
        try await turnstile.pass {
            try await self.waitForRates(stream, self.name(prepared))
            return try await self.transmit(prepared, stream)
        }
    }

    private func transmit(_ prepared: PreparedRequest, _ stream: String) async throws(HTTPError) -> HTTPResponse {
        var (url, headers) = (prepared.url, prepared.headers)
        credentials.apply(to: &url, headers: &headers)
        let timeouts = HTTPTimeouts(
            connect: min(.seconds(10), settings.timeout),
            firstByte: settings.timeout,
            idle: settings.timeout,
            total: max(.seconds(300), settings.timeout)
        )
        let request = HTTPRequest(
            method: prepared.method,
            url: url.description,
            headers: headers,
            body: prepared.body,
            side: .source,
            timeouts: timeouts
        )
        let start = clock.now()
        let response = try await transport.send(request)
        let event = FetchEvent.Kind.answered(
            method: prepared.method,
            url: redactor.shown(prepared.url),
            status: response.status,
            bytes: response.body.count,
            duration: .microseconds(max(0, clock.now() - start))
        )
        note(stream, event)
        return response
    }

    // MARK: - Waiting

    /// Waits until all rates of the connection let a request out.
    private func waitForRates(_ stream: String, _ request: String) async throws {
        let slot = rates.withLock { $0.reserve(now: clock.now()) }
        while true {
            let now = clock.now()
            let until = max(slot, rates.withLock { $0.closedUntil })
            if until <= now { return }
            let wait = Duration.microseconds(until - now)
            if wait > settings.retry.maximumWait { throw SourceFault.limited(request, until: until) }
            if wait >= .seconds(1) { note(stream, .waiting(reason: .rate, until: until)) }
            try await clock.sleep(for: wait)
        }
    }

    /// Waits before the next try, or throws what the last one came to.
    private func again(
        _ plan: inout RetryPlan,
        _ stream: String,
        asked: Duration?,
        isLimit: Bool,
        exhausted: () -> PlugError,
        tooLong: (Int64) -> PlugError = { SourceFault.limited("the source", until: $0) }
    ) async throws {
        let now = clock.now()
        switch plan.failed(asked: asked, random: clock.random()) {
        case .exhausted: throw exhausted()
        case .tooLong(let wait): throw tooLong(now + Int64(wait / .microseconds(1)))
        case .wait(let wait, let reason):
            let until = now + Int64(wait / .microseconds(1))
            // What the source asks for holds for all requests of the connection, not for this one alone.
            if isLimit || reason == .retryAfter { rates.withLock { $0.close(until: until) } }
            note(stream, .waiting(reason: reason, until: until))
            try await clock.sleep(for: wait)
        }
    }
}
