import LosslessJSON
import PlugCore
import PlugStorage
import TestKit
import Testing

@testable import PlugHostWeb

/// What people and operators see of connections, and do with them.
@Suite(.fewAtATime)
struct ConnectionPagesTests {
    private static let report = """
        {"error":{"code":"ERROR","message":"told <b>once</b>"},"outbox":{"drained":1},
         "streams":{"items":{"delivered":41,"dead_letters":2}}}
        """

    /// A run that ended with an error.
    private func run(_ world: PersonWorld, _ id: ConnectionID, _ code: String) async throws {
        let start = RunStart(connection: id, version: "1.0.0", at: world.web.clock.now())
        let number = try await world.web.store.beginRun(start)
        let report = Array(Self.report.replacing("ERROR", with: code).utf8)
        try await world.web.store.endRun(number, outcome: "failed", report: report)
    }

    @Test func aConnectionIsPausedResumedAndRun() async throws {
        try await PersonWorld.with { world in
            let browser = world.person()
            let name = try await world.connected(browser)
            let (path, id) = ("/connections/\(name)", ConnectionID(name))
            let page = await browser.get(path)
            for part in [">Active<", "<dd>ann</dd>", "<dd>at once</dd>", "Nothing yet.", "action=\"\(path)/pause\""] {
                #expect(page.text.contains(part), "\(part)")
            }
            #expect(await browser.submit("\(path)/pause", []).header("Location") == path)
            #expect(try await world.web.store.setup(of: id)?.status == .paused)
            #expect(await browser.get(path).text.contains(">Paused<"))
            _ = await browser.submit("\(path)/resume", [])
            #expect(try await world.web.store.setup(of: id)?.status == .active)
            _ = await browser.submit("\(path)/run", [])
            let changes = try await world.web.store.audit(of: id).map { "\($0.who) \($0.what)" }
            #expect(changes.prefix(3) == ["person run now", "person resumed", "person paused"])
        }
    }

    @Test func aPersonSeesInTheListWhatNeedsThem() async throws {
        try await PersonWorld.with { world in
            let browser = world.person()
            let id = ConnectionID(try await world.connected(browser))
            #expect(await !browser.get("/connections").text.contains("needs you"))
            try await run(world, id, "token-refused")
            let waiting = AuditEntry(at: world.web.clock.now(), who: "host", what: "reconnect")
            _ = try await world.web.store.changeSetup(of: id, status: .reconnect, dueAt: nil, waiting)
            let list = await browser.get("/connections").text
            for part in [
                "<b>1 connection needs you.</b>", "Open it to see what to do.",
                "The service no longer lets the plug in.",
            ] {
                #expect(list.contains(part), "\(part)")
            }
            let page = await browser.get("/connections/\(id.name)").text
            #expect(page.contains("Connect the account again.") && page.contains(">Connect the account</a>"))
        }
    }

    @Test func streamsAreChosen() async throws {
        try await PersonWorld.with { world in
            let browser = world.person()
            let path = "/connections/\(try await world.connected(browser))"
            _ = await browser.get(path)
            let none = await browser.submit("\(path)/streams", [])
            #expect(none.status == 422 && none.text.contains("Choose at least one."))
            let one = await browser.submit("\(path)/streams", [("streams", "more")])
            #expect(one.status == 303)
            let page = await browser.get(path)
            #expect(page.text.contains("value=\"more\" checked") && !page.text.contains("value=\"items\" checked"))
        }
    }

    @Test(
        "a failure is told in plain words, with what to do",
        arguments: [
            (
                "source-unauthorised", "The service no longer lets the plug in.",
                "/source\">Connect the account</a>"
            ),
            ("pda-token", "Your PDA no longer lets the plug in.", "/plugs/code/connect\">Log in at the PDA</a>"),
            ("source-unavailable", "could not be reached, or did not answer", "You need not do anything"),
            (
                "map-failed", "The service sent something that the plug does not understand.",
                "tell whoever runs this host"
            ),
            ("connect-again", "The service no longer lets the plug in.", "/source\">Connect the account</a>"),
            ("outbox-full", "Your PDA could not be reached, or did not accept records.", "You need not do anything"),
            ("state-locked", "It had to wait for others on this host.", "You need not do anything"),
            ("dead-letters-full", "Some records could not be stored in your PDA.", "tell whoever runs this host"),
            ("client-missing", "This host is not set up as the plug needs it.", "tell whoever runs this host"),
            ("nothing-known", "Something went wrong that only whoever runs this host can look into.", "the code below"),
        ]
    )
    func failures(_ code: String, _ what: String, _ advice: String) async throws {
        try await PersonWorld.with { world in
            let browser = world.person()
            let name = try await world.connected(browser)
            try await run(world, ConnectionID(name), code)
            let page = await browser.get("/connections/\(name)")
            #expect(page.text.contains(what) && page.text.contains(advice), "\(page.text)")
            #expect(page.text.contains(">\(code)</p>") && page.text.contains("<td>42<br>"))
            #expect(page.text.contains("2 records refused"))
            // Messages are for those who run hosts.
            #expect(!page.text.contains("old &lt;b&gt;once"))
            let words = ["outbox", "dead letter", "lease", "manifest", "plughost ", "cursor"]
            let text = page.text.replacing(code, with: "")
            for word in words { #expect(!text.contains(word), "\(word)") }
        }
    }

    @Test func anOperatorReadsTheMessageItself() async throws {
        try await PersonWorld.with { world in
            let name = try await world.connected(world.person())
            try await run(world, ConnectionID(name), "map-failed")
            let browser = try await world.web.browser(.operator, "ada")
            let cookie = ("Cookie", "plughost=\(browser.text.reveal())")
            let page = await world.web.send("GET", "/connections/\(name)", [cookie])
            #expect(page.status == 200 && page.text.contains("Told &lt;b&gt;once&lt;/b&gt;."), "\(page.text)")
        }
    }

    @Test func whoChangedWhatIsToldInWordsOfThePerson() async throws {
        try await PersonWorld.with { world in
            let browser = world.person()
            let name = try await world.connected(browser)
            let store = world.web.store
            for (who, status) in [
                ("shell", ConnectionSetup.Status.paused), ("key backup", .active), ("host", .reconnect),
            ] {
                let change = AuditEntry(at: 1, who: who, what: status.rawValue)
                _ = try await store.changeSetup(of: ConnectionID(name), status: status, dueAt: nil, change)
            }
            let page = await browser.get("/connections/\(name)").text
            for row in [
                "<td>whoever runs this host</td><td>paused</td>", "<td>the program backup</td><td>active</td>",
                "<td>this host</td><td>action needed</td>", "<td>you</td><td>changed</td>",
            ] { #expect(page.contains(row), "\(row): \(page)") }
        }
    }

    @Test func aRunWhoseProcessDiedIsNotSaidToRun() async throws {
        try await PersonWorld.with { world in
            let browser = world.person()
            let name = try await world.connected(browser)
            let (path, id) = ("/connections/\(name)", ConnectionID(name))
            let start = RunStart(connection: id, version: "1.0.0", at: world.web.clock.now())
            let store = world.web.store
            let opened = try await store.openRun(start, plug: "code", pda: world.home, streams: [])
            let under = await browser.get(path).text
            #expect(under.contains(">Running<") && under.contains("running now"), "\(under)")
            // What the end of a process leaves behind.
            opened.lease?.end()
            let broken = await browser.get(path).text
            #expect(!broken.contains(">Running<") && !broken.contains("running now"), "\(broken)")
            #expect(broken.contains("Cut short; will continue"), "\(broken)")
            let next = try await store.openRun(start, plug: "code", pda: world.home, streams: [])
            let again = await browser.get(path).text
            #expect(again.contains(">Running<") && again.contains("Cut short; will continue"), "\(again)")
            next.lease?.end()
        }
    }

    @Test func aConnectionIsDisconnectedAndConnectedAgain() async throws {
        try await PersonWorld.with { world in
            let browser = world.person()
            let name = try await world.connected(browser)
            let (path, id) = ("/connections/\(name)", ConnectionID(name))
            #expect(await browser.get("\(path)/disconnect").text.contains("action=\"\(path)/disconnect\""))
            #expect(try await world.web.store.setup(of: id)?.status == .active)
            let done = await browser.submit("\(path)/disconnect", [])
            #expect(done.status == 200 && done.text.contains("The service has revoked the consent."))
            #expect(try await world.web.store.setup(of: id)?.status == .reconnect)
            #expect(await browser.get(path).text.contains("href=\"\(path)/source\">Connect the account</a>"))
            let callback = try await world.consent(browser, at: "\(path)/source")
            #expect(await browser.get(callback).status == 303)
            #expect(try await world.web.store.setup(of: id)?.status == .active)
        }
    }

    @Test func aConnectionIsErasedWithAReceipt() async throws {
        try await PersonWorld.with { world in
            let browser = world.person()
            let name = try await world.connected(browser)
            let (path, id) = ("/connections/\(name)", ConnectionID(name))
            _ = await browser.get("\(path)/erase")
            let lease = try await world.web.store.lease(id)
            let busy = await browser.submit("\(path)/erase", [])
            #expect(busy.status == 409 && busy.title == "Not erased yet")
            #expect(try await world.web.store.setup(of: id)?.status == .paused)
            lease.end()
            let done = await browser.submit("\(path)/erase", [])
            #expect(done.status == 200 && done.text.contains("This is your receipt."))
            #expect(
                done.text.contains("<dd>\(name)</dd>")
                    && done.text.contains("<td>Log-ins at the service</td><td>2</td>")
            )
            #expect(try await world.web.store.connection(id) == nil)
            #expect(await browser.get(path).status == 404)
        }
    }

    @Test func severalAccountsOfOnePlugAreConnected() async throws {
        try await PersonWorld.with { world in
            let browser = world.person()
            let first = try await world.connected(browser)
            #expect(try await world.logIn(browser) == "/plugs/code/connect")
            #expect(await browser.get("/plugs/code/connect").text.contains("href=\"/connections/\(first)\""))
            let source = try #require(await browser.submit("/plugs/code/connections", []).header("Location"))
            #expect(source != "/connections/\(first)/source")
            // One that was not finished is gone on with.
            _ = await browser.get("/plugs/code/connect")
            #expect(await browser.submit("/plugs/code/connections", []).header("Location") == source)
            #expect(try await world.web.store.connections(at: world.home).count == 2)
        }
    }

    @Test func whoOnlyLogsInSeesTheirConnections() async throws {
        try await PersonWorld.with { world in
            let name = try await world.connected(world.person())
            let browser = world.person()
            let refused = await browser.get("/connections/\(name)")
            #expect(refused.status == 401 && refused.text.contains("href=\"/login\""))
            _ = await browser.get("/login")
            let left = await browser.submit("/login", [("plug", "code"), ("pda", world.pda.authority)])
            #expect(left.status == 303)
            let back = await browser.get("/plugs/code/setup?token=\(try world.token())")
            #expect(back.header("Location") == "/connections")
            #expect(await browser.get("/connections/\(name)").status == 200)
        }
    }

    @Test func anOperatorFindsConnectionsByStateAndText() async throws {
        let world = try await WebWorld()
        let operators = try await world.browser(.operator, "ann")
        let cookie = ("Cookie", "plughost=\(operators.text.reveal())")
        func list(_ query: String) async -> [String] {
            let text = await world.send("GET", "/operator/connections\(query)", [cookie]).text
            return ["foreign", "mine"].filter { text.contains("href=\"/connections/\($0)\"") }
        }
        #expect(await list("") == ["foreign", "mine"])
        #expect(await list("?q=ada") == ["mine"])
        #expect(await list("?state=paused&after=foreign") == ["mine"])
        #expect(await list("?state=active") == [])
        let page = await world.send("GET", "/connections/foreign", [cookie])
        #expect(page.status == 200 && !page.text.contains("/source\""))
    }

    /// Each page takes less than 50 ms of the processor, also where nothing is optimised.
    @Test func pagesAreFast() async throws {
        try await PersonWorld.with { world in
            let browser = world.person()
            let name = try await world.connected(browser)
            for _ in 0..<40 { try await run(world, ConnectionID(name), "pda-token") }
            let path = "/connections/\(name)"
            for page in [
                "/", "/plugs", "/plugs/code", "/plugs/code/connect", "/login", "/connections", path, "\(path)/source",
            ] {
                var shortest = Duration.seconds(1)
                for _ in 0..<5 {
                    let start = ContinuousClock.now
                    #expect([200, 303].contains(await browser.get(page).status))
                    shortest = min(shortest, ContinuousClock.now - start)
                }
                #expect(shortest < .milliseconds(50), "\(page): \(shortest)")
            }
        }
    }
}
