import Connecting
import CurlTransport
import LosslessJSON
import OAuth
import PlugCore
import PlugManifest
import PlugStorage
import Syncing
import TestKit
import Testing
import Throttling

let ada = ConnectionID("ada")

/// A host with one plug, a connection of it, and a service with OAuth over real sockets.
struct SourceWorld: Sendable {
    let service: OAuthServer
    let first: OAuth1Server
    let store: any PlugStore
    let clock: MovableClock
    let transport: HTTPTransport
    let throttling: RequestThrottling
    let plugs: HostPlugs
    let browser = BrowserSession(id: Secret("cookie of ann"))

    /// Where browsers come back to.
    static let callback = "http://127.0.0.1:1/callback/my-plug"

    static let code = "oauth2: {authorize: {url: \"URL/authorize\"}, token: {url: \"URL/token\"}, scopes: [read, list]}"
    static let device = "oauth2: {grant: device_code, device: {url: \"URL/device\"}, token: {url: \"URL/token\"}}"
    static let oauth1 =
        "oauth1: {request: {url: \"ONE/request\"}, authorize: {url: \"ONE/authorize\"}, access: {url: \"ONE/access\"}}"
    static let key = "bearer: {token: \"{{ config.key }}\"}"
    static let keyConfig =
        "config: {key: {type: string, secret: true, title: Key}, region: {type: string, enum: [eu, us], default: eu}}\n"

    /// The host as another process has it, over the same store.
    var connecting: SourceConnecting { SourceConnecting(store, plugs, throttling, clock: clock) }

    func connecting(over store: any PlugStore) -> SourceConnecting {
        SourceConnecting(store, plugs, throttling, clock: clock)
    }

    /// Begins, and gives the query that the browser comes back with.
    func consented(in session: BrowserSession? = nil) async throws -> String {
        let step = try await connecting.begin(ada, in: session ?? browser) { _ in Self.callback }
        guard case .browser(let url) = step else { throw NoBrowser() }
        return try await back(from: url)
    }

    /// What the browser comes back with from an address.
    func back(from url: HTTPURL) async throws -> String {
        let response = try await transport.send(HTTPRequest(url: url.description, side: .source))
        let location = try #require(response.headers.first("location"))
        #expect(location.hasPrefix(Self.callback + "?"))
        return String(location.dropFirst(Self.callback.count + 1))
    }

    func answer(_ query: String, in session: BrowserSession? = nil) async throws -> ConnectedAccount {
        try await connecting.answer(query, at: Self.callback, in: session ?? browser)
    }

    func status() async throws -> ConnectionSetup.Status? { try await store.setup(of: ada)?.status }

    struct NoBrowser: Error {}

    /// - Parameters:
    ///   - auth: The line below `auth:`, with `URL` for the service's address.
    static func with(
        _ auth: String = code,
        config: String = "",
        check: String = "check: {request: {path: /me}, who: .name}\n",
        answers: JSONObject = JSONObject(),
        _ body: (SourceWorld) async throws -> Void
    ) async throws {
        let service = try OAuthServer()
        defer { service.stop() }
        var own = OAuth1Service()
        own.consumer = ("client", "s3cr3t")
        let first = try OAuth1Server(own)
        defer { first.stop() }
        let authority = auth.hasPrefix("oauth1") ? first.authority : service.authority
        let yaml =
            "plug: my-plug\napi: 1\nversion: 1.0.0\nhosts: [\"\(authority)\"]\n\(config)auth:\n  \(auth)\n\(check)"
            + "http: {base: URL, retry: {tries: 1}}\n"
            + "streams: {items: {endpoint: items, key: .id, version: none, request: {path: /items}}}\n"
        let text = yaml.replacing("URL", with: "http://\(authority)").replacing("ONE", with: "http://\(authority)")
        let manifest = try #require(ManifestReader.read(path: "plug.yaml", text: Array(text.utf8)).manifest)
        let clock = MovableClock()
        let store = MemoryStore(clock: clock)
        _ = try await store.openConnection(ada, plug: "my-plug", pda: "https://ann.example")
        let setup = ConnectionSetup(status: .reconnect, dueAt: nil, content: ConnectionPlan(config: answers).content)
        try await store.keepSetup(setup, of: ada, AuditEntry(at: clock.now(), who: "person", what: "made"))
        let transport = try HTTPTransport(policy: loopbackPolicy())
        let clients = ["my-plug": ClientIdentity(id: "client", secret: Secret("s3cr3t"), place: .body)]
        let world = SourceWorld(
            service: service,
            first: first,
            store: store,
            clock: clock,
            transport: transport,
            throttling: RequestThrottling(notes: nil, transport: transport, clock: clock),
            plugs: HostPlugs(HostPlugs.Content([manifest], clients: clients))
        )
        try await body(world)
        await transport.shutDown()
    }
}
