import CurlTransport
import JQ
import LosslessJSON
import OAuth
import PlugCore
import PlugManifest
import Throttling

/// Session tokens, obtained by a login request.
struct LoginSource: TokenSource {
    let name = "login"
    let host: String
    let owner = GrantOwner.nobody
    let asked: String?
    let deadTokens: DeadTokens?
    private let settings: LoginSettings
    private let request: HTTPRequest
    private let config: JSONValue

    let before: Duration? = nil
    let refreshes = false
    let needsConsent = false

    /// Renders the request.
    ///
    /// - Parameters:
    ///   - http: What all requests share.
    ///   - hosts: Where a path without a host may lead.
    ///   - credentials: Decide where the plug's own headers may be sent.
    ///   - config: The configuration without its secrets, for programs over answers.
    init(
        _ settings: LoginSettings,
        http: HTTPSettings,
        hosts: HostSet,
        _ credentials: Credentials,
        config: JSONValue,
        _ roots: TemplateRoots
    ) throws(PlugError) {
        self.settings = settings
        self.config = config
        deadTokens = settings.deadIf.map { DeadTokens(rule: $0, config: config) }
        var url = try Self.url(settings.request.path, http.base, hosts, roots)
        let query = try AuthAddress.parameters(settings.request.query, roots).map { ($0.name, $0.value) }
        if !query.isEmpty { url = url.settingQuery(query) }
        // They may hold credentials, which go where the plug's own requests go.
        let shared = credentials.goes(to: url) ? try HeaderFields.render(http.headers, roots) : []
        var headers = try HeaderFields.render(settings.request.headers, over: shared, roots)
        HeaderFields.add("Accept", "application/json", to: &headers)
        var body: [UInt8]?
        switch settings.request.body {
        case .none: break
        case .json(let template):
            HeaderFields.add("Content-Type", "application/json", to: &headers)
            var bytes: [UInt8] = []
            try template.render(roots).write(to: &bytes)
            body = bytes
        case .form(let fields):
            HeaderFields.add("Content-Type", "application/x-www-form-urlencoded", to: &headers)
            let fields = try AuthAddress.parameters(fields, roots).map { (name: $0.name, value: $0.value) }
            body = Array(FormText.encode(fields).utf8)
        }
        host = url.site
        request = HTTPRequest(
            method: settings.request.method.rawValue,
            url: url.description,
            headers: headers,
            body: body,
            side: .source,
            timeouts: HTTPTimeouts(total: .seconds(60)),
            bodyLimit: TokenEndpoint.answerLimit,
            wireLimit: TokenEndpoint.answerLimit
        )
        asked = AuthAddress.hash(
            [url.description, settings.request.method.rawValue] + headers.map { "\($0.name): \($0.value)" }
                + [String(decoding: body ?? [], as: UTF8.self)]
        )
    }

    /// A URL may name its own host; a path is below the base, and one whole template is a reference within `hosts`.
    private static func url(
        _ path: Template,
        _ base: Template?,
        _ hosts: HostSet,
        _ roots: TemplateRoots
    ) throws(PlugError) -> HTTPURL {
        if case .text(let first)? = path.parts.first, first.contains("://") { return try AuthAddress.url(path, roots) }
        let text =
            path.isWhole
            ? try path.renderText(roots) : try path.renderText(roots) { value, _ in PercentEncoding.segment(value) }
        let root = try base.map { template throws(PlugError) in try template.renderText(roots) } ?? ""
        let tail = text.isEmpty || text.hasPrefix("/") || text.hasPrefix("?") ? text : "/" + text
        let whole = text.contains("://") ? text : (root.hasSuffix("/") ? String(root.dropLast()) : root) + tail
        guard let url = try? HTTPURL(whole), hosts.contains(url) else {
            throw PlugError(
                .authAddress,
                "the path \(path.source) of the login leads to no address on one of the plug's hosts (\(hosts.list))",
                advice: "check 'auth.login.request.path' and 'http.base'"
            )
        }
        return url
    }

    func ask(showing refreshToken: Secret?, for stream: String, through exchange: Exchange) async throws -> TokenAnswer
    {
        let response = try await exchange.sendForToken(request, for: stream)
        let answer = ReceivedAnswer(response)
        func failure(_ kind: TokenFailure.Kind, _ reason: String) -> TokenFailure {
            let quote = Self.words(answer, exchange)
            var failure = TokenFailure(kind, reason + (quote.map { "; it says: \($0)" } ?? ""), status: answer.status)
            failure.quote = quote
            return failure
        }
        switch answer.status {
        case 200..<300: break
        case 408, 425, 429, 500...599:
            let wait = RequestedWait.asked(
                by: response.headers,
                isLimit: answer.status == 429,
                now: exchange.clock.now()
            )
            throw failure(.passing(after: wait), "the login was not answered properly")
        case 400, 401, 403, 422: throw failure(.denied, "the login was refused")
        default: throw failure(.unreadable, "the login was not answered as expected")
        }
        let found: JSONValue?
        do { found = try AnswerPrograms.first(settings.token, over: answer, config) } catch let error as PlugError {
            throw error
        } catch { throw failure(.unreadable, "the program 'auth.login.token' failed on the answer to the login") }
        guard let value = found, !value.isNull, value.object == nil, value.elements == nil else {
            let kind: TokenFailure.Kind = answer.value == nil ? .unreadable : .denied
            throw failure(kind, "the answer to the login has no token")
        }
        let token = value.stringText ?? value.compactText
        guard !token.isEmpty, HeaderFields.isSendable(token) else {
            throw failure(.unreadable, "the token in the answer to the login is empty or has control characters")
        }
        var result = TokenAnswer(accessToken: Secret(token), refreshToken: nil, expires: nil, scopes: nil)
        do { result.expires = try expires(answer, exchange) } catch let error as PlugError { throw error } catch {
            // The session exists; a refusal will show when it has ended.
            result.unread.append("the program 'auth.login.expires' failed on the answer to the login")
        }
        return result
    }

    private func expires(_ answer: ReceivedAnswer, _ exchange: Exchange) throws -> Int64? {
        switch settings.lifetime {
        case nil: return nil
        case .fixed(let duration): return exchange.time(after: duration)
        case .told(let program):
            return TokenExpiry.time(try AnswerPrograms.first(program, over: answer, config), now: exchange.clock.now())
        }
    }

    /// The service's own words about a login that it refuses.
    private static func words(_ answer: ReceivedAnswer, _ exchange: Exchange) -> String? {
        guard let text = answer.value.flatMap(SourceMessage.usual) else { return nil }
        let words = exchange.redactor.shown(whole: text).split { $0.isWhitespace }.joined(separator: " ")
        return words.isEmpty ? nil : DisplayText.escaped(String(words.prefix(SourceMessage.limit)))
    }

    func error(_ failure: TokenFailure) -> PlugError {
        let message = "\(host): \(failure)"
        switch failure.kind {
        case .passing, .unreachable: return failure.plugError(from: host)
        case .unreadable, .unusable:
            return PlugError(
                .loginUnreadable,
                message,
                advice: "send the login by hand and compare its answer with 'auth.login' in the manifest",
                reach: .run
            )
        default:
            return PlugError(
                .loginRefused,
                message,
                advice: "check the user name and the password in the configuration",
                reach: .run
            )
        }
    }
}
