package import CurlTransport
internal import PDAWire
package import PlugCore

/// The write-only PDA: one type, one verb.
///
/// Delivery code has no other access to a PDA, so it cannot read, change or delete anything: the method is fixed, the path is an
/// endpoint's, and the namespace is the plug's.
package struct AppendOnlyPDA: Sendable {
    /// The PDA's origin, such as `https://alice.example`, without a path.
    package let origin: String
    /// The only namespace that this value appends to.
    package let namespace: String

    private let tokens: any PDATokenSource
    private let transport: any HTTPSending
    private let connections = ConnectionGroup()
    private let timeouts: HTTPTimeouts
    private let clock: any HostClock

    /// Creates a PDA to append to.
    ///
    /// - Parameters:
    ///   - origin: The PDA's address, such as `https://alice.example`.
    ///   - namespace: The plug's namespace.
    ///   - tokens: Supplies the application token and keeps a refreshed one.
    ///   - transport: Sends the requests.
    ///   - timeouts: How long each part of a request may take.
    ///   - clock: The time against which a `Retry-After` date is read.
    package init(
        origin: String,
        namespace: String,
        token tokens: any PDATokenSource,
        transport: any HTTPSending,
        timeouts: HTTPTimeouts = HTTPTimeouts(),
        clock: any HostClock = SystemClock()
    ) {
        var origin = origin
        while origin.hasSuffix("/") { origin.removeLast() }
        self.origin = origin
        self.namespace = namespace
        self.tokens = tokens
        self.transport = transport
        self.timeouts = timeouts
        self.clock = clock
    }

    /// The same PDA with another namespace, for a batch that was frozen under that one.
    package func appending(to namespace: String) -> AppendOnlyPDA {
        AppendOnlyPDA(
            origin: origin,
            namespace: namespace,
            token: tokens,
            transport: transport,
            timeouts: timeouts,
            clock: clock
        )
    }

    /// Appends a batch once: one request, unless the answer is 401 and the token has been replaced in the meantime.
    ///
    /// - Parameters:
    ///   - batch: A JSON array of records, UTF-8.
    ///   - records: The number of records in the batch; it bounds the size of the answer.
    ///   - endpoint: The endpoint; a path outside `namespace` is refused without a request.
    ///   - skipErrors: Whether the PDA should store what it can and echo only that.
    ///   - isRetry: Whether the same bytes were sent before and no one asked for them again.
    ///   - isTrial: Whether a failure says nothing new about the PDA.
    /// - Returns: The classified answer. Every kind of failure is an answer too.
    package func append(
        _ batch: [UInt8],
        records: Int,
        to endpoint: DataPath,
        skipErrors: Bool,
        isRetry: Bool = false,
        isTrial: Bool = false
    ) async -> AppendAnswer {
        guard endpoint.namespace == namespace else {
            let message = "\(endpoint) is outside the namespace \(namespace)"
            return AppendAnswer(verdict: .stop(PlugError(.pdaNamespace, message)))
        }
        let token = await tokens.current()
        let kind = RequestKind(isRetry: isRetry, isTrial: isTrial)
        let answer = await send(batch, records, endpoint, skipErrors, kind, token)
        // A newer token may cure this error, and no other.
        guard case .stop(let error) = answer.verdict, error.code == .pdaToken else { return answer }
        let newer = await tokens.current()
        guard newer != token else { return answer }
        return await send(batch, records, endpoint, skipErrors, kind, newer)
    }

    /// The properties of a request other than its content.
    private struct RequestKind {
        var isRetry: Bool
        var isTrial: Bool
    }

    private func send(
        _ batch: [UInt8],
        _ records: Int,
        _ endpoint: DataPath,
        _ skipErrors: Bool,
        _ kind: RequestKind,
        _ token: Secret
    ) async -> AppendAnswer {
        let classifier = AnswerClassifier(place: origin + PDARoute.data(endpoint), now: clock.now())
        // The echo repeats each record in an envelope with the endpoint and the record's id. A PDA may write every non-ASCII
        // character as \uXXXX, three times its UTF-8, and may add white space.
        let bodyLimit = 4 * batch.count + records * (endpoint.description.utf8.count + 512) + (64 << 10)
        var request = HTTPRequest(
            method: "POST",
            url: origin + PDARoute.data(endpoint, skipErrors: skipErrors),
            headers: [
                HTTPHeader(PDAHeader.token, token.reveal()),
                HTTPHeader("Content-Type", "application/json"),
                HTTPHeader("Accept", "application/json"),
            ],
            body: batch,
            side: .pda,
            timeouts: timeouts,
            bodyLimit: bodyLimit,
            // Very similar records compress without limit; their decompressed size is already bounded.
            wireLimit: bodyLimit,
            ratioLimit: .max
        )
        request.isRetry = kind.isRetry
        request.isTrial = kind.isTrial
        request.connections = connections
        do throws(HTTPError) {
            let response = try await transport.send(request)
            await keep(response.headers.first(PDAHeader.token), instead: token)
            return classifier.classify(response)
        } catch {
            var answer = classifier.classify(error)
            answer.bytesOut = error.mayHaveArrived ? batch.count : 0
            return answer
        }
    }

    /// Keeps a refreshed token if it is valid: for the same application and issued later than the one that was sent.
    private func keep(_ refreshed: String?, instead token: Secret) async {
        guard let refreshed, refreshed != token.reveal(), let new = TokenClaims(token: refreshed),
            let old = TokenClaims(token: token.reveal()), new.issuedAt > old.issuedAt,
            new.application == old.application
        else { return }
        await tokens.refreshed(Secret(refreshed))
    }
}
