import CurlTransport
import Decoding
import LosslessJSON
import PlugCore
import PlugManifest

/// What a stream's request depends on, besides the manifest.
struct RequestContext: Sendable {
    var place: Place
    /// The page size, if that is known.
    var size: Int?
    /// How many pages the pass has had.
    var pages: Int
    /// When the pass began, in microseconds since 1970.
    var began: Int64
    var lineage: Lineage
    var lower: SinceValue?
    var upper: SinceValue?
}

/// Builds the requests of a stream. A class: all walks of the stream share it, and a copy would be several kilobytes.
final class RequestBuilder: Sendable {
    let stream: PlugManifest.Stream
    /// The stream's request in the manifest.
    let definition: Request
    /// The roots that all requests of a run share: `config`, `vars` and `now`.
    let roots: TemplateRoots
    let base: BaseAddress
    /// The headers of `http`.
    let headers: [HTTPHeader]
    /// The stream's own credentials; `nil` for those of the run.
    let credentials: Credentials?
    let exchange: Exchange

    init(
        stream: PlugManifest.Stream,
        definition: Request,
        roots: TemplateRoots,
        base: BaseAddress,
        headers: [HTTPHeader],
        credentials: Credentials?,
        exchange: Exchange
    ) {
        self.stream = stream
        self.definition = definition
        self.roots = roots
        self.base = base
        self.headers = headers
        self.credentials = credentials
        self.exchange = exchange
    }

    /// The request for a page.
    ///
    /// - Throws: `PlugError` if a template has no value, a link leads out of `hosts` or a header cannot be sent.
    func request(_ context: RequestContext) throws(PlugError) -> PreparedRequest {
        var roots = roots
        context.lineage.fill(&roots, of: stream)
        roots.page = page(context)
        roots.pass = .members(("now", .text(Timestamp(microseconds: context.began).rfc3339)))
        roots.since = stream.since.flatMap { since in context.lower?.json(since.type) }
        roots.until = stream.since.flatMap { since in context.upper?.json(since.type) }
        roots.grant = exchange.tokens?.granted
        let base = try base.url()
        let added = AddedParameters(stream, context)
        var headers = try HeaderFields.render(definition.headers, over: headers, roots)
        try added.add(to: &headers, stream)
        HeaderFields.add("Accept", stream.decoding?.format.accept ?? "application/json", to: &headers)
        let body = try RequestBody(definition, of: stream, added, roots)
        if let body { HeaderFields.add("Content-Type", body.type, to: &headers) }
        let url = try url(context, added, base, roots)
        let size = stream.paging.flatMap { paging in
            paging.sendsSize ? context.size.map { (asked: $0, minimum: paging.minimumSize) } : nil
        }
        return PreparedRequest(
            method: definition.method.rawValue,
            url: url,
            headers: headers,
            body: body?.bytes,
            bodyKind: body?.kind,
            credentials: credentials,
            rules: stream.rules,
            decoding: stream.decoding,
            isGraphQL: definition.isGraphQL,
            size: size,
            canReset: stream.since?.resetsPages == true,
            isNamed: isNamed(url, context, base, roots)
        )
    }

    /// Whether the stream's own path names the host of this address.
    private func isNamed(
        _ url: HTTPURL,
        _ context: RequestContext,
        _ base: HTTPURL?,
        _ roots: TemplateRoots
    ) -> Bool {
        // An address that the service names with the token counts like one in the manifest: it is within `hosts`.
        guard NamedHosts.isNamed(definition.path) else {
            return self.base.isGranted && base?.hostAndPort == url.hostAndPort
        }
        guard case .url = context.place else { return true }
        let own = try? RequestPath(template: definition.path, base: base, exchange: exchange).url(roots)
        return own?.hostAndPort == url.hostAndPort
    }

    private func url(
        _ context: RequestContext,
        _ added: AddedParameters,
        _ base: HTTPURL?,
        _ roots: TemplateRoots
    ) throws(PlugError) -> HTTPURL {
        if case .url(let text) = context.place {
            // A link from the source is followed as given; a state may be older than the manifest's hosts.
            let name = "the position where the last run stopped"
            guard let url = try? HTTPURL(text), exchange.hosts.contains(url) else {
                throw SourceFault.escape(
                    exchange.redactor.shown(link: text),
                    .outside(hosts: exchange.hosts.list, host: nil),
                    from: name
                )
            }
            return stream.paging?.addsQuery == true ? url.addingQuery(try query(context, added, roots)) : url
        }
        let url = try RequestPath(template: definition.path, base: base, exchange: exchange).url(roots)
        return url.settingQuery(try query(context, added, roots))
    }

    /// The query parameters.
    private func query(
        _ context: RequestContext,
        _ added: AddedParameters,
        _ roots: TemplateRoots
    ) throws(PlugError) -> [(name: String, value: String)] {
        let paging = stream.paging
        let isFirst = context.place == paging?.kind.start ?? .start
        let left = isFirst ? [] : paging?.onlyFirst ?? []
        var parameters: [(name: String, value: String)] = []
        for (name, template) in definition.query where !left.contains(name) {
            parameters.removeAll { $0.name == name }
            parameters += ParameterList.parameters(name, try template.render(roots), definition.arrays)
        }
        for (name, value) in added.query {
            parameters.removeAll { $0.name == name }
            parameters.append((name, value.stringText ?? value.compactText))
        }
        return parameters
    }

    /// The root `page`: the requested page.
    private func page(_ context: RequestContext) -> JSONValue {
        var page = JSONObject([("index", .integer(context.pages))])
        switch context.place {
        case .number(let number): page["number"] = .integer(number)
        case .offset(let offset):
            if let counting = stream.paging?.kind.counting { page["offset"] = .integer(offset + counting.from) }
        case .token(let token): page["cursor"] = token
        case .start, .url: break
        }
        if let size = context.size { page["size"] = .integer(size) }
        return .object(page)
    }
}
