internal import Cryptography
internal import PlugCore

/// A service with OAuth 1.0a in memory: it follows RFC 5849 strictly, verifies every signature, and misbehaves on request.
///
/// It is written against the RFC and not against our client: base strings and signatures are made here a second time. Its addresses
/// are `/request`, `/authorize`, `/access`, and `/me` and `/items` for who signs with a token.
package struct OAuth1Service: Sendable {
    /// What the service does wrong, once, at its next request for credentials.
    package enum Fault: Sendable, Equatable {
        /// Ends the connection without having done anything.
        case reset
        /// Takes the request and never answers.
        case hang
        /// Answers with a status and a body.
        case answer(Int, String)
        /// Answers with a status, and names a problem in the header `WWW-Authenticate`.
        case problem(Int, String)
    }

    /// How the service leads back who has said no.
    package enum Denial: Sendable {
        /// With `denied=TOKEN`.
        case denied
        /// With the token and `oauth_problem=user_refused`.
        case problem
        /// With the token alone.
        case bare
    }

    /// What the consumer is known by.
    package var consumer: (key: String, secret: String) = ("consumer", "s3cr3t&/ü")
    /// Whether the person consents; how they are led back else.
    package var denial: Denial?
    /// Whether the first answer has `oauth_callback_confirmed=true`.
    package var confirms = true
    /// The verifier that the browser brings; `nil` for one that was never given.
    package var verifier: String?
    /// Parameters that the requests for credentials have to have beside the protocol's, with `/request` and `/access`.
    package var wanted: [String: String] = [:]
    /// What goes wrong, one for each request for credentials.
    package var faults: [Fault] = []

    /// How many requests there were with a good signature, by their path.
    package private(set) var signed: [String: Int] = [:]
    /// Why requests were refused.
    package private(set) var refusals: [String] = []
    /// What was given that nobody but the client may know.
    package private(set) var given: [String] = []
    private var temporary: [String: Temporary] = [:]
    private var tokens: [String: String] = [:]
    private var nonces: Set<String> = []
    private var made = 0

    private struct Temporary {
        var secret: String
        var callback: String
        var verifier: String?
        var isUsed = false
    }

    /// A service with one consumer.
    package init() {}

    /// Withdraws all consents.
    package mutating func withdraw() { tokens = [:] }

    /// Answers a request.
    ///
    /// - Parameter host: The header `Host`.
    package mutating func answer(_ request: OAuthService.Request, host: String) -> OAuthService.Answer {
        switch (request.method, request.path) {
        case ("GET", "/authorize"): return authorize(request.parameters)
        case ("POST", "/request"), ("POST", "/access"):
            if !faults.isEmpty {
                switch faults.removeFirst() {
                case .reset: return .reset
                case .hang: return .none
                case .answer(let status, let body): return Self.form(status, body)
                case .problem(let status, let problem):
                    let header = "WWW-Authenticate: OAuth realm=\"x\", oauth_problem=\"\(problem)\""
                    return .whole(status: status, headers: [header], body: "")
                }
            }
            return request.path == "/request" ? begin(request, host) : access(request, host)
        case ("GET", "/me"): return read(request, host, #"{"name":"ann"}"#)
        case ("GET", "/items"): return read(request, host, #"[{"id":1,"name":"one"},{"id":2,"name":"two"}]"#)
        default: return .whole(status: 404, headers: [], body: "")
        }
    }

    // MARK: - The three legs

    /// Section 2.1.
    private mutating func begin(_ request: OAuthService.Request, _ host: String) -> OAuthService.Answer {
        guard let parameters = verified(request, host, token: nil) else { return refused() }
        guard let callback = parameters["oauth_callback"], parameters["oauth_token"] == nil,
            wanted.allSatisfy({ parameters[$0.key] == $0.value })
        else { return Self.form(400, "oauth_problem=parameter_absent") }
        let token = fresh("temporary")
        let secret = fresh("temporary-secret")
        temporary[token] = Temporary(secret: secret, callback: callback)
        let confirmed = confirms ? "&oauth_callback_confirmed=true" : ""
        return Self.form(200, "oauth_token=\(token)&oauth_token_secret=\(FormText.encode(secret))\(confirmed)")
    }

    /// Section 2.2: the person decides at once.
    private mutating func authorize(_ parameters: [String: String]) -> OAuthService.Answer {
        let name = parameters["oauth_token"] ?? ""
        guard let asked = temporary[name], asked.verifier == nil else {
            return .whole(status: 400, headers: ["Content-Type: text/html"], body: "<h1>unknown token</h1>")
        }
        var back: [(name: String, value: String)]
        switch denial {
        case .denied: back = [("denied", name)]
        case .problem: back = [("oauth_token", name), ("oauth_problem", "user_refused")]
        case .bare: back = [("oauth_token", name)]
        case nil:
            let verifier = verifier ?? fresh("verifier")
            temporary[name]?.verifier = verifier
            given.append(verifier)
            back = [("oauth_token", name), ("oauth_verifier", verifier)]
        }
        let sign = asked.callback.contains("?") ? "&" : "?"
        let location = "Location: \(asked.callback)\(sign)\(FormText.encode(back))"
        return .whole(status: 302, headers: [location], body: "")
    }

    /// Section 2.3.
    private mutating func access(_ request: OAuthService.Request, _ host: String) -> OAuthService.Answer {
        guard let name = Self.header(request)?["oauth_token"], let asked = temporary[name] else { return refused() }
        guard let parameters = verified(request, host, token: asked.secret) else { return refused() }
        guard !asked.isUsed, let verifier = asked.verifier, parameters["oauth_verifier"] == verifier else {
            return Self.form(401, "oauth_problem=permission_unknown")
        }
        temporary[name]?.isUsed = true
        let (token, secret) = (fresh("token"), fresh("token-secret"))
        tokens[token] = secret
        return Self.form(200, "oauth_token=\(token)&oauth_token_secret=\(FormText.encode(secret))&user_id=7")
    }

    private mutating func read(_ request: OAuthService.Request, _ host: String, _ body: String) -> OAuthService.Answer {
        guard let name = Self.header(request)?["oauth_token"], let secret = tokens[name],
            verified(request, host, token: secret) != nil
        else { return refused() }
        return .whole(status: 200, headers: ["Content-Type: application/json"], body: body)
    }

    // MARK: - Signatures

    /// All parameters of a request whose signature is right.
    private mutating func verified(
        _ request: OAuthService.Request,
        _ host: String,
        token secret: String?
    ) -> [String: String]? {
        func refuse(_ reason: String) -> [String: String]? {
            refusals.append("\(request.path): \(reason)")
            return nil
        }
        guard var own = Self.header(request), let signature = own.removeValue(forKey: "oauth_signature") else {
            return refuse("no signature")
        }
        own["realm"] = nil
        guard own["oauth_consumer_key"] == consumer.key, own["oauth_signature_method"] == "HMAC-SHA1",
            own["oauth_version"] == "1.0", let time = own["oauth_timestamp"], Int64(time) != nil
        else { return refuse("parameters") }
        // Unique for a time and a token (section 3.3).
        guard let nonce = own["oauth_nonce"],
            nonces.insert("\(time) \(own["oauth_token"] ?? "") \(nonce)").inserted
        else { return refuse("nonce") }
        let query = FormText.decode(request.target.dropFirst(request.path.count + 1)) ?? []
        let isForm = request.contentType == "application/x-www-form-urlencoded"
        let form = isForm ? FormText.decode(request.body) ?? [] : []
        var pairs = (query + form + own.map { ($0.key, $0.value) }).map { (Self.code($0.0), Self.code($0.1)) }
        pairs.sort { $0.0 == $1.0 ? Array($0.1.utf8).lexicographicallyPrecedes(Array($1.1.utf8)) : $0.0 < $1.0 }
        let normal = pairs.map { "\($0.0)=\($0.1)" }.joined(separator: "&")
        let base = [request.method, "http://\(host.lowercased())\(request.path)", normal].map(Self.code)
        let key = Self.code(consumer.secret) + "&" + Self.code(secret ?? "")
        let code = HashFunction.sha1.code(
            for: Array(base.joined(separator: "&").utf8),
            key: SecretBytes(Array(key.utf8))
        )
        guard Base64.encoded(code) == signature else { return refuse("signature") }
        signed[String(request.path), default: 0] += 1
        return Dictionary(query + form + own.map { ($0.key, $0.value) }) { first, _ in first }
    }

    /// The parameters of the header (section 3.5.1).
    private static func header(_ request: OAuthService.Request) -> [String: String]? {
        guard let header = request.authorization, header.hasPrefix("OAuth ") else { return nil }
        var parameters: [String: String] = [:]
        for pair in header.dropFirst("OAuth ".count).split(separator: ",") {
            let parts = pair.drop { $0 == " " }.split(separator: "=", maxSplits: 1)
            guard parts.count == 2, parts[1].hasPrefix("\""), parts[1].hasSuffix("\""),
                let value = FormText.decode("v=\(parts[1].dropFirst().dropLast().replacing("+", with: "%2B"))")?.first,
                parameters.updateValue(value.value, forKey: String(parts[0])) == nil
            else { return nil }
        }
        return parameters
    }

    /// Section 3.6.
    private static func code(_ text: String) -> String {
        text.utf8.map { byte in
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"),
                UInt8(ascii: "~"):
                String(UnicodeScalar(byte))
            default: "%" + Hexadecimal.encoded([byte]).uppercased()
            }
        }.joined()
    }

    private func refused() -> OAuthService.Answer {
        .whole(status: 401, headers: ["WWW-Authenticate: OAuth realm=\"test\""], body: "")
    }

    private static func form(_ status: Int, _ body: String) -> OAuthService.Answer {
        .whole(status: status, headers: ["Content-Type: application/x-www-form-urlencoded"], body: body)
    }

    /// A text that was never given before. It has characters that have to be encoded.
    private mutating func fresh(_ kind: String) -> String {
        made += 1
        let hash = SHA256.hash(Array("\(kind) \(made)".utf8))
        let text = "\(kind)-\(made)-\(Hexadecimal.encoded(hash.prefix(12)))" + (kind.hasSuffix("secret") ? "+/=" : "")
        if kind.hasSuffix("secret") || kind == "token" { given.append(text) }
        return text
    }
}

/// An `OAuth1Service` on a loopback address, over real sockets.
package final class OAuth1Server: Sendable {
    /// The service, whose settings and state a test changes and looks at.
    package let service: Watched<OAuth1Service>
    private let server: LoopbackServer

    /// Listens until `stop`.
    package init(_ service: OAuth1Service = OAuth1Service()) throws {
        let service = Watched(service)
        self.service = service
        server = try LoopbackServer { connection in
            while let request = connection.next() {
                let asked = OAuthService.Request(
                    method: request.method,
                    target: request.target,
                    authorization: request.header("Authorization"),
                    contentType: request.header("Content-Type"),
                    body: request.text
                )
                let host = request.header("Host") ?? ""
                switch service.change({ $0.answer(asked, host: host) }) {
                case .whole(let status, let headers, let body):
                    guard connection.answer(status, headers, Array(body.utf8)) else { return }
                case .reset: return connection.reset()
                case .none: return connection.waitForEnd()
                }
            }
        }
    }

    /// `127.0.0.1:PORT`
    package var authority: String { server.authority }

    /// Changes the service.
    package func set(_ change: (inout OAuth1Service) -> Void) { service.change(change) }

    /// Refuses new connections.
    package func stop() { server.stop() }
}
