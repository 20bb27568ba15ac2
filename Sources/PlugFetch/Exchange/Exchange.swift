import CurlTransport
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
    /// What all connections of the plug share.
    let limit: SourceLimit
    private let semaphore: AsyncSemaphore
    /// What concerns this connection alone: its credentials' quota.
    let own: SourceLimit
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
        limit: SourceLimit,
        own: SourceLimit,
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
        self.limit = limit
        self.own = own
        semaphore = limit.concurrency ?? AsyncSemaphore(width: width)
    }

    /// Tells whoever listens.
    func note(_ stream: String, _ kind: FetchEvent.Kind) { observer?(FetchEvent(stream: stream, kind)) }

    /// Tells whoever listens about something that somebody should look at.
    func warn(_ stream: String, _ code: PlugError.Code, _ message: String) {
        note(stream, .warning(code: code, message: message))
    }

    /// The same, once for a stream and a code: what is wrong with a page is often wrong with all of them.
    func warnOnce(_ stream: String, _ code: PlugError.Code, _ message: String) {
        if warned.withLock({ $0.insert("\(code) \(stream)").inserted }) { warn(stream, code, message) }
    }

    /// Tells of secrets that are too short to be hidden inside other words.
    func warnOfShortSecrets(_ stream: String) {
        for name in redactor.short where warned.withLock({ $0.insert("secret-short of \(name)").inserted }) {
            let message =
                "the secret '\(name)' has fewer than \(SecretWords.shortest) characters: messages hide it only where "
                + "it is a word of its own"
            warn(stream, .secretShort, message)
        }
    }

    /// How a request is called in messages.
    func name(_ request: PreparedRequest) -> String { "\(request.method) \(redactor.shown(request.url))" }

    /// Sends a request until there is an answer that means something.
    ///
    /// - Throws: `PlugError`, `PlaceRefused`, or `CancellationError`.
    func send(_ prepared: PreparedRequest, for stream: String, _ handling: Handling) async throws -> Answer {
        var request = prepared
        var tries = Tries(plan: RetryPlan(settings.retry), stream: stream)
        var cost = FetchedPage.Cost()
        var hops = 0
        while true {
            try Task.checkCancellation()
            let response: HTTPResponse
            do {
                cost.requests += 1
                response = try await attempt(request, tries)
            } catch let error as HTTPError {
                if error.code == .cancelled { throw CancellationError() }
                if [.retriesSpent, .circuitOpen].contains(error.code), let fault = tries.fault {
                    throw SourceFault.givenUp(fault, error)
                }
                note(
                    stream,
                    .unanswered(method: request.method, url: redactor.shown(request.url), reason: error.message)
                )
                tries.fault = SourceFault.failed(error, name(request))
                tries.hasLostConnection = error.lostKeptConnection
                let mayHelp = SourceFault.isPassing(error)
                try await again(&tries, name(request), asked: nil, isLimit: false, mayHelp: mayHelp)
                continue
            }
            tries.hasLostConnection = false
            cost.bytes += response.body.count
            if response.status == 304, request.condition != nil {
                return Answer(content: .unchanged, url: request.url, headers: response.headers, cost: cost)
            }
            let (verdict, byRule) = try judge(response, request)
            if handling.isResuming, [400, 404, 410].contains(response.status), verdict == .fail || verdict == .empty {
                throw PlaceRefused(cost: cost)
            }
            switch verdict {
            case .page, .empty:
                cost.pages += 1
                await applyRequestedWait(response)
                return Answer(
                    content: verdict == .page ? .page(try document(response, request)) : .empty,
                    url: request.url,
                    headers: response.headers,
                    cost: cost,
                    validator: hops == 0 && response.status == 200 ? Validator(response.headers) : nil
                )
            case .fail where handling.isDetail && !byRule && [404, 410].contains(response.status):
                warn(stream, .childGone, "\(name(request)) was answered with \(response.status) and is left out")
                return Answer(content: .gone, url: request.url, headers: response.headers, cost: cost)
            case .redirect:
                hops += 1
                request.url = try redirect(response, request, hops: hops)
                // What is known of one address says nothing about another.
                request.condition = nil
            case .unauthorised: throw try quoting(response, SourceFault.unauthorised(response.status, name(request)))
            case .fail where response.status == 304 && !byRule: throw SourceFault.unexpectedlyUnchanged(name(request))
            case .fail: throw try quoting(response, SourceFault.refused(response.status, name(request), byRule: byRule))
            case .retry, .limit:
                let isLimit = verdict == .limit
                tries.fault = try quoting(
                    response,
                    isLimit
                        ? SourceFault.stillLimited(name(request), tries: settings.retry.tries)
                        : SourceFault.unavailable(response.status, name(request), tries: settings.retry.tries)
                )
                let asked = RetryPlan.asked(by: response.headers, isLimit: isLimit, now: clock.now())
                try await again(&tries, name(request), status: response.status, asked: asked, isLimit: isLimit)
            }
        }
    }

    // MARK: - One try

    private func attempt(_ prepared: PreparedRequest, _ tries: Tries) async throws -> HTTPResponse {
        try await semaphore.pass {
            try await self.waitForRates(tries.stream, self.name(prepared))
            return try await self.transmit(prepared, tries)
        }
    }

    private func transmit(_ prepared: PreparedRequest, _ tries: Tries) async throws(HTTPError) -> HTTPResponse {
        var (url, headers) = (prepared.url, prepared.headers)
        if let condition = prepared.condition { headers.append(condition) }
        credentials.apply(to: &url, headers: &headers)
        let timeouts = HTTPTimeouts(
            connect: min(.seconds(10), settings.timeout),
            firstByte: settings.timeout,
            idle: settings.timeout,
            total: max(.seconds(300), settings.timeout)
        )
        var request = HTTPRequest(
            method: prepared.method,
            url: url.description,
            headers: headers,
            body: prepared.body,
            side: .source,
            timeouts: timeouts,
            bodyLimit: settings.maximumBody,
            wireLimit: min(8 << 20, settings.maximumBody)
        )
        request.isRetry = tries.isRetry
        // What libcurl sent again by itself would be counted by no rate, and not as a try.
        request.isSentOnce = true
        request.needsNewConnection = tries.hasLostConnection
        let start = clock.now()
        let response = try await transport.send(request)
        let event = FetchEvent.Kind.answered(
            method: prepared.method,
            url: redactor.shown(prepared.url),
            status: response.status,
            bytes: response.body.count,
            duration: .microseconds(max(0, clock.now() - start))
        )
        note(tries.stream, event)
        return response
    }
}

/// The tries of one request.
struct Tries {
    var plan: RetryPlan
    let stream: String
    /// What the last one came to.
    var fault: PlugError?
    /// Whether the next one is a second try that nobody asked for.
    var isRetry = false
    /// Whether a kept connection ended under the last one before there was an answer.
    var hasLostConnection = false
}
