import CurlTransport
import LosslessJSON
import PlugCore
import PlugManifest

/// What a request of a stream depends on, in addition to the manifest.
struct RequestContext: Sendable {
    var place: Place
    /// How many pages the pass has had.
    var pages: Int
    /// When the pass began, in microseconds since 1970.
    var began: Int64
    var parent: JSONValue?
    var lower: SinceValue?
    var upper: SinceValue?
}

/// Builds the requests of a stream.
struct RequestBuilder: Sendable {
    let stream: PlugManifest.Stream
    /// The roots that all requests of a run share: `config`, `vars` and `now`.
    let roots: TemplateRoots
    let base: HTTPURL?
    /// The headers of `http`.
    let headers: [HTTPHeader]
    let exchange: Exchange

    /// The request for a page.
    ///
    /// - Throws: `PlugError` if a template has no value, a link leads out of `hosts` or a header cannot be sent.
    func request(_ context: RequestContext) throws(PlugError) -> PreparedRequest {
        var roots = roots
        roots.parent = context.parent
        roots.page = page(context)
        roots.pass = .members(("now", .text(Timestamp(microseconds: context.began).rfc3339)))
        roots.since = stream.since.flatMap { since in context.lower?.json(since.type) }
        var headers = try HeaderFields.render(stream.request.headers, over: headers, roots)
        HeaderFields.add("Accept", stream.decoding?.accept ?? "application/json", to: &headers)
        var body: [UInt8]?
        if let json = try self.json(context, roots) {
            HeaderFields.add("Content-Type", "application/json", to: &headers)
            var bytes: [UInt8] = []
            json.write(to: &bytes)
            body = bytes
        }
        return PreparedRequest(
            method: stream.request.method.rawValue,
            url: try url(context, roots),
            headers: headers,
            body: body,
            rules: stream.rules,
            decoding: stream.decoding
        )
    }

    private func url(_ context: RequestContext, _ roots: TemplateRoots) throws(PlugError) -> HTTPURL {
        if case .url(let text) = context.place {
            // A link of the source is sent as it stands; a state may be older than the manifest's hosts.
            let name = "the position where the last run stopped"
            guard let url = try? HTTPURL(text), exchange.hosts.contains(url) else {
                throw SourceFault.escape(
                    exchange.redactor.shown(link: text),
                    .outside(hosts: exchange.hosts.list, host: nil),
                    from: name
                )
            }
            return url
        }
        let url = try RequestPath(template: stream.request.path, base: base, exchange: exchange).url(roots)
        var parameters: [(name: String, value: String)] = []
        for (name, template) in stream.request.query {
            parameters.removeAll { $0.name == name }
            parameters += Self.texts(of: try template.render(roots)).map { (name, $0) }
        }
        for (name, value) in sinceParameters(context) + pageParameters(context, .query) {
            parameters.removeAll { $0.name == name }
            parameters.append((name, value.stringText ?? value.compactText))
        }
        return url.settingQuery(parameters)
    }

    /// A list is sent as so many parameters of one name; `null` is not sent.
    private static func texts(of value: JSONValue) -> [String] {
        switch value {
        case .null: []
        case .array(let elements): elements.flatMap(texts)
        default: [value.stringText ?? value.compactText]
        }
    }

    private func sinceParameters(_ context: RequestContext) -> [(String, JSONValue)] {
        guard let since = stream.since else { return [] }
        let lower = context.lower.map { bound in
            since.send.map { ($0.name, JSONValue.text(bound.text(format: $0.format))) }
        }
        let upper = context.upper.map { bound in
            since.until.map { ($0.name, JSONValue.text(bound.text(format: $0.format))) }
        }
        return (lower ?? []) + (upper ?? [])
    }

    private func pageParameters(_ context: RequestContext, _ place: Paging.Place) -> [(String, JSONValue)] {
        guard let paging = stream.paging, paging.place == place else { return [] }
        return paging.kind.parameters(for: context.place, size: paging.size)
    }

    private func json(_ context: RequestContext, _ roots: TemplateRoots) throws(PlugError) -> JSONValue? {
        let rendered = try stream.request.json?.render(roots)
        let parameters = pageParameters(context, .json)
        guard stream.request.method == .post, !parameters.isEmpty else { return rendered }
        guard var object = rendered.map(\.object) ?? JSONObject() else {
            throw PlugError(
                .bodyNotObject,
                "the page's parameter goes into the JSON body, but the body is not an object",
                advice: "make 'json' a mapping, or write 'in: query'",
                stream: stream.name
            )
        }
        for (name, value) in parameters { object[JSONString(name)] = value }
        return .object(object)
    }

    /// The root `page`: the page that is asked for.
    private func page(_ context: RequestContext) -> JSONValue {
        var page = JSONObject([("index", .integer(context.pages))])
        switch context.place {
        case .number(let number): page["number"] = .integer(number)
        case .offset(let offset): page["offset"] = .integer(offset)
        case .token(let token): page["cursor"] = token
        case .start, .url: break
        }
        if let size = stream.paging?.size { page["size"] = .integer(size) }
        return .object(page)
    }
}
