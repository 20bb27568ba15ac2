import CurlTransport
import LosslessJSON
import PlugCore
import PlugManifest
import PlugModules
import Synchronization

/// Sends requests and waits for a Swift fetcher: through the exchange that all streams of the run share, so that hosts,
/// credentials, rates and retries apply.
final class ModuleHost: FetchHost {
    /// What a fetcher has used for the current page.
    private struct Use {
        var requests = 0
        var waited = Duration.zero
        var cost = FetchedPage.Cost()
    }

    private let exchange: Exchange
    private let stream: PlugManifest.Stream
    /// The headers of `http`.
    private let headers: [HTTPHeader]
    /// The stream's own credentials; `nil` for those of the run.
    private let credentials: Credentials?
    private let use = Mutex(Use())

    init(_ stream: PlugManifest.Stream, _ exchange: Exchange, headers: [HTTPHeader], credentials: Credentials?) {
        (self.stream, self.exchange, self.headers, self.credentials) = (stream, exchange, headers, credentials)
    }

    var now: Timestamp { Timestamp(microseconds: exchange.clock.now()) }

    /// Starts a page, with nothing used.
    func begin() { use.withLock { $0 = Use() } }

    /// The cost of the page so far.
    var cost: FetchedPage.Cost { use.withLock { $0.cost } }

    func send(_ request: FetchRequest) async throws -> FetchResponse {
        let count = use.withLock { use in
            use.requests += 1
            return use.requests
        }
        if count > ModuleLimits.requests { throw ModuleLimits.tooManyRequests(name) }
        var prepared = try prepared(request)
        prepared.handled = request.accepts.filter { !(200..<300).contains($0) && ![401, 429].contains($0) }
        var handling = Handling()
        // A rule that says `reread` restarts the walk.
        handling.hasCursor = true
        let answer = try await exchange.send(prepared, for: stream.name, handling)
        use.withLock { $0.cost += answer.cost }
        guard case .whole(let response) = answer.content else {
            throw PlugError(
                .unexpected,
                "the answer to \(exchange.name(prepared)) is incomplete",
                advice: "report it"
            )
        }
        return FetchResponse(
            status: response.status,
            headers: response.headers.fields.map { ($0.name, $0.value) },
            body: response.body.withBytes { Array($0) },
            url: answer.url.description
        )
    }

    func wait(_ duration: Duration) async throws {
        let waited = use.withLock { use in
            use.waited += max(.zero, duration)
            return use.waited
        }
        if waited > ModuleLimits.waiting { throw ModuleLimits.waitTooLong(name) }
        try await exchange.clock.sleep(for: duration)
    }

    func warn(_ message: String) {
        let shown = exchange.redactor.shown(String(message.prefix(ModuleLimits.messageCharacters)))
        exchange.warnOnce(stream.name, .fetcherWarning, "\(name): \(shown)", about: shown)
    }

    /// The fetcher's name in messages.
    private var name: String { "the fetcher '\(stream.module?.name ?? "")'" }

    private func prepared(_ request: FetchRequest) throws(PlugError) -> PreparedRequest {
        var fields = headers
        for (name, value) in request.headers {
            guard HeaderFields.isSendable(value), HeaderFields.isSendable(name) else {
                throw PlugError(
                    .headerControl,
                    exit: .data,
                    "\(self.name) sets the header \(DisplayText.escaped(name)) to a text with a line break or another control character",
                    advice: "correct the fetcher"
                )
            }
            fields.removeAll { $0.name.lowercased() == name.lowercased() }
            fields.append(HTTPHeader(name, value))
        }
        let url = try url(request.address).settingQuery(request.query)
        let type = fields.first { $0.name.lowercased() == "content-type" }?.value.lowercased() ?? ""
        let kind: RequestBody.Kind =
            type.hasPrefix("application/x-www-form-urlencoded") ? .form : type.contains("json") ? .json : .text
        var prepared = PreparedRequest(
            method: request.method,
            url: url,
            headers: fields,
            body: request.body,
            bodyKind: request.body == nil ? nil : kind,
            credentials: credentials,
            rules: stream.rules
        )
        prepared.isWhole = true
        return prepared
    }

    /// Resolves the address of a request: below `http.base`, or a full URL, within `hosts`.
    private func url(_ address: String) throws(PlugError) -> HTTPURL {
        let isFull = address.contains("://")
        let base = try exchange.base.url()
        guard isFull || base != nil else {
            throw PlugError(
                .badPath,
                "\(name) asks for a path, and the manifest has no 'http.base'",
                advice: "write 'http.base' in the manifest, or let the fetcher ask for full URLs"
            )
        }
        let text: String
        if let base, !isFull {
            let directory = base.path.hasSuffix("/") ? String(base.path.dropLast()) : base.path
            text = base.origin + directory + (address.hasPrefix("/") || address.hasPrefix("?") ? "" : "/") + address
        } else {
            text = address
        }
        let shown = exchange.redactor.shown(link: text)
        let url: HTTPURL
        do { url = try HTTPURL(text) } catch {
            throw PlugError(.badPath, "\(name) asks for \(shown): \(error.message)", advice: "correct the fetcher")
        }
        if let base, base.isSecure, !url.isSecure { throw SourceFault.escape(shown, .unencrypted, from: name) }
        guard exchange.hosts.contains(url) else {
            throw SourceFault.escape(
                shown,
                .outside(hosts: exchange.hosts.list, host: exchange.redactor.shown(url.site)),
                from: name
            )
        }
        return url
    }
}
