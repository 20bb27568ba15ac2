import CurlTransport
import Foundation
import LosslessJSON
import OAuth
import PlugCore
import PlugFetch
import PlugManifest
import PlugStorage
import Synchronization
import TestKit
import Testing

/// A service that gives tokens and looks at them, in the process.
final class ServiceWire: HTTPSending {
    let service: Watched<OAuthService>
    private let requests = Mutex<[HTTPRequest]>([])

    init(_ service: OAuthService = OAuthService()) { self.service = Watched(service) }

    /// The paths that were asked for, in order.
    var paths: [String] { requests.withLock { $0.map(\.path) } }
    /// What was sent.
    var sent: [HTTPRequest] { requests.withLock { $0 } }
    /// How many requests for tokens there were.
    var tokenRequests: Int { paths.count { $0 == "/token" } }

    func send(_ request: HTTPRequest) async throws(HTTPError) -> HTTPResponse {
        requests.withLock { $0.append(request) }
        let url = try HTTPURL(request.url)
        let asked = OAuthService.Request(
            method: request.method,
            target: url.path + (url.query.map { "?\($0)" } ?? ""),
            authorization: request.header("Authorization"),
            contentType: request.header("Content-Type"),
            body: String(decoding: request.body ?? [], as: UTF8.self)
        )
        switch service.change({ $0.answer(asked) }) {
        case .reset: throw HTTPError(.connectionLost, "the connection ended", mayHaveArrived: true)
        case .none: throw HTTPError(.timedOut, "there was no answer", mayHaveArrived: true)
        case .whole(let status, let headers, let body):
            let fields = headers.map { line in
                let parts = line.split(separator: ":", maxSplits: 1)
                return HTTPHeader(String(parts[0]), parts[1].trimmingCharacters(in: .whitespaces))
            }
            return HTTPResponse(
                status: status,
                headers: HTTPHeaders(fields),
                body: JSONBuffer(Array(body.utf8)),
                receivedBytes: body.utf8.count,
                url: request.url
            )
        }
    }
}

/// A plug with OAuth, its service and its vault.
struct GrantBench {
    static let connection = ConnectionID("ann")
    static let id = GrantID(connection: connection, name: "oauth2")
    static let consent = "authorize: {url: \"https://api.test/authorize\"}, token: {url: \"https://api.test/token\"}"

    var bench: Bench
    let wire: ServiceWire
    let store = MemoryStore()

    /// - Parameter oauth: What stands in `auth.oauth2`.
    init(_ oauth: String = consent, _ service: OAuthService = OAuthService(), config: String = "") async throws {
        var service = service
        service.needsProofKey = false
        wire = ServiceWire(service)
        bench = try Bench(Self.yaml(oauth, config))
        bench.options.grants = store
        bench.options.connection = Self.connection
        bench.options.clients = ["test": ClientIdentity(id: "client", secret: Secret("s3cr3t"))]
        _ = try await store.openConnection(Self.connection, plug: "test", pda: "https://ann.example")
    }

    /// Has the person consent, and keeps what it gave.
    func connect() async throws { _ = try await keep(consented()) }

    /// Has the person consent.
    func consented() throws -> Grant {
        let answer = wire.service.change { service -> OAuthService.Answer in
            let redirect = "http://127.0.0.1:1/"
            let asked = "/authorize?response_type=code&client_id=client&redirect_uri=\(redirect)"
            guard case .whole(_, let headers, _) = service.answer(.init(method: "GET", target: asked)),
                let location = headers.first(where: { $0.hasPrefix("Location: ") }),
                let code = location.split(separator: "=").last
            else { return .reset }
            let body = "grant_type=authorization_code&code=\(code)&redirect_uri=\(redirect)&client_id=client"
            let form = "application/x-www-form-urlencoded"
            return service.answer(
                .init(method: "POST", target: "/token", contentType: form, body: body + "&client_secret=s3cr3t")
            )
        }
        guard case .whole(200, _, let body) = answer else { throw Failure() }
        let value = try JSONValue(parsing: body)
        let token = TokenAnswer(
            accessToken: Secret(value["access_token"]?.stringText ?? ""),
            refreshToken: value["refresh_token"]?.stringText.map(Secret.init),
            expires: bench.clock.now() + 3_600_000_000,
            scopes: nil
        )
        return Grant(token, asked: [], now: bench.clock.now())
    }

    /// Keeps a grant, as `connect` does.
    func keep(_ grant: Grant) async throws -> Int64? {
        let content = KeptGrant(grant, of: GrantOwner(client: "client")).content
        return try await store.keepGrant(content, as: Self.id, replacing: await store.grant(Self.id)?.version)
    }

    /// What the vault holds of a grant: the consent unless it is another one.
    func kept(_ name: String = "oauth2") async throws -> JSONValue {
        let id = GrantID(connection: Self.connection, name: name)
        return try JSONValue(parsing: await store.grant(id)?.content.reveal() ?? "null")
    }

    /// Gives the plug another manifest; the connection, its vault and the service stay.
    mutating func change(to oauth: String, config: String = "") throws {
        bench.manifest = try Bench(Self.yaml(oauth, config)).manifest
    }

    private static func yaml(_ oauth: String, _ config: String) -> String {
        "\(config)auth: {oauth2: {\(oauth)}}\nhttp: {base: \"https://api.test\"}\n"
            + "streams: {things: {endpoint: t, key: .id, version: none, request: {path: /items}}}\n"
    }

    /// Reads the stream in a run of its own.
    func read() async throws -> Reading { try await bench.read(from: wire) }

    struct Failure: Error {}
}
