import CurlTransport
import JQ
import LosslessJSON
import PlugCore
import PlugFetch
import PlugManifest

/// Where a simulated connection's tokens come from.
struct SimulatedTokens: Sendable {
    /// How another token is obtained after a 401 answer.
    enum Kind: Sendable {
        /// Not at all: the credentials are fixed, or there are none.
        case fixed
        /// The plug asks for another one.
        case renewed
        /// It would, but no answer that gives one can be simulated.
        case unknown(reason: String)
    }

    let kind: Kind
    private let places: [PageControls.Place]
    private let login: Login?

    /// The request of a login: its method, and its URL or the end of its path.
    private struct Login {
        var method: String
        var address: String
    }

    /// The tokens, each distinct from any other text.
    static func access(_ number: Int) -> String { "canary-access-\(number)-5b1e07" }
    static func refresh(_ number: Int) -> String { "canary-refresh-\(number)-c40d92" }
    /// The secret of the client.
    static let client = "canary-client-secret-81f2"

    /// - Parameter roots: What the address of a login may refer to.
    init(_ authorization: Authorization, _ roots: TemplateRoots?) {
        switch authorization {
        case .oauth2(let settings):
            login = nil
            let token = JSONValue.text(Self.access(2))
            let answer = Self.standard(2)
            guard let program = settings.fields.accessToken else {
                (kind, places) = (.renewed, [])
                return
            }
            let globals = [JSONValue.null, .members()]
            func gives(_ answer: JSONValue) -> Bool { (try? program.run(answer, globals: globals).first) == token }
            if gives(answer) {
                (kind, places) = (.renewed, [])
                return
            }
            let places = ControlSearch.named(in: program.source)
            let place = places.first { place in
                let (body, _) = ControlSearch.set(place, token, answer, .members())
                return gives(body)
            }
            self.places = place.map { [$0] } ?? []
            kind =
                place == nil
                ? .unknown(reason: "no answer can be made from which 'fields.access_token' takes a token") : .renewed
        case .login(let settings):
            let place = ControlSearch.named(in: settings.token.source).first { place in
                let (body, headers) = ControlSearch.set(place, .text(Self.access(2)), .members(), .members())
                return (try? settings.token.run(body, globals: [.null, headers]).first) == .text(Self.access(2))
            }
            places = place.map { [$0] } ?? []
            login = Self.login(settings.request, roots)
            if place == nil {
                kind = .unknown(reason: "no answer can be made from which 'login.token' takes a token")
            } else {
                kind = login == nil ? .unknown(reason: "the address of its login cannot be rendered") : .renewed
            }
        default: (kind, places, login) = (.fixed, [], nil)
        }
    }

    /// Whether a request asks for a token.
    func asks(_ asked: AskedRequest) -> Bool {
        if let login {
            guard asked.method == login.method else { return false }
            return login.address.contains("://")
                ? asked.url.withoutQuery == login.address : asked.url.path.hasSuffix(login.address)
        }
        guard case .renewed = kind else { return false }
        if QueryParameters(asked.url.query).names.contains("grant_type") { return true }
        guard let body = asked.body else { return false }
        if asked.isForm { return QueryParameters(String(decoding: body, as: UTF8.self)).names.contains("grant_type") }
        return (try? JSONValue(parsing: body))?["grant_type"] != nil
    }

    /// The answer to a token request, the first of which gives the second token.
    func answer(number: Int) -> (body: JSONValue, headers: JSONValue) {
        var (body, headers) = (login == nil ? Self.standard(number) : .members(), JSONValue.members())
        for place in places {
            (body, headers) = ControlSearch.set(place, .text(Self.access(number)), body, headers)
        }
        return (body, headers)
    }

    /// `nil` if the address cannot be rendered.
    private static func login(_ request: LoginRequest, _ roots: TemplateRoots?) -> Login? {
        guard let roots,
            let text = try? request.path.renderText(
                roots,
                encode: { value, _ in
                    // A setting may be a host, or a URL.
                    value.contains { "/:".contains($0) } ? value : PercentEncoding.segment(value)
                }
            )
        else { return nil }
        let address = (try? HTTPURL(text).withoutQuery) ?? String(text.prefix { $0 != "?" })
        return address.isEmpty ? nil : Login(method: request.method.rawValue, address: address)
    }

    private static func standard(_ number: Int) -> JSONValue {
        .members(
            ("access_token", .text(access(number))),
            ("refresh_token", .text(refresh(number))),
            ("token_type", .text("Bearer")),
            ("expires_in", .integer(3600))
        )
    }
}
