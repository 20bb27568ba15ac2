import CurlTransport
import LosslessJSON
import OAuth
import PlugCore
import PlugManifest
import Throttling

extension Exchange {
    /// Whether an answer says that the request's token is dead, and another one is now available to resend it with.
    ///
    /// - Parameter byStatus: Whether its status says so, if the manifest has no `dead_if`.
    /// - Throws: `PlugError` `source-unauthorised` if the service refuses a new token as well, or none can be obtained.
    func isRefused(_ response: HTTPResponse, _ request: inout SourceRequest, byStatus: Bool) async throws -> Bool {
        guard let tokens, let token = request.token else { return false }
        let name = name(request.prepared)
        guard try tokens.source.deadTokens?.matches(response, name) ?? byStatus else { return false }
        if !request.hasNewToken, try await tokens.renew(token, for: request.stream, through: self) {
            request.hasNewToken = true
            return true
        }
        if request.hasNewToken { tokens.giveUp(request.stream) }
        throw try unauthorised(response, request)
    }

    /// The error for an answer that says that the credentials are not accepted.
    func unauthorised(_ response: HTTPResponse, _ request: SourceRequest) throws(PlugError) -> PlugError {
        let (prepared, name) = (request.prepared, name(request.prepared))
        let credentials = credentials(of: prepared)
        guard credentials.areEmpty || credentials.goes(with: prepared) else {
            return try quoting(
                response,
                SourceFault.withoutCredentials(response.status, name, host: prepared.url.site)
            )
        }
        var error = SourceFault.unauthorised(response.status, name)
        if let tokens, prepared.credentials == nil, response.status != 403 {
            error.advice = tokens.advice(afterRenewal: request.hasNewToken)
        }
        if credentials.areSigned, tokens != nil, prepared.credentials == nil {
            error.advice =
                "connect again with 'plughost connect', unless this machine's clock is wrong or the account may not read this"
        } else if credentials.areSigned {
            error.advice = "check the keys of 'auth', what they allow to read, and this machine's clock"
        }
        return try quoting(response, error)
    }

    /// The token for a request, `nil` if it takes none. It is obtained before the request queues, because a token request waits
    /// in the same queue.
    func token(for request: SourceRequest) async throws -> TokenKeeper.Token? {
        guard let tokens, request.prepared.credentials == nil, credentials.goes(with: request.prepared) else {
            return nil
        }
        return try await tokens.token(for: request.stream, through: self)
    }

    /// Runs work that itself sends one request of `auth`, as soon as all limits allow it.
    func inTurn<Value: Sendable>(for stream: String, _ work: () async throws -> Value) async throws -> Value {
        guard let host = tokens?.source.host, let url = try? HTTPURL("https://\(host)/") else {
            return try await work()
        }
        let prepared = PreparedRequest(method: "POST", url: url, headers: [])
        let request = SourceRequest(prepared: prepared, stream: stream, handling: Handling())
        while true {
            try await wait(for: own, request)
            let value: Value? = try await semaphore.pass(as: request.turn) {
                if self.own.isClosed { return nil }
                try await self.wait(for: self.limit, request)
                return try await work()
            }
            if let value { return value }
        }
    }

    /// Sends a token request, once. The caller is already in the queue (`inTurn`).
    ///
    /// - Throws: `TokenFailure` if there is no answer.
    func sendForToken(_ request: HTTPRequest, for stream: String) async throws -> HTTPResponse {
        var request = request
        request.isSentOnce = true
        request.issuesSecrets = true
        let url = try? HTTPURL(request.url)
        if let url, let jar, hosts.contains(url) {
            let cookies = jar.cookies(for: url, now: clock.now()).map { "\($0.name)=\($0.value)" }
            if !cookies.isEmpty { HeaderFields.add("Cookie", cookies.joined(separator: "; "), to: &request.headers) }
        }
        let shown = url.map(redactor.shown) ?? ""
        let start = clock.now()
        do {
            let response = try await transport.send(request)
            // A session may be identified by a cookie set at login.
            if let url { keepCookies(of: response, from: url) }
            let event = FetchEvent.Kind.answered(
                method: request.method,
                url: shown,
                status: response.status,
                bytes: response.body.count,
                duration: .microseconds(max(0, clock.now() - start))
            )
            note(stream, event)
            return response
        } catch {
            note(stream, .unanswered(method: request.method, url: shown, reason: error.message))
            throw TokenFailure(error)
        }
    }

    /// How a token request is retried.
    ///
    /// - Parameter isAhead: Whether the current token is still valid: then there is no waiting.
    func tokenSender(isAhead: Bool) -> RetryingSender {
        let retry = settings.retry
        let policy =
            isAhead
            ? RetryPolicy(tries: 3, backoff: Backoff(base: .zero, maximum: .zero), patience: .each(.zero))
            : RetryPolicy(
                tries: max(2, retry.tries),
                backoff: Backoff(maximum: retry.maximumWait),
                patience: .each(retry.maximumWait)
            )
        return RetryingSender(policy, clock: clock)
    }
}
