import Connecting
import Cryptography
import CurlTransport
import OAuth
import PDAWire
import PlugCore
import PlugManifest
import PlugStorage
import Syncing
import TestKit
import Testing

@testable import PlugHostWeb

/// A host with plugs of each kind, a service with OAuth and a PDA's key on real sockets, and people with browsers.
struct PersonWorld: Sendable {
    let web: WebWorld
    let service: OAuthServer
    let first: OAuth1Server
    let pda: LoopbackServer
    let transport: HTTPTransport

    /// To make one takes a second where nothing is optimised.
    private static let key = RSAPrivateKey()

    /// The PDA's origin.
    var home: String { "http://\(pda.authority)" }

    func person() -> TestBrowser { TestBrowser(web) }

    /// The token that the PDA makes for a plug.
    func token(_ plug: String = "code", issuer: String? = nil) throws -> String {
        let now = web.clock.now() / 1_000_000
        var claims = TokenClaims(
            issuer: issuer ?? pda.authority,
            subject: "1-ann",
            identifier: "j",
            issuedAt: now,
            expires: now + 30 * 86_400
        )
        claims.application = plug
        let header = Base64URL.encode(Array(#"{"alg":"RS256","typ":"JWT"}"#.utf8))
        let signed = "\(header).\(Base64URL.encode(claims.payload))"
        return "\(signed).\(Base64URL.encode(try Self.key.signature(of: Array(signed.utf8))))"
    }

    /// Logs a browser in at the PDA, from the plug's page.
    ///
    /// - Returns: Where that has led.
    func logIn(_ browser: TestBrowser, _ plug: String = "code") async throws -> String {
        _ = await browser.get("/plugs/\(plug)/connect")
        let left = await browser.submit("/plugs/\(plug)/connect", [("pda", pda.authority)])
        #expect(left.header("Location")?.hasPrefix("\(home)/#/hatlogin?name=\(plug)&") == true)
        let back = await browser.get("/plugs/\(plug)/setup?token=\(try token(plug))")
        return try #require(back.header("Location"))
    }

    /// Goes to the service with a browser that has a connection, and comes back to the host.
    ///
    /// - Returns: The address that the service has sent the browser to, as a path of this host.
    func consent(_ browser: TestBrowser, at source: String) async throws -> String {
        _ = await browser.get(source)
        let left = await browser.submit(source, [("streams", "items"), ("streams", "more")])
        let service = try #require(left.header("Location"))
        let answer = try await transport.send(HTTPRequest(url: service, side: .source))
        let back = try #require(answer.headers.first("Location"))
        #expect(back.hasPrefix("\(WebWorld.origin)/oauth/callback/"))
        return String(back.dropFirst(WebWorld.origin.count))
    }

    /// Connects an account from nothing.
    ///
    /// - Returns: The connection's name.
    func connected(_ browser: TestBrowser) async throws -> String {
        let source = try await logIn(browser)
        let callback = try await consent(browser, at: source)
        let end = try #require(await browser.get(callback).header("Location"))
        #expect(await browser.get(end).status == 200)
        return String(source.split(separator: "/")[1])
    }

    static func with(_ body: (PersonWorld) async throws -> Void) async throws {
        let service = try OAuthServer()
        defer { service.stop() }
        var own = OAuth1Service()
        own.consumer = ("client", "s3cr3t")
        let first = try OAuth1Server(own)
        defer { first.stop() }
        let pem = key.publicKey.pem
        let pda = try LoopbackServer { connection in
            while connection.next() != nil {
                guard connection.answer(200, ["Content-Type: text/plain"], Array(pem.utf8)) else { return }
            }
        }
        defer { pda.stop() }
        var policy = NetworkPolicy()
        let network = try #require(CIDR("127.0.0.0/8"))
        (policy.allowedSourceNetworks, policy.allowedPDANetworks) = ([network], [network])
        let transport = try HTTPTransport(policy: policy)
        let plugs = try HostPlugs(
            HostPlugs.Content(
                [
                    manifest(
                        "code",
                        "oauth2: {authorize: {url: \"URL/authorize\"}, token: {url: \"URL/token\"}, revoke: {url: \"URL/revoke\"}, scopes: [read]}",
                        service.authority
                    ),
                    manifest(
                        "first",
                        "oauth1: {request: {url: \"URL/request\"}, authorize: {url: \"URL/authorize\"}, access: {url: \"URL/access\"}}",
                        first.authority
                    ),
                    manifest(
                        "device",
                        "oauth2: {grant: device_code, device: {url: \"URL/device\"}, token: {url: \"URL/token\"}}",
                        service.authority
                    ),
                    manifest(
                        "key",
                        "bearer: {token: \"{{ config.key }}\"}",
                        config:
                            "config: {key: {type: string, secret: true, title: Your key}, region: {type: string, enum: [eu, us], default: eu}}\n",
                        service.authority
                    ),
                ],
                clients: Dictionary(
                    uniqueKeysWithValues: ["code", "device", "first"].map {
                        ($0, ClientIdentity(id: "client", secret: Secret("s3cr3t"), place: .body))
                    }
                )
            )
        )
        let web = try await WebWorld(plugs: plugs, network: transport)
        try await body(PersonWorld(web: web, service: service, first: first, pda: pda, transport: transport))
        await transport.shutDown()
    }

    private static func manifest(
        _ id: String,
        _ auth: String,
        config: String = "",
        _ authority: String
    ) throws -> Manifest {
        let text = """
            plug: \(id)
            api: 1
            version: 1.0.0
            hosts: ["\(authority)"]
            application: {info: {name: "<b>\(id)</b>", headline: "Things & more"}}
            \(config)auth:
              \(auth)
            check: {request: {path: /me}, who: .name}
            http: {base: URL, retry: {tries: 1}}
            streams:
              items: {endpoint: items, key: .id, version: none, request: {path: /items}, since: {field: .at, type: time}, every: 15m}
              more: {endpoint: more, key: .id, version: none, request: {path: /items}}

            """.replacing("URL", with: "http://\(authority)")
        let read = ManifestReader.read(path: "plug.yaml", text: Array(text.utf8))
        return try #require(read.manifest, "\(read)")
    }
}
