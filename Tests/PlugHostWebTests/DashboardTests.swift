import CurlTransport
import Foundation
import LosslessJSON
import PDAWire
import PlugCore
import PlugRuntime
import PlugStorage
import Syncing
import TestKit
import Testing

@testable import PlugHostWeb

/// What operators see of the whole host, and do with what is kept of a connection.
struct DashboardTests {
    private static let mine = ConnectionID("mine")
    private static let stream = StreamID(connection: mine, stream: "fresh")

    private func get(_ world: WebWorld, _ target: String) async throws -> HostAnswer {
        let browser = try await world.browser(.operator, "ada")
        return await world.send("GET", target, [("Cookie", "plughost=\(browser.text.reveal())")])
    }

    private func post(_ world: WebWorld, _ target: String, _ fields: [(String, String)]) async throws -> HostAnswer {
        let browser = try await world.browser(.operator, "ada")
        let headers = [
            ("Cookie", "plughost=\(browser.text.reveal())"), ("Content-Type", "application/x-www-form-urlencoded"),
        ]
        let body = FormText.encode([(name: Page.formField, value: browser.formToken)] + fields.map { ($0.0, $0.1) })
        return await world.send("POST", target, headers, body: body)
    }

    /// A run that has ended.
    @discardableResult
    private func run(
        _ world: WebWorld,
        _ outcome: String,
        _ tally: RunTally = RunTally(),
        report: String = "{}",
        of connection: ConnectionID = mine
    ) async throws -> Int64 {
        let start = RunStart(connection: connection, version: "1.0.0", at: world.clock.now())
        let run = try await world.store.beginRun(start)
        world.clock.advance(.seconds(2))
        try await world.store.endRun(run, outcome: outcome, report: Array(report.utf8), tally: tally)
        return run
    }

    private func keep(_ letters: [DeadLetter], _ batches: [OutboxBatch] = [], _ world: WebWorld) async throws {
        try await world.store.commit(
            StreamCommit(stream: Self.stream, pass: 1, deadLetters: letters, outbox: batches)
        )
    }

    private func letter(_ name: String, reason: String = "404 CANARY") -> DeadLetter {
        DeadLetter(
            stage: .deliver,
            code: "pda-refuses",
            reason: reason,
            record: Array(#"{"_id":"CANARY/\#(name)","secret":"CANARY"}"#.utf8),
            identity: "CANARY/\(name)",
            path: DataPath(namespace: "plays", endpoint: "fresh")
        )
    }

    private func batch(_ text: String) throws -> OutboxBatch {
        var records = RecordBlock()
        records.append(#"{"_id":"plays/fresh/\#(text)","secret":"CANARY"}"#.utf8, identity: "plays/fresh/\(text)".utf8)
        return OutboxBatch(
            path: try #require(DataPath(namespace: "plays", endpoint: "fresh")),
            records: records,
            fingerprints: [UInt8](repeating: 9, count: 16)
        )
    }

    // MARK: The whole host

    @Test func theOverviewTellsHowTheHostIs() async throws {
        let world = try await WebWorld()
        for _ in 1...3 { try await run(world, "done", RunTally(requests: 4, records: 1_000)) }
        try await run(world, "failed", RunTally(requests: 1, deadLetters: 2, error: "source-unavailable"))
        try await keep([letter("a")], [try batch("x")], world)
        let page = try await get(world, "/operator")
        #expect(page.status == 200 && page.title == "Overview")
        for part in [
            "<b class=\"warn\">2</b> Paused", "href=\"/operator/connections?state=paused\"",
            "3 done and 1 failed. At most 4 in one hour.", "3,000 delivered and 2 dead letters.",
            "role=\"img\" aria-labelledby=\"runs-title runs-text\"", "<title id=\"runs-title\">How runs ended</title>",
            "<summary>Numbers</summary>", "<code>source-unavailable</code>", "href=\"/operator/plugs/plays\"",
            "<span class=\"bad\">25\u{A0}%</span>", "<tr><th scope=\"row\">Up to 1 hour</th><td>1</td><td>1</td>",
            "href=\"/operator/connections/mine/outbox\"", "Dead letters: 1.",
            "A run takes 2 s and 3.3 requests", "None: no service has asked to wait",
        ] { #expect(page.text.contains(part), "\(part)\n\(page.text)") }
        // The week shows the same runs in other bars.
        let week = try await get(world, "/operator?span=week").text
        #expect(
            week.contains("At most 4 in one stretch of six hours.")
                && week.contains("span=week\" aria-current=\"true\"")
        )
    }

    @Test func anEmptyHostHasAnOverviewToo() async throws {
        let page = try await get(try await WebWorld(), "/operator?span=nonsense")
        #expect(page.status == 200)
        for part in ["None in this time.", "Nothing is waiting.", "No run has ended with an error in this time."] {
            #expect(page.text.contains(part), "\(part)")
        }
    }

    @Test func aPlugIsShownWithItsRunsErrorsAndVersions() async throws {
        let world = try await WebWorld()
        try await run(world, "done")
        try await run(world, "failed", RunTally(error: "map-failed"))
        let page = try await get(world, "/operator/plugs/plays")
        for part in [
            "<span class=\"bad\">50\u{A0}%</span>", "<code>map-failed</code>", "<th scope=\"row\">1.0.0</th><td>2</td>",
            "href=\"/operator/connections?plug=plays&amp;state=paused\"", "href=\"/plugs/plays\"",
        ] { #expect(page.text.contains(part), "\(part)\n\(page.text)") }
        #expect(try await get(world, "/operator/plugs").text.contains("href=\"/operator/plugs/plays\""))
        #expect(try await get(world, "/operator/plugs/none").status == 404)
        // One that is served no more is shown as long as there is something of it.
        _ = try await world.store.openConnection(ConnectionID("old"), plug: "gone", pda: WebWorld.ada)
        #expect(try await get(world, "/operator/plugs/gone").text.contains("no longer served by this host"))
    }

    @Test func whatFailsIsCountedFoundAndNotShownAsActive() async throws {
        let world = try await WebWorld()
        for (name, code) in [
            ("ill", "pda-address"), ("away", "pda-unreachable"), ("well", nil),
        ] as [(String, String?)] {
            let id = ConnectionID(name)
            _ = try await world.store.openConnection(id, plug: "plays", pda: WebWorld.ada)
            let setup = ConnectionSetup(status: .active, dueAt: 1, content: Secret(#"{"config":{}}"#))
            let change = AuditEntry(at: 1, who: "shell", what: "added")
            try await world.store.keepSetup(setup, of: id, change)
            let report = code.map { #"{"error":{"code":"\#($0)","message":"m"}}"# } ?? "{}"
            try await run(world, code == nil ? "done" : "failed", RunTally(error: code), report: report, of: id)
        }
        let overview = try await get(world, "/operator").text
        for part in [
            "<a href=\"/operator/connections?state=failing\"><b class=\"bad\">1</b> Failing</a>",
            "<a href=\"/operator/connections?state=waiting\"><b class=\"warn\">1</b> Waits for its PDA or service</a>",
            "<a href=\"/operator/connections?code=pda-address\"><code>pda-address</code></a></th><td>1</td><td>1</td>",
        ] { #expect(overview.contains(part), "\(part)\n\(overview)") }
        for (query, names) in [
            ("state=failing", ["ill"]), ("state=waiting", ["away"]), ("code=pda-address", ["ill"]),
            ("state=active", ["away", "ill", "well"]), ("code=none", []),
        ] {
            let list = try await get(world, "/operator/connections?\(query)").text
            for name in ["away", "ill", "well"] {
                #expect(list.contains(" · \(name)</span>") == names.contains(name), "\(query) \(name)\n\(list)")
            }
        }
        let list = try await get(world, "/operator/connections?q=ill").text
        #expect(
            list.contains("<span class=\"bad\">Failing</span> since <time") && list.contains("<code>pda-address</code>")
        )
        let page = try await get(world, "/connections/away").text
        #expect(page.contains("<b class=\"warn\">Waits for its PDA</b>"), "\(page)")
        #expect(page.contains("<b class=\"warn\">Waits for your PDA</b>"), "What its person sees")
    }

    // MARK: Searching

    @Test func connectionsAreFoundPageByPage() async throws {
        let world = try await WebWorld()
        for number in 100..<220 {
            let id = ConnectionID("person-\(number)")
            _ = try await world.store.openConnection(id, plug: "plays", pda: "https://p\(number).example.org")
        }
        let first = try await get(world, "/operator/connections?q=person").text
        #expect(first.contains("person-100") && first.contains("person-149") && !first.contains("person-150"))
        #expect(first.contains("q=person&amp;plug=&amp;state=&amp;code=&amp;after=person-149"), "\(first)")
        let second = try await get(world, "/operator/connections?q=person&after=person-149").text
        #expect(second.contains("person-150") && !second.contains("person-149"))
        let byPDA = try await get(world, "/operator/connections?q=p12&plug=plays").text
        #expect(byPDA.contains("person-120") && byPDA.contains("person-129") && !byPDA.contains("person-130"))
        #expect(try await get(world, "/operator/connections?state=paused").text.contains(">mine<") == false)
        #expect(try await get(world, "/operator/connections?q=none").text.contains("No connection matches."))
    }

    // MARK: A connection

    @Test func operatorsSeeWhereAConnectionIs() async throws {
        let world = try await WebWorld()
        let report = """
            {"error":{"code":"source-unauthorised","message":"it said <i>no</i>"},"outbox":{"drained":0},
             "streams":{"fresh":{"requests":1234,"pages":3,"fetched":7,"delivered":5,"duplicates":2}}}
            """
        let run = try await run(world, "failed", report: report)
        let state = StreamState(Array(#"{"watermark":"2026-11-01T00:00:00Z"}"#.utf8))
        let commit = StreamCommit(
            stream: Self.stream,
            pass: 1,
            states: ["": state],
            deadLetters: [letter("a"), letter("b")],
            outbox: [try batch("x")]
        )
        try await world.store.commit(commit)
        let page = try await get(world, "/connections/mine").text
        for part in [
            "2026-11-01T00:00:00Z", "Dead letters (2)", "Outbox (1)", "What the person sees",
            "/operator/connections/mine/runs/\(run)", "<td>1,234</td><td>2 s</td>",
            "<code>source-unauthorised</code> It said &lt;i&gt;no&lt;/i&gt;.",
            "Its person has to connect the account again",
        ] { #expect(page.contains(part), "\(part)\n\(page)") }
        #expect(!page.contains("Connect the account</a>"))
        let one = try await get(world, "/operator/connections/mine/runs/\(run)").text
        for part in ["<code>source-unauthorised</code>", "<dd>2 s</dd>", "<td>1,234</td>"] {
            #expect(one.contains(part), "\(part)\n\(one)")
        }
        // The run of one connection is not shown as that of another.
        #expect(try await get(world, "/operator/connections/foreign/runs/\(run)").status == 303)
        #expect(try await get(world, "/operator/connections/mine/runs/x").status == 303)
        // People see what they saw before.
        let ada = try await world.browser(.person, WebWorld.ada)
        let hers = await world.send("GET", "/connections/mine", [("Cookie", "plughost=\(ada.text.reveal())")]).text
        #expect(!hers.contains("/operator") && !hers.contains("2026-11-01T00:00:00Z") && !hers.contains("Requests"))
    }

    @Test func deadLettersAreErasedAfterASecondQuestion() async throws {
        let world = try await WebWorld()
        try await keep([letter("a"), letter("b"), letter("c")], [], world)
        let path = "/operator/connections/mine/dead-letters"
        let ids = try await world.store.deadLetters(DeadLetterFilter()).map(\.id)
        let page = try await get(world, path).text
        #expect(page.contains("the PDA refused it with 404") && !page.contains("CANARY"), "\(page)")
        let none = try await post(world, path, [("do", "drop")])
        #expect(none.status == 422 && none.text.contains("Choose at least one."))
        let asked = try await post(world, path, [("do", "drop"), ("id", "\(ids[0])"), ("id", "\(ids[2])")])
        #expect(asked.title == "Erase 2?" && asked.text.contains("name=\"sure\""))
        #expect(try await world.store.deadLetters(DeadLetterFilter()).count == 3)
        // Those of other connections cannot be named here.
        let foreign = "/operator/connections/foreign/dead-letters"
        #expect(try await post(world, foreign, [("do", "drop"), ("sure", "yes"), ("id", "\(ids[0])")]).status == 422)
        let fields = [("do", "drop"), ("sure", "yes"), ("id", "\(ids[0])"), ("id", "\(ids[2])")]
        let lease = try await world.store.lease(Self.mine)
        #expect(try await post(world, path, fields).status == 409)
        lease.end()
        #expect(try await post(world, path, fields).text.contains("Erased: 2."))
        #expect(try await world.store.deadLetters(DeadLetterFilter()).map(\.id) == [ids[1]])
        let changes = try await world.store.audit(of: Self.mine).map { "\($0.who): \($0.what)" }
        #expect(changes.first == "operator ada: erased 2 of its dead letters")
    }

    @Test func batchesAreErasedAfterASecondQuestion() async throws {
        let world = try await WebWorld()
        try await keep([], [try batch("x"), try batch("y")], world)
        let path = "/operator/connections/mine/outbox"
        let ids = try await world.store.waitingBatches(of: Self.mine, limit: 9).map(\.id)
        let page = try await get(world, path).text
        #expect(page.contains("id=\"id-\(ids[0])\"") && !page.contains("CANARY"), "\(page)")
        _ = try await post(world, path, [("do", "drop"), ("sure", "yes"), ("id", "\(ids[0])")])
        #expect(try await world.store.waitingBatches(of: Self.mine, limit: 9).map(\.id) == [ids[1]])
    }

    /// The PDA cannot be reached in this world: what is not sent stays, and the page says so.
    @Test func whatCannotBeSentAgainStays() async throws {
        let world = try await WebWorld()
        try await keep([letter("a")], [try batch("x")], world)
        let ids = try await world.store.deadLetters(DeadLetterFilter()).map(\.id)
        for (path, fields) in [
            ("dead-letters", [("do", "retry"), ("id", "\(ids[0])")]), ("outbox", [("do", "retry")]),
        ] {
            let answer = try await post(world, "/operator/connections/mine/\(path)", fields)
            #expect(answer.status == 422 && answer.text.contains("token"), "\(answer.text)")
        }
        #expect(try await world.store.deadLetters(DeadLetterFilter()).map(\.id) == ids)
        #expect(try await world.store.outboxSize(of: nil).batches == 1)
    }

    /// What the PDA takes now, with the token that the connection keeps, is no dead letter any more, and waits no longer.
    @Test func whatIsSentAgainIsInThePDA() async throws {
        let pda = try LoopbackServer { connection in
            while let request = connection.next() {
                let records = (try? JSONValue(parsing: request.body))?.elements ?? []
                let echo = records.enumerated().map { at, record in
                    JSONValue.members(
                        ("endpoint", .text("plays/fresh")),
                        ("recordId", .text("r\(at)")),
                        ("data", record)
                    )
                }
                let body = Array(JSONValue.array(echo).compactText.utf8)
                guard connection.answer(201, ["Content-Type: application/json"], body) else { return }
            }
        }
        defer { pda.stop() }
        var policy = NetworkPolicy()
        policy.allowedPDANetworks = [try #require(CIDR("127.0.0.0/8"))]
        let transport = try HTTPTransport(policy: policy)
        let world = try await WebWorld(network: transport)
        let id = ConnectionID("there")
        _ = try await world.store.openConnection(id, plug: "plays", pda: "http://\(pda.authority)")
        let now = world.clock.now() / 1_000_000
        var claims = TokenClaims(
            issuer: pda.authority,
            subject: "1-ann",
            identifier: "j",
            issuedAt: now,
            expires: now + 86_400
        )
        claims.application = "plays"
        let token = Secret("e30.\(Base64URL.encode(claims.payload)).c2ln")
        try await world.store.keepToken(KeptToken(token: token, issuedAt: now), of: id)
        let stream = StreamID(connection: id, stream: "fresh")
        try await world.store.commit(
            StreamCommit(stream: stream, pass: 1, deadLetters: [letter("a"), letter("b")], outbox: [try batch("x")])
        )
        let ids = try await world.store.deadLetters(DeadLetterFilter()).map(\.id)
        let letters = OperatorPath.of(id, "dead-letters")
        let one = try await post(world, letters, [("do", "retry"), ("id", "\(ids[0])")])
        #expect(one.text.contains("<p class=\"good\" role=\"status\">1 delivered.</p>"), "\(one.text)")
        #expect(try await world.store.deadLetters(DeadLetterFilter()).map(\.id) == [ids[1]])
        let all = try await post(world, OperatorPath.of(id, "outbox"), [("do", "retry")])
        #expect(all.text.contains("1 now in the PDA."), "\(all.text)")
        #expect(try await world.store.outboxSize(of: nil).batches == 0)
        let changes = try await world.store.audit(of: id).map(\.what)
        #expect(changes == ["sent waiting batches again", "sent dead letters again"])
        await transport.shutDown()
    }

    // MARK: What is never shown

    @Test func noPageShowsASecretOrARecord() async throws {
        let world = try await WebWorld()
        let content = Secret(#"{"config":{"user":"u","key":"CANARY"}}"#)
        let setup = ConnectionSetup(status: .active, dueAt: nil, content: content)
        try await world.store.keepSetup(setup, of: Self.mine, AuditEntry(at: 1, who: "shell", what: "added"))
        try await world.store.keepToken(KeptToken(token: Secret("CANARY"), issuedAt: 1), of: Self.mine)
        try await keep([letter("a")], [try batch("x")], world)
        let run = try await run(world, "done")
        for path in Self.pages(run) {
            let page = try await get(world, path)
            #expect(page.status == 200 && !page.text.contains("CANARY"), "\(path)")
        }
    }

    private static func pages(_ run: Int64) -> [String] {
        [
            "/operator", "/operator?span=month", "/operator/connections", "/operator/plugs", "/operator/plugs/plays",
            "/operator/changes", "/connections/mine", "/operator/connections/mine/dead-letters",
            "/operator/connections/mine/outbox", "/operator/connections/mine/live",
            "/operator/connections/mine/runs/\(run)",
        ]
    }

    private static let naughty =
        (ProcessInfo.processInfo.environment["PLUGHOST_TEST_DATA"] ?? "../shared/data") + "/blns.json"

    @Test(.enabled(if: FileManager.default.fileExists(atPath: naughty), "the naughty strings are not here"))
    func naughtyNamesStayText() async throws {
        let strings = try JSONValue(parsing: Array(Data(contentsOf: URL(filePath: Self.naughty)))).elements ?? []
        let harmful = strings.compactMap(\.stringText).filter {
            $0.utf8.count > 3 && ($0.contains("<") || $0.contains("\""))
        }
        #expect(harmful.count > 100)
        for text in harmful {
            let world = try await WebWorld()
            let id = ConnectionID(text)
            _ = try await world.store.openConnection(id, plug: text, pda: "https://\(text)")
            var report = JSONObject()
            report["error"] = .members(("code", .text(text)), ("message", .text(text)))
            report["streams"] = .object(JSONObject([(JSONString(text), .object(JSONObject()))]))
            let tally = RunTally(error: text)
            let run = try await run(world, "failed", tally, report: JSONValue.object(report).compactText, of: id)
            let letter = DeadLetter(stage: .normalise, code: text, reason: text, record: [], identity: text, path: nil)
            let stream = StreamID(connection: id, stream: text)
            try await world.store.commit(
                StreamCommit(stream: stream, pass: 1, deadLetters: [letter], outbox: [try batch("x")])
            )
            let paths = [
                "/operator", "/operator/connections", "/operator/plugs", OperatorPath.plug(text),
                "\(ConnectionPath(id))", OperatorPath.of(id, "dead-letters"), OperatorPath.of(id, "outbox"),
                OperatorPath.of(id, "live"), OperatorPath.of(id, "runs/\(run)"),
            ]
            for path in paths where !text.isEmpty {
                let page = try await get(world, path).text
                #expect(!page.contains(text), "\(path): \(text)")
            }
        }
    }
}
