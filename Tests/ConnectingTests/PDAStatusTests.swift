import Connecting
import CurlTransport
import LosslessJSON
import PlugCore
import PlugStorage
import TestKit
import Testing

/// A PDA that asks whether a plug works, and logins at a PDA.
@Suite(.fewAtATime)
struct PDAStatusTests {
    private struct World {
        let pda: KeyHolder
        let clock: MovableClock
        let store: any PlugStore
        let status: PDAStatus
        let verifier: PDATokenVerifier
        let policy: NetworkPolicy

        var now: Int64 { clock.now() / 1_000_000 }

        /// A connection with a token that was made a minute ago.
        func connect(_ status: ConnectionSetup.Status, _ id: ConnectionID = ada, subject: String = "1-ann") async throws
        {
            _ = try await store.openConnection(id, plug: "my-plug", pda: "http://\(pda.issuer)")
            let token = try TestKeys.token(of: pda.issuer, subject: subject, issuedAt: now - 60)
            try await store.keepToken(KeptToken(token: token, issuedAt: now - 60), of: id)
            let setup = ConnectionSetup(status: status, dueAt: nil, content: Secret("{}"))
            try await store.keepSetup(setup, of: id, AuditEntry(at: 1, who: "person", what: "made"))
        }

        /// Writes down a run that ended with an error.
        func fail(_ code: String) async throws {
            let run = try await store.beginRun(RunStart(connection: ada, version: "1.0.0", at: clock.now()))
            let report = #"{"outcome":"failed","error":{"code":"\#(code)"}}"#
            try await store.endRun(run, outcome: "failed", report: Array(report.utf8))
        }

        func answer(_ token: Secret?, plug: String = "my-plug") async -> PDAStatus.Answer {
            await status.answer(plug: plug, token: token)
        }
    }

    private func withWorld(_ body: (World) async throws -> Void) async throws {
        let pda = try KeyHolder()
        defer { pda.stop() }
        let policy = try loopbackPolicy()
        let transport = try HTTPTransport(policy: policy)
        let clock = MovableClock()
        let store = MemoryStore(clock: clock)
        let verifier = PDATokenVerifier(transport, policy: policy, clock: clock)
        let status = PDAStatus(store, verifier, clock: clock)
        try await body(
            World(pda: pda, clock: clock, store: store, status: status, verifier: verifier, policy: policy)
        )
        await transport.shutDown()
    }

    @Test func aConnectionThatWorksIsConfirmedAndTakesTheToken() async throws {
        try await withWorld { world in
            try await world.connect(.active)
            let token = try TestKeys.token(of: world.pda.issuer, issuedAt: world.now)
            let answer = await world.answer(token)
            #expect(answer.status == 200 && answer.woken == [])
            #expect(answer.body.compactText == #"{"message":"OK","cause":"the plug is connected"}"#)
            #expect(try await world.store.keptToken(of: ada) == KeptToken(token: token, issuedAt: world.now))
            // A PDA asks twice within a second.
            #expect(await world.answer(token).status == 200)
            #expect(world.pda.asked == 1)
        }
    }

    @Test("whoever is not known is refused, and nobody is asked for anything")
    func refused() async throws {
        try await withWorld { world in
            try await world.connect(.active)
            let issuer = world.pda.issuer
            let foreign: [Secret?] = [
                nil, Secret(""), Secret("a.b.c"),
                try TestKeys.token(of: "pda.example", issuedAt: world.now),
                try TestKeys.token(of: issuer, application: "other", issuedAt: world.now),
                try TestKeys.token(of: issuer, subject: "1-eve", issuedAt: world.now),
                try TestKeys.token(of: issuer, issuedAt: world.now - 61),
                try TestKeys.token(of: issuer, issuedAt: world.now, expires: world.now),
            ]
            for token in foreign { #expect(await world.answer(token).status == 403) }
            let good = try TestKeys.token(of: issuer, issuedAt: world.now)
            #expect(await world.answer(good, plug: "another").status == 403)
            #expect(world.pda.asked == 0)
            // Signed by somebody else: the PDA is asked for its key, and that is all.
            let forged = try TestKeys.token(of: issuer, issuedAt: world.now, by: TestKeys.second)
            #expect(await world.answer(forged).status == 403)
            #expect(try await world.store.keptToken(of: ada)?.issuedAt == world.now - 60)
        }
    }

    @Test(
        "what waits for its PDA goes on",
        arguments: [
            (ConnectionSetup.Status.disabled, "pda-forbidden"), (.reconnect, "pda-token"), (.reconnect, "token-idle"),
        ]
    )
    func woken(_ status: ConnectionSetup.Status, _ code: String) async throws {
        try await withWorld { world in
            try await world.connect(status)
            try await world.fail(code)
            let answer = try await world.answer(TestKeys.token(of: world.pda.issuer, issuedAt: world.now))
            #expect(answer.status == 200 && answer.woken == [ada])
            let setup = try await world.store.setup(of: ada)
            #expect(setup?.status == .active && setup?.dueAt == world.clock.now())
            #expect(try await world.store.audit(of: ada).first?.who == "pda")
        }
    }

    @Test("what waits for its source does not", arguments: ["connect-again", "source-unauthorised", ""])
    func asleep(_ code: String) async throws {
        try await withWorld { world in
            try await world.connect(.reconnect)
            if !code.isEmpty { try await world.fail(code) }
            let token = try TestKeys.token(of: world.pda.issuer, issuedAt: world.now)
            let answer = await world.answer(token)
            #expect(answer.status == 403 && answer.woken == [])
            #expect(try await world.store.setup(of: ada)?.status == .reconnect)
            // The token is taken all the same.
            #expect(try await world.store.keptToken(of: ada)?.token == token)
        }
    }

    @Test func eachConnectionOfThePersonTakesTheTokenAndNobodyElses() async throws {
        try await withWorld { world in
            let (second, eve) = (ConnectionID("second"), ConnectionID("eve"))
            try await world.connect(.reconnect)
            try await world.connect(.paused, second)
            try await world.connect(.active, eve, subject: "1-eve")
            let token = try TestKeys.token(of: world.pda.issuer, issuedAt: world.now)
            #expect(await world.answer(token).status == 200)
            for id in [ada, second] { #expect(try await world.store.keptToken(of: id)?.token == token) }
            #expect(try await world.store.keptToken(of: eve)?.issuedAt == world.now - 60)
        }
    }

    // MARK: - Visitors

    @Test func aTickleMakesWhatIsActiveDueAndWakesNothingElse() async throws {
        try await withWorld { world in
            let (second, third) = (ConnectionID("second"), ConnectionID("third"))
            let pda = "http://\(world.pda.issuer)"
            try await world.connect(.disabled)
            let none = try await world.status.tickle(plug: "my-plug", of: pda)
            #expect(none.status == 403 && none.woken == [])
            #expect(none.body.compactText == #"{"message":"Forbidden","cause":"Account is inactive"}"#)
            try await world.connect(.active, second)
            try await world.connect(.paused, third)
            let some = try await world.status.tickle(plug: "my-plug", of: pda)
            #expect(some.status == 200 && some.woken == [second])
            #expect(some.body.compactText == #"{"message":"Tickled"}"#)
            #expect(try await world.store.setup(of: second)?.dueAt == world.clock.now())
            #expect(try await world.store.setup(of: ada)?.status == .disabled)
            // One that is due already stays so.
            #expect(try await world.status.tickle(plug: "my-plug", of: pda).woken == [])
            #expect(try await world.status.tickle(plug: "other", of: pda).status == 403)
        }
    }

    @Test func aTokenThatIsShownIsVerifiedOnlyForThoseWhoHaveAConnection() async throws {
        try await withWorld { world in
            let tokens = ShownTokens(world.store, world.verifier, clock: world.clock)
            let issuer = world.pda.issuer
            let token = try TestKeys.token(of: issuer, issuedAt: world.now)
            #expect(try await tokens.verified(token, plug: nil)?.plug == nil)
            try await world.connect(.active)
            let eve = try TestKeys.token(of: issuer, subject: "1-eve", issuedAt: world.now)
            for (token, plug) in [(eve, nil), (token, "other"), (Secret("x"), nil)] as [(Secret, String?)] {
                #expect(try await tokens.verified(token, plug: plug)?.plug == nil)
            }
            #expect(world.pda.asked == 0)
            for plug in [nil, "my-plug"] {
                let shown = try await tokens.verified(token, plug: plug)
                #expect(shown?.plug == "my-plug" && shown?.connections.map(\.id) == [ada])
                #expect(shown?.token.pda == "http://\(issuer)")
            }
            // One that is older than the one that is kept says who it is all the same.
            let older = try TestKeys.token(of: issuer, issuedAt: world.now - 3_600)
            #expect(try await tokens.verified(older, plug: nil)?.connections.map(\.id) == [ada])
            #expect(try await tokens.verified(older, plug: nil, onlyNew: true)?.plug == nil)
            #expect(world.pda.asked == 1)
            let forged = try TestKeys.token(of: issuer, issuedAt: world.now, by: TestKeys.second)
            #expect(try await tokens.verified(forged, plug: nil)?.plug == nil)
        }
    }

    // MARK: - Logins

    @Test func aPersonLogsInAtTheirPDA() async throws {
        try await withWorld { world in
            let logins = PDALogins(world.store, world.verifier, policy: world.policy, clock: world.clock)
            let browser = BrowserSession(id: Secret("cookie"))
            var states: [Secret] = []
            let address = try await logins.begin(
                at: " \(world.pda.issuer)/ ",
                plug: "my-plug",
                in: browser,
                redirect: { state in
                    states.append(state)
                    return "https://host.example/in/x"
                },
                fallback: "https://host.example/plugs?a=b"
            )
            #expect(
                address == "http://\(world.pda.issuer)/#/hatlogin?name=my-plug"
                    + "&redirect=https%3A%2F%2Fhost.example%2Fin%2Fx&fallback=https%3A%2F%2Fhost.example%2Fplugs%3Fa%3Db"
            )
            let token = try TestKeys.token(of: world.pda.issuer, issuedAt: world.now)
            let query = "x=1&token=\(token.reveal())"
            let state = try #require(states.first)
            let other = BrowserSession(id: Secret("another"))
            #expect(await code { _ = try await logins.answer(query, state: state, in: other) } == "consent-foreign")
            #expect(try await logins.answer(query, state: state, in: browser).token == token)
            #expect(await code { _ = try await logins.answer(query, state: state, in: browser) } == "consent-used")
        }
    }

    @Test func aLoginAtAnotherPDAOrWithoutATokenIsRefused() async throws {
        try await withWorld { world in
            let logins = PDALogins(world.store, world.verifier, policy: world.policy, clock: world.clock)
            let browser = BrowserSession(id: Secret("cookie"))
            func answer(_ query: String) async throws -> String? {
                var states: [Secret] = []
                _ = try await logins.begin(
                    at: world.pda.issuer,
                    plug: "my-plug",
                    in: browser,
                    redirect: { state in
                        states.append(state)
                        return "https://host.example/"
                    },
                    fallback: "https://host.example/"
                )
                let state = try #require(states.first)
                return await code { _ = try await logins.answer(query, state: state, in: browser) }
            }
            let eve = try TestKeys.token(of: "eve.example", issuedAt: world.now).reveal()
            #expect(try await answer("token=\(eve)") == "pda-token-issuer")
            #expect(try await answer("") == "pda-login-answer")
            #expect(try await answer("token=") == "pda-login-answer")
            #expect(try await answer("token=a&token=b") == "pda-login-answer")
            // Once, before the first browser is sent there.
            #expect(world.pda.asked == 1)
        }
    }

    @Test func nobodyIsSentWhereNoPDAAnswers() async throws {
        try await withWorld { world in
            let logins = PDALogins(world.store, world.verifier, policy: world.policy, clock: world.clock)
            func begin(_ pda: String) async -> String? {
                await code {
                    _ = try await logins.begin(
                        at: pda,
                        plug: "my-plug",
                        in: BrowserSession(id: Secret("cookie")),
                        redirect: { _ in "https://host.example/" },
                        fallback: "https://host.example/"
                    )
                }
            }
            #expect(await begin("nosuch.invalid") == "pda-key-unavailable")
            #expect(await begin("169.254.169.254") == "pda-key-refused")
            world.pda.state.change { $0.body = "<html>" }
            #expect(await begin(world.pda.issuer) == "pda-key-unavailable")
        }
    }

    @Test func aPDAIsNamedByItsHost() throws {
        let (open, closed) = (try loopbackPolicy(), NetworkPolicy())
        #expect(try PDALogin.origin("Ann.Example.net", closed) == "https://ann.example.net")
        #expect(try PDALogin.origin("https://ann.example.net/", closed) == "https://ann.example.net")
        #expect(try PDALogin.origin("http://ann.example.net:8080", closed) == "https://ann.example.net:8080")
        #expect(try PDALogin.origin("http://ann.example.net:8080", open) == "http://ann.example.net:8080")
        #expect(try PDALogin.origin("127.0.0.1:9000", open) == "http://127.0.0.1:9000")
        #expect(try PDALogin.origin("127.0.0.1:9000", closed) == "https://127.0.0.1:9000")
        for typed in [
            "", "ann", "ann.example/path", "javascript:alert(1)", "a@b.example", "ann.example?x", "é.example",
        ] {
            let error = #expect(throws: PlugError.self, "\(typed)") { try PDALogin.origin(typed, open) }
            #expect(error?.code.text == "pda-name")
        }
    }
}
