import CurlTransport
import LosslessJSON
import OAuth
import PlugCore
import PlugFetch
import PlugManifest
import PlugStorage
import TestKit
import Testing

/// `http.base` out of what a service gave with the token.
struct GrantedBaseTests {
    private static let tokenURL = "https://login.test/token"
    private static let client = ["test": ClientIdentity(id: "client", secret: Secret("s3cr3t"))]

    private static func bench(
        _ oauth: String = "grant: client_credentials",
        base: String = "{{ grant.instance }}/v1",
        keep: String = "{instance: .instance_url}"
    ) throws -> Bench {
        var bench = try Bench(
            """
            auth: {oauth2: {\(oauth), token: {url: "\(tokenURL)"}, keep: \(keep)}}
            http: {base: "\(base)", limits: [{match: /other, rate: 1/1h}]}
            streams: {things: {endpoint: t, key: .id, version: none, request: {path: /things}, records: .items, page: {next: .next}}}
            """,
            hosts: "[\"*.inst.test\", other.test]"
        )
        bench.options.clients = client
        return bench
    }

    /// A service that names `instance` with each token, and has two pages.
    private static func source(_ instance: String?, next: String? = nil) -> Script {
        Script { request, _ in
            if request.url == tokenURL {
                let told = instance.map { ",\"instance_url\":\"\($0)\"" } ?? ""
                return .json("{\"access_token\":\"a1\",\"token_type\":\"Bearer\"\(told)}")
            }
            let isFirst = request.path == "/v1/things"
            let link = isFirst ? next.map { "\"\($0)\"" } ?? "null" : "null"
            return .json("{\"items\":[{\"id\":\(isFirst ? 1 : 2)}],\"next\":\(link)}")
        }
    }

    /// Where requests went, and with which token.
    private static func sent(_ source: Script) -> [String] {
        source.sent.map { "\($0.url) \($0.header("Authorization") ?? "-")" }
    }

    @Test func requestsGoWhereTheServiceSays() async throws {
        let source = Self.source("https://na1.inst.test", next: "/v1/more?p=2")
        let reading = try await Self.bench().read(from: source)
        #expect(reading.error == nil && reading.ids == [1, 2])
        #expect(
            Self.sent(source) == [
                "\(Self.tokenURL) -", "https://na1.inst.test/v1/things Bearer a1",
                "https://na1.inst.test/v1/more?p=2 Bearer a1",
            ]
        )
    }

    @Test(
        "the manifest decides where a token goes, and no answer does",
        arguments: [
            "https://evil.test", "http://na1.inst.test", "https://inst.test", "https://na1.inst.test.evil.test",
            "https://user@na1.inst.test", "https://evil.test/na1.inst.test", "https://evil.test#.inst.test",
            "https://na1.inst.test?q=", "na1.inst.test", "file:///etc", "https://na1.inst.test:8443",
        ]
    )
    func escapes(instance: String) async throws {
        let source = Self.source(instance)
        let reading = try await Self.bench().read(from: source)
        #expect(reading.error?.code == "grant-address" && reading.error?.exit == .configuration)
        #expect(source.urls == [Self.tokenURL])
    }

    @Test func anAddressThatIsNotThereIsAnErrorUnlessThereIsADefault() async throws {
        let without = Self.source(nil)
        let reading = try await Self.bench().read(from: without)
        #expect(reading.error?.code == "template-undefined" && reading.error?.exit == .configuration)
        #expect(reading.error?.advice?.hasPrefix("compare 'keep' of 'auth.oauth2' with the answer") == true)
        #expect(without.urls == [Self.tokenURL])
        let source = Self.source(nil)
        let other = try Self.bench(base: "{{ grant.instance // \\\"https://eu.inst.test\\\" }}/v1")
        #expect(try await other.read(from: source).ids == [1])
        #expect(Self.sent(source).last == "https://eu.inst.test/v1/things Bearer a1")
    }

    @Test(arguments: ["{\"a\":1}", "\"a\\u0000b\"", "\"\(String(repeating: "x", count: 2001))\""])
    func whatIsNoPlainTextIsNotKept(value: String) async throws {
        let bench = try Self.bench()
        let source = Script { request, _ in .json("{\"access_token\":\"a1\",\"instance_url\":\(value)}") }
        #expect(try await bench.read(from: source).error?.code == "template-undefined")
        #expect(bench.events.warnings == ["token-field-unread"])
        #expect(
            bench.events.messages.first?.hasSuffix(
                "its 'instance' is not a text of 1 to 2000 bytes without control characters"
            ) == true
        )
    }

    @Test func aLinkToAnotherHostIsFollowedWithoutTheToken() async throws {
        let source = Self.source("https://na1.inst.test", next: "https://other.test/v1/more")
        #expect(try await Self.bench().read(from: source).ids == [1, 2])
        #expect(Self.sent(source).last == "https://other.test/v1/more -")
    }

    // MARK: - Between runs

    private static let id = GrantID(connection: ConnectionID("ann"), name: "oauth2")
    private static let consent = "authorize: {url: \"https://login.test/authorize\"}"

    /// A consent whose access token's time is over, or not.
    private static func connected(values: [String: String], isOver: Bool) async throws -> (Bench, MemoryStore) {
        var bench = try bench(consent)
        let store = MemoryStore()
        _ = try await store.openConnection(ConnectionID("ann"), plug: "test", pda: "https://ann.example")
        let now = bench.clock.now()
        let answer = TokenAnswer(
            accessToken: Secret("a0"),
            refreshToken: Secret("r1"),
            expires: isOver ? now : now + 3_600_000_000,
            scopes: nil,
            values: values
        )
        let content = KeptGrant(Grant(answer, asked: [], now: now), of: GrantOwner(client: "client")).content
        _ = try await store.keepGrant(content, as: id, replacing: nil)
        bench.options.grants = store
        bench.options.connection = ConnectionID("ann")
        return (bench, store)
    }

    private static func kept(_ store: MemoryStore) async throws -> String? {
        try JSONValue(parsing: await store.grant(id)?.content.reveal() ?? "null")["values"]?.compactText
    }

    @Test func aRenewalThatSaysNothingChangesNothing() async throws {
        let (bench, store) = try await Self.connected(values: ["instance": "https://na1.inst.test"], isOver: true)
        let source = Self.source(nil)
        #expect(try await bench.read(from: source).ids == [1])
        #expect(
            Self.sent(source) == ["\(Self.tokenURL) -", "https://na1.inst.test/v1/things Bearer a1"]
        )
        #expect(try await Self.kept(store) == #"{"instance":"https://na1.inst.test"}"#)
    }

    @Test func aRenewalThatNamesAnotherPlaceLeadsThere() async throws {
        let (bench, store) = try await Self.connected(values: ["instance": "https://na1.inst.test"], isOver: true)
        let source = Self.source("https://na2.inst.test")
        #expect(try await bench.read(from: source).ids == [1])
        #expect(Self.sent(source).last == "https://na2.inst.test/v1/things Bearer a1")
        #expect(try await Self.kept(store) == #"{"instance":"https://na2.inst.test"}"#)
    }

    @Test func aTokenThatServesIsUsedWithWhatWasKept() async throws {
        let (bench, _) = try await Self.connected(values: ["instance": "https://na1.inst.test"], isOver: false)
        let source = Self.source(nil)
        #expect(try await bench.read(from: source).ids == [1])
        #expect(Self.sent(source) == ["https://na1.inst.test/v1/things Bearer a0"])
    }

    @Test func whatIsToBeKeptFromNowOnIsAskedFor() async throws {
        var (bench, store) = try await Self.connected(values: [:], isOver: true)
        // A grant as a run without 'keep' leaves it.
        bench.manifest = try Self.bench(Self.consent, base: "https://na1.inst.test/v1", keep: "{}").manifest
        #expect(try await bench.read(from: Self.source("https://na1.inst.test")).ids == [1])
        #expect(try await Self.kept(store) == nil)
        bench.manifest = try Self.bench(Self.consent).manifest
        let source = Self.source("https://na1.inst.test")
        #expect(try await bench.read(from: source).ids == [1])
        #expect(source.urls == [Self.tokenURL, "https://na1.inst.test/v1/things"])
    }

    @Test func aPassThatStoppedOnAnotherHostBeginsAgain() async throws {
        let (bench, _) = try await Self.connected(values: ["instance": "https://na1.inst.test"], isOver: false)
        let states = MemoryStates()
        _ = try await bench.read(from: Self.source(nil, next: "/v1/more"), states, pages: 1)
        #expect(states.value()?["pass"]?.compactText.contains("https://na1.inst.test/v1/more") == true)
        bench.clock.advance(.seconds(3600))
        let source = Self.source("https://na2.inst.test", next: "/v1/more")
        let reading = try await bench.read(from: source, states)
        #expect(reading.ids == [1, 2] && reading.isComplete)
        #expect(
            source.urls == [Self.tokenURL, "https://na2.inst.test/v1/things", "https://na2.inst.test/v1/more"]
        )
        #expect(bench.events.warnings == ["place-refused"])
    }
}
