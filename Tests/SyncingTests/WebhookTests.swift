import Cryptography
import LosslessJSON
import OAuth
import PlugCore
import PlugManifest
import PlugRuntime
import PlugStorage
import Synchronization
import Syncing
import TestKit
import Testing

/// Services that call: what is theirs makes connections due, and nothing else does anything.
struct WebhookTests {
    private static let signed = """
        verify: {hmac: {header: X-Signature, prefix: "v1=", signed: "{id}.{timestamp}.{body}",
            timestamp: {header: X-Time}, id: {header: X-Id}}}
        """
    private static let token = "verify: {token: {header: Authorization, prefix: \"Bearer \"}}"

    private let clock = MovableClock()
    private let store: any PlugStore

    init() { store = MemoryStore(clock: clock) }

    /// A host with connections that are due in an hour; each account is the connection's name in capitals.
    private func receiver(
        _ webhook: String,
        _ names: [String] = ["ada", "bob"],
        store used: (any PlugStore)? = nil
    ) async throws -> WebhookReceiver {
        let yaml = """
            plug: test
            api: 1
            version: 1.0.0
            hosts: [api.test]
            config: {user: {type: string}}
            check: {stream: things, who: .name}
            webhook: {\(webhook)}
            streams: {things: {endpoint: t, key: .id, version: none, request: {path: "https://api.test/"}}}
            """
        let result = ManifestReader.read(path: "plug.yaml", text: Array(yaml.utf8))
        #expect(result.diagnostics.filter { $0.severity == .error } == [])
        let manifest = try #require(result.manifest)
        for name in names {
            let id = ConnectionID(name)
            _ = try await store.openConnection(id, plug: "test", pda: "https://\(name).example")
            let config = JSONObject([(key: JSONString("user"), value: .text("u-\(name)"))])
            let setup = ConnectionSetup(
                status: .active,
                dueAt: clock.now() + 3_600_000_000,
                content: ConnectionPlan(config: config).content
            )
            try await store.keepSetup(setup, of: id, AuditEntry(at: 0, who: "shell", what: "added"))
            let account = Secret(#"{"who":"\#(name.uppercased())"}"#)
            let grant = GrantID(connection: id, name: ConnectionAccount.label)
            _ = try await store.keepGrant(account, as: grant, replacing: nil)
        }
        let client = ClientIdentity(id: "hook", secret: Secret("s3cr3t"))
        let plugs = HostPlugs(HostPlugs.Content([manifest], clients: ["test": client]))
        return WebhookReceiver(plugs, store: used ?? store, clock: clock)
    }

    private func signature(_ message: String, key: String = "s3cr3t") -> String {
        let code = HashFunction.sha256.code(for: Array(message.utf8), key: SecretBytes(Array(key.utf8)))
        return Hexadecimal.encoded(code)
    }

    private func call(
        _ body: String,
        id: String = "1",
        after seconds: Int64 = 0,
        key: String = "s3cr3t",
        sent: String? = nil
    ) -> WebhookCall {
        let time = clock.now() / 1_000_000 + seconds
        return WebhookCall(
            method: "POST",
            query: "",
            headers: [
                ("X-Signature", "v0=00,v1=\(signature("\(id).\(time).\(body)", key: key))"), ("X-Time", "\(time)"),
                ("X-Id", id),
            ],
            body: Array((sent ?? body).utf8)
        )
    }

    /// In how many seconds each connection is due.
    private func due() async throws -> [String: Int64] {
        var due: [String: Int64] = [:]
        for connection in try await store.connections() {
            let time = try await store.setup(of: connection.id)?.dueAt ?? 0
            due[connection.id.name] = (time - clock.now()) / 1_000_000
        }
        return due
    }

    @Test func aCallMakesThoseDueThatItIsAbout() async throws {
        let receiver = try await receiver(Self.signed + ", who: '.users[]'")
        let answer = await receiver.answer(call(#"{"users": ["BOB", "EVE", 7, null]}"#), to: "test")
        #expect(answer.status == 200 && answer.body == [])
        #expect(try await due() == ["ada": 3_600, "bob": 2])
    }

    @Test func aConfigValueTellsWhoseItIs() async throws {
        let receiver = try await receiver(Self.signed + ", who: .user, account: config.user")
        #expect(await receiver.answer(call(#"{"user": "u-ada"}"#), to: "test").status == 200)
        #expect(try await due() == ["ada": 2, "bob": 3_600])
    }

    @Test func withoutWhoAllAreDueAndABurstChangesNothingMore() async throws {
        let receiver = try await receiver(Self.signed)
        #expect(await receiver.answer(call("{}"), to: "test").status == 200)
        #expect(try await due() == ["ada": 2, "bob": 2])
        clock.advance(.seconds(1))
        for number in 2..<50 { #expect(await receiver.answer(call("{}", id: "\(number)"), to: "test").status == 200) }
        #expect(try await due() == ["ada": 1, "bob": 1])
        // A run is under way: it is wanted once more.
        clock.advance(.seconds(1))
        let claims = try await store.claimDue(at: clock.now(), until: clock.now() + 600_000_000, limit: 9)
        #expect(claims.count == 2)
        #expect(await receiver.answer(call("{}", id: "x"), to: "test").status == 200)
        #expect(try await due() == ["ada": 2, "bob": 2])
        // What somebody has paused stays so.
        let change = AuditEntry(at: 0, who: "shell", what: "paused")
        _ = try await store.changeSetup(of: ConnectionID("ada"), status: .paused, dueAt: nil, change)
        #expect(await receiver.answer(call("{}", id: "y"), to: "test").status == 200)
        #expect(try await store.setup(of: ConnectionID("ada"))?.status == .paused)
    }

    @Test func whatIsNotTheServicesIsRefused() async throws {
        let receiver = try await receiver(Self.signed)
        let calls = [
            call("{}", key: "another"), call("{}", sent: "{} "), call("{}", after: -301), call("{}", after: 301),
            WebhookCall(method: "POST", query: "", headers: [], body: Array("{}".utf8)),
            WebhookCall(method: "POST", query: "", headers: [("X-Signature", "v1=")], body: []),
        ]
        for call in calls { #expect(await receiver.answer(call, to: "test").status == 401) }
        #expect(await receiver.answer(call("{}"), to: "other").status == 404)
        let large = String(repeating: " ", count: WebhookCall.bodyLimit + 1)
        #expect(await receiver.answer(call(large), to: "test").status == 413)
        #expect(try await due() == ["ada": 3_600, "bob": 3_600])
    }

    /// A call with the same id is the same one, also where it is signed anew.
    @Test func theSameCallASecondTimeDoesNothing() async throws {
        let receiver = try await receiver(Self.signed)
        let first = call("{}")
        #expect(await receiver.answer(first, to: "test").status == 200)
        clock.advance(.seconds(10))
        let claims = try await store.claimDue(at: clock.now(), until: .max, limit: 9)
        for claim in claims {
            let end = ClaimEnd(status: .active, dueAt: clock.now() + 3_600_000_000, at: clock.now())
            _ = try await store.endClaim(claim, end)
        }
        for repeated in [first, call("{}")] {
            #expect(await receiver.answer(repeated, to: "test").status == 200)
            #expect(try await due() == ["ada": 3_600, "bob": 3_600])
        }
    }

    /// A service that is asked to call again sends the same call.
    @Test func aCallThatFailedCountsWhenItComesAgain() async throws {
        let failing = FailingSetups(store)
        let receiver = try await receiver(Self.signed, store: failing)
        let first = call("{}")
        failing.fails = true
        #expect(await receiver.answer(first, to: "test").status == 503)
        #expect(try await due() == ["ada": 3_600, "bob": 3_600])
        failing.fails = false
        #expect(await receiver.answer(first, to: "test").status == 200)
        #expect(try await due() == ["ada": 2, "bob": 2])
    }

    @Test func anAccountThatWasConnectedSinceIsFoundAtOnce() async throws {
        let receiver = try await receiver(Self.signed + ", who: .user")
        let body = #"{"user": "EVE"}"#
        #expect(await receiver.answer(call(body), to: "test").status == 200)
        try await connect("eve")
        #expect(await receiver.answer(call(body, id: "2"), to: "test").status == 200)
        #expect(try await due() == ["ada": 3_600, "bob": 3_600, "eve": 2])
        // And so is a second connection of the same account.
        try await connect("eve-2")
        #expect(await receiver.answer(call(body, id: "3"), to: "test").status == 200)
        #expect(try await due() == ["ada": 3_600, "bob": 3_600, "eve": 2, "eve-2": 2])
    }

    /// Makes a connection of EVE's account.
    private func connect(_ name: String) async throws {
        let eve = ConnectionID(name)
        let setup = ConnectionSetup(status: .reconnect, dueAt: nil, content: Secret("{}"))
        let added = AuditEntry(at: 1, who: "person", what: "added")
        _ = try await store.addConnection(
            eve,
            plug: "test",
            pda: "https://eve.example",
            token: nil,
            setup: setup,
            added
        )
        let label = GrantID(connection: eve, name: ConnectionAccount.label)
        _ = try await store.keepGrant(Secret(#"{"who":"EVE"}"#), as: label, replacing: nil)
        let connected = AuditEntry(at: 2, who: "person", what: "connected")
        let later = clock.now() + 3_600_000_000
        _ = try await store.changeSetup(of: eve, status: .active, dueAt: later, connected)
    }

    /// An id that is not signed could be another one each time.
    @Test func aSignatureWithATimeCountsOnceWhateverIdStandsBesideIt() async throws {
        let receiver = try await receiver("verify: {hmac: {header: S, timestamp: {header: T}, id: {header: I}}}")
        let time = clock.now() / 1_000_000
        for (id, due) in [("1", 2), ("2", 3_600)] as [(String, Int64)] {
            let headers = [("S", signature("\(time).{}")), ("T", "\(time)"), ("I", id)]
            let call = WebhookCall(method: "POST", query: "", headers: headers, body: Array("{}".utf8))
            #expect(await receiver.answer(call, to: "test").status == 200)
            #expect(try await self.due()["ada"] == due)
            let end = AuditEntry(at: 0, who: "shell", what: "resumed")
            let later = clock.now() + 3_600_000_000
            _ = try await store.changeSetup(of: ConnectionID("ada"), status: .active, dueAt: later, end)
        }
    }

    @Test(arguments: [("Bearer s3cr3t", 200), ("Bearer s3cr3", 401), ("s3cr3t", 401), ("Bearer s3cr3tt", 401)])
    func aSecretThatGoesWithEachCallIsCompared(_ header: String, _ status: Int) async throws {
        let receiver = try await receiver(Self.token)
        let call = WebhookCall(method: "POST", query: "", headers: [("authorization", header)], body: [])
        #expect(await receiver.answer(call, to: "test").status == status)
        #expect(try await due()["ada"] == (status == 200 ? 2 : 3_600))
    }

    @Test func aHandshakeIsAnsweredAndMakesNothingDue() async throws {
        let receiver = try await receiver(Self.signed + ", answer: '.challenge // query.challenge'")
        let asked = WebhookCall(method: "GET", query: "challenge=a%20b", headers: [], body: [])
        let answer = await receiver.answer(asked, to: "test")
        #expect(answer.status == 200 && answer.body == Array("a b".utf8))
        let signed = await receiver.answer(call(#"{"challenge": "c"}"#), to: "test")
        #expect(signed.status == 200 && signed.body == Array("c".utf8))
        // Nobody uses the host to show pages to others.
        for text in ["<script>", "", "a\u{0D}\u{0A}b", "ä", String(repeating: "a", count: 1_025)] {
            let query = "challenge=\(FormText.encode(text))"
            let call = WebhookCall(method: "GET", query: query, headers: [], body: [])
            #expect(await receiver.answer(call, to: "test").status == 401, "\(text)")
        }
        #expect(try await due() == ["ada": 3_600, "bob": 3_600])
    }

    @Test func aConnectionThatCameLaterIsFound() async throws {
        let receiver = try await receiver(Self.signed + ", who: .user")
        #expect(await receiver.answer(call(#"{"user": "EVE"}"#), to: "test").status == 200)
        _ = try await self.receiver(Self.signed, ["eve"])
        #expect(await receiver.answer(call(#"{"user": "EVE"}"#, id: "2"), to: "test").status == 200)
        #expect(try await due()["eve"] == 2)
    }
}

/// A store that takes no change of a set-up while it is told to fail.
private final class FailingSetups: ForwardingStore {
    let store: any PlugStore
    private let failing = Mutex(false)
    var fails: Bool {
        get { failing.withLock { $0 } }
        set { failing.withLock { $0 = newValue } }
    }

    init(_ store: any PlugStore) { self.store = store }

    func writing<Value: Sendable>(_ name: String, _ call: () async throws -> Value) async throws -> Value {
        if fails { throw PlugError("store-failed", exit: .tryLater, "the disk is full") }
        return try await call()
    }
}
