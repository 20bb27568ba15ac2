import Connecting
import CurlTransport
import LosslessJSON
import PDAWire
import PlugCore
import PlugManifest
import PlugStorage
import Syncing
import TestKit
import Throttling

@testable import PlugHostWeb

/// A host's web side without a socket, with connections of two people and everybody who may ask.
struct WebWorld: Sendable {
    static let origin = "http://127.0.0.1:22100"
    let clock = MovableClock()
    let store: any PlugStore
    let table: RouteTable
    /// The runs that are under way.
    let live: LiveRuns
    /// The host as another process has it, over the same store.
    let connecting: SourceConnecting
    private let responder: HostResponder

    /// Whose connections there are: `mine` is Ada's, `foreign` is Bob's.
    static let ada = "https://ada.example.org"
    static let bob = "https://bob.example.org"
    static let plug = "plays"

    /// - Parameters:
    ///   - plugs: Its plugs, where they are not to be those of this world.
    ///   - network: Carries requests to PDAs and sources; `nil` for one that reaches nobody.
    init(
        publicURL: String? = nil,
        listen: String = "127.0.0.1:22100",
        behind proxies: [String] = [],
        more: [HostRoute] = [],
        plugs: HostPlugs? = nil,
        network: HTTPTransport? = nil
    ) async throws {
        store = MemoryStore(clock: clock)
        let plugs = try plugs ?? HostPlugs(HostPlugs.Content([try Self.manifest()], clients: [:]))
        let bell = Bell()
        live = LiveRuns(clock: clock)
        let sender: any HTTPSending = network ?? NoNetwork()
        let policy = network?.policy ?? NetworkPolicy()
        let throttling = RequestThrottling(notes: nil, transport: sender, clock: clock)
        var means = HostServer.Means(
            store: store,
            plugs: plugs,
            directory: NoApplications(),
            throttling: throttling,
            verifier: PDATokenVerifier(sender, policy: policy, clock: clock),
            policy: policy,
            webhooks: WebhookReceiver(plugs, store: store, clock: clock, bell: bell),
            bell: bell,
            live: live,
            metrics: { "runs_total 1\n" },
            clock: clock
        ) {}
        means.pdas = TokensByName()
        connecting = SourceConnecting(store, plugs, throttling, clock: clock)
        table = RouteTable(HostServer.table(means).routes + more)
        responder = HostResponder(
            table,
            names: HostNames(
                publicURL: try publicURL.map { try HTTPURL($0) },
                listen: ListenAddress(listen) ?? ListenAddress(host: "127.0.0.1", port: 0)
            ),
            visitors: HostServer.visitors(means),
            behind: TrustedProxies(proxies.compactMap { CIDR($0) }),
            clock: clock
        )
        for (name, pda) in [("mine", Self.ada), ("foreign", Self.bob)] {
            let id = ConnectionID(name)
            _ = try await store.openConnection(id, plug: Self.plug, pda: pda)
            let setup = ConnectionSetup(status: .paused, dueAt: nil, content: Secret(#"{"config":{}}"#))
            try await store.keepSetup(setup, of: id, AuditEntry(at: 1, who: "shell", what: "added"))
        }
    }

    private static func manifest() throws -> Manifest {
        let text = """
            plug: \(plug)
            api: 1
            version: 1.0.0
            hosts: [a.example]
            config:
              user: {type: string, title: Your name}
              pages: {type: integer, default: 3}
              key: {type: string, secret: true}
              export: {type: file, title: Your export}
            http: {base: "https://a.example"}
            streams:
              fresh: {endpoint: fresh, request: {path: /f}, records: .items, key: [.id], version: none}
              slow: {endpoint: slow, every: 1d, request: {path: /s}, records: .items, key: [.id], version: none}

            """
        guard let manifest = ManifestReader.read(path: "plug.yaml", text: Array(text.utf8)).manifest else {
            throw Missing()
        }
        return manifest
    }

    /// What a browser or a program sends.
    func send(
        _ method: String,
        _ target: String,
        _ headers: [(String, String)] = [],
        host: String = "127.0.0.1:22100",
        peer: String = "192.0.2.1",
        body: String? = nil
    ) async -> HostAnswer {
        var fields = headers.map { HTTPHeader($0.0, $0.1) } + [HTTPHeader("Host", host)]
        let bytes = Array((body ?? "").utf8)
        if body != nil { fields.append(HTTPHeader("Content-Length", "\(bytes.count)")) }
        let request = IncomingRequest(method: method, target: target, headers: HTTPHeaders(fields), peer: peer) {
            limit in
            guard bytes.count <= limit else { throw BodyTooLarge() }
            return bytes
        }
        return await responder.answer(request).answer
    }

    /// Logs a browser in.
    func browser(_ role: StoredSession.Role, _ subject: String) async throws -> BrowserSecret {
        let sessions = HostSessions(store, clock: clock)
        let answer = try await sessions.logIn(role, subject, with: BrowserSecret(), leadingTo: "/")
        guard case .set(let secret, _) = answer.cookie, let kept = BrowserSecret(cookie: secret.text.reveal()) else {
            throw Missing()
        }
        return kept
    }

    struct Missing: Error {}
}

extension HostAnswer {
    func header(_ name: String) -> String? { headers.first { $0.name == name }?.value }
    var text: String { String(decoding: body, as: UTF8.self) }
    /// The `code` of a problem.
    var code: String? { (try? JSONValue(parsing: body))?["code"]?.stringText }
}

/// Takes a PDA's word: the token is its name.
struct TokensByName: PDAVisitorReading {
    func pda(showing token: Secret, for plug: String?) async throws -> (pda: String, plug: String)? {
        token.reveal().hasPrefix("https://") ? (token.reveal(), plug ?? WebWorld.plug) : nil
    }
}

/// Nobody can be reached.
struct NoNetwork: HTTPSending {
    func send(_ request: HTTPRequest) async throws(HTTPError) -> HTTPResponse {
        throw HTTPError(.cannotConnect, "there is no network")
    }
}

struct NoApplications: ApplicationDirectory {
    func definition(of id: String) async throws -> JSONValue? { nil }
    func definitions() async throws -> [JSONValue] { [] }
    func registerConsent(to id: String, token: Secret) async throws {}
}
