import Foundation
import LosslessJSON
import PDAWire
import PlugCore
import PlugManifest
import PlugStorage
import Syncing
import TestKit
import Testing

@testable import PlugHostWeb

/// The API, call by call.
struct APITests {
    /// A world with a key that may do everything.
    private struct Client {
        let world: WebWorld
        let key: String

        init(_ scopes: Set<APIScope> = Set(APIScope.allCases), plugs: HostPlugs? = nil) async throws {
            world = try await WebWorld(plugs: plugs)
            let keys = APIKeys(world.store, clock: world.clock)
            key = try #require(try await keys.add("backup", scopes)).reveal()
        }

        func call(_ method: String, _ path: String, _ body: String? = nil) async -> HostAnswer {
            var headers = [("Authorization", "Bearer \(key)")]
            if body != nil { headers.append(("Content-Type", "application/json")) }
            return await world.send(method, "/api/v1/\(path)", headers, body: body)
        }

        /// The status, and the code or the members of these names.
        func brief(_ method: String, _ path: String, _ body: String? = nil, _ names: String...) async throws -> String {
            let answer = await call(method, path, body)
            let value = try JSONValue(parsing: answer.body)
            let shown = names.map { value[$0]?.compactText ?? "-" }
            return (["\(answer.status)"] + (answer.code.map { [$0] } ?? shown)).joined(separator: " ")
        }
    }

    private func token(_ clock: MovableClock, for plug: String) -> String {
        let now = clock.now() / 1_000_000
        var claims = TokenClaims(
            issuer: "ada.example.org",
            subject: "ada",
            identifier: "1",
            issuedAt: now - 60,
            expires: now + 86_400
        )
        claims.application = plug
        return "e30.\(Base64URL.encode(claims.payload)).c2ln"
    }

    // MARK: Connections

    @Test func aConnectionIsMadeShownChangedAndErased() async throws {
        let client = try await Client()
        let body = """
            {"connection": "ada-work", "plug": "plays", "pda": "\(WebWorld.ada)/", "config": {"user": "Ada", "pages": 5, "key": "s3cret"},
             "token": "\(token(client.world.clock, for: "plays"))", "every": "2h", "streams": ["fresh"], "from": "2026-01-31"}
            """
        let made = try await client.brief("POST", "connections", body, "connection", "pda", "status", "setup")
        #expect(
            made == #"201 "ada-work" "https://ada.example.org" "active" "#
                + #"{"every":"2h","cron":null,"zone":null,"from":"2026-01-31","streams":["fresh"],"answered":["user","pages","key"],"accept_foreign_token":false}"#
        )
        #expect(try await client.brief("POST", "connections", body) == "409 connection-exists")
        let setup = try #require(try await client.world.store.setup(of: ConnectionID("ada-work")))
        #expect(setup.content.reveal().contains(#""config":{"user":"Ada","pages":5,"key":"s3cret"}"#))
        #expect(setup.dueAt == client.world.clock.now())

        // Answers may be secrets, and the token is one: nobody gets them back.
        #expect(!(await client.call("GET", "connections/ada-work").text.contains("s3cret")))
        client.world.clock.advance(.seconds(60))
        let cron = #"{"cron": "0 6 * * *", "zone": "Europe/Berlin"}"#
        #expect(
            try await client.brief("PATCH", "connections/ada-work", cron, "setup")
                == #"200 {"every":null,"cron":"0 6 * * *","zone":"Europe/Berlin","from":"2026-01-31","streams":["fresh"],"answered":["user","pages","key"],"accept_foreign_token":false}"#
        )
        let all = #"{"streams": null}"#
        let again = try await client.brief("PATCH", "connections/ada-work", all, "setup", "due")
        #expect(again.contains(#""cron":"0 6 * * *""#) && again.contains(#""streams":null"#))
        for (wish, status) in [("pause", "paused"), ("resume", "active"), ("pause", "paused"), ("run", "active")] {
            let answer = try await client.brief("POST", "connections/ada-work/\(wish)", nil, "status")
            #expect(answer == #"200 "\#(status)""#)
        }
        let changes = try JSONValue(parsing: await client.call("GET", "connections/ada-work/audit").body)["changes"]
        let words = changes?.elements?.compactMap { $0["what"]?.stringText }
        #expect(words == ["run now", "paused", "resumed", "paused", "set up", "set up", "added"])
        #expect(changes?.elements?.allSatisfy { $0["who"] == .text("key backup") } == true)
        #expect(try await client.brief("GET", "connections/ada-work/runs", nil, "runs") == "200 []")
        #expect(
            try await client.brief("GET", "connections/ada-work/dead-letters", nil, "letters", "bytes") == "200 0 0"
        )
        let erased = try JSONValue(parsing: await client.call("DELETE", "connections/ada-work").body)
        #expect(erased["connection"] == .text("ada-work") && erased["rows"]?["setups"] == .integer(1))
        #expect(try await client.brief("GET", "connections/ada-work") == "404 connection-unknown")
        #expect(try await client.brief("DELETE", "connections/ada-work") == "404 connection-unknown")
    }

    @Test func whatIsWrongWithAConnectionIsToldBeforeAnythingIsKept() async throws {
        let client = try await Client()
        func post(_ members: String) async throws -> String {
            try await client.brief("POST", "connections", "{\(members)}")
        }
        let rest = #""connection": "new", "plug": "plays", "pda": "https://ada.example.org""#
        let user = #", "config": {"user": "Ada", "key": "s3cret"}"#
        let answers = [
            try await post(#""plug": "plays""#), try await post(rest + user + #", "evry": "1h""#),
            try await post(rest), try await post(rest + #", "config": {"usr": "Ada"}"#),
            try await post(rest + #", "config": {"user": "Ada", "pages": "many"}"#),
            try await post(rest + #", "config": {"user": "Ada", "key": "s", "export": "/etc/passwd"}"#),
            try await post(rest + user + #", "every": "1h", "cron": "0 6 * * *""#),
            try await post(rest + user + #", "every": "soon""#),
            try await post(rest + user + #", "from": "2026-13-01""#),
            try await post(rest + user + #", "cron": "61 * * * *""#),
            try await post(rest + user + #", "streams": ["none"]"#), try await post(rest + user + #", "streams": []"#),
            try await post(rest + user + #", "token": "no token""#),
            try await post(#""connection": "a b", "plug": "plays", "pda": "https://ada.example.org""# + user),
            try await post(#""connection": "new", "plug": "none", "pda": "https://ada.example.org""# + user),
            try await post(#""connection": "new", "plug": "plays", "pda": "https://ada.example.org/x""# + user),
        ]
        #expect(
            answers == [
                "400 body-unreadable", "400 body-unreadable", "422 answer-missing", "422 answer-unknown",
                "422 answer-invalid", "422 answer-invalid", "422 schedule-unclear", "422 bad-interval",
                "422 first-day-unreadable",
                "422 bad-cron", "409 unknown-stream", "400 body-unreadable", "403 token-malformed",
                "422 connection-name", "422 plug-unknown",
                "422 connection-pda",
            ]
        )
        #expect(try await client.world.store.connections().map(\.id.name) == ["foreign", "mine"])
        let problem = await client.call("POST", "connections", "{\(rest)\(user), \"evry\": \"1h\"}")
        let detail = try JSONValue(parsing: problem.body)
        #expect(detail["detail"] == .text("the body has a member 'evry', which is not known"))
        #expect(detail["advice"] == .text("did you mean 'every'?"))
    }

    @Test func aTokenForAnotherPlaceIsRefusedUnlessItIsAccepted() async throws {
        let client = try await Client()
        func post(_ name: String, _ plug: String, _ pda: String, _ more: String = "") async throws -> String {
            let body = """
                {"connection": "\(name)", "plug": "plays", "pda": "\(pda)", "config": {"user": "Ada", "key": "s"},
                 "token": "\(token(client.world.clock, for: plug))"\(more)}
                """
            return try await client.brief("POST", "connections", body, "status", "setup")
        }
        #expect(try await post("one", "plays", "https://evil.example") == "422 token-issuer")
        #expect(try await post("one", "notes", WebWorld.ada) == "422 token-application")
        #expect(try await client.brief("GET", "connections/one") == "404 connection-unknown")
        let accepting = #", "accept_foreign_token": true"#
        let made = try await post("one", "notes", "https://other.example", accepting)
        #expect(made.hasPrefix(#"201 "active""#) && made.hasSuffix(#""accept_foreign_token":true}"#), "\(made)")
    }

    @Test func whatThisHostLacksForAPlugIsSaidAndRefused() async throws {
        let folder = #filePath.split(separator: "/").dropLast(3).joined(separator: "/")
        let manifests = try ["netflix", "spotify", "wikipedia"].map { name in
            try #require(try ManifestReader.load("/\(folder)/Plugs/\(name)").manifest)
        }
        let client = try await Client(plugs: HostPlugs(HostPlugs.Content(manifests, clients: [:])))
        for (plug, code) in [("netflix", "plug-needs-file"), ("spotify", "client-missing")] {
            let missing = try JSONValue(parsing: await client.call("GET", "plugs/\(plug)").body)["missing"]
            #expect(missing?["code"] == .text(code) && missing?["advice"]?.stringText != nil)
            let body = #"{"connection": "one", "plug": "\#(plug)", "pda": "https://ada.example.org"}"#
            #expect(try await client.brief("POST", "connections", body) == "422 \(code)")
        }
        #expect(try await client.brief("GET", "plugs/wikipedia", nil, "missing") == "200 null")
    }

    @Test func oneThatIsNotConnectedYetWaits() async throws {
        let client = try await Client()
        let body = """
            {"connection": "new", "plug": "plays", "pda": "\(WebWorld.ada)", "config": {"user": "Ada", "key": "s3cret"}}
            """
        #expect(try await client.brief("POST", "connections", body, "status", "due") == #"201 "reconnect" null"#)
        for wish in ["pause", "resume", "run"] {
            #expect(try await client.brief("POST", "connections/new/\(wish)") == "409 connection-waits")
        }
        #expect(try await client.brief("GET", "connections/new", nil, "status") == #"200 "reconnect""#)
    }

    @Test func oneThatRunsIsPausedAndErasedAfterwards() async throws {
        let client = try await Client()
        let lease = try await client.world.store.lease(ConnectionID("mine"))
        #expect(try await client.brief("DELETE", "connections/mine") == "409 state-locked")
        #expect(try await client.brief("GET", "connections/mine", nil, "status") == #"200 "paused""#)
        lease.end()
        #expect(try await client.brief("DELETE", "connections/mine", nil, "connection") == #"200 "mine""#)
    }

    @Test func listsComeInPages() async throws {
        let client = try await Client()
        for number in 1...5 {
            _ = try await client.world.store.openConnection(
                ConnectionID("c\(number)"),
                plug: "plays",
                pda: WebWorld.ada
            )
        }
        var names: [String] = []
        var pages: [Int] = []
        var next: String? = ""
        while let after = next, pages.count < 9 {
            let answer = await client.call("GET", "connections?limit=3&after=\(after)")
            let value = try JSONValue(parsing: answer.body)
            let page = value["connections"]?.elements?.compactMap { $0["connection"]?.stringText } ?? []
            names += page
            pages.append(page.count)
            next = value["next"]?.stringText
        }
        #expect(names == ["c1", "c2", "c3", "c4", "c5", "foreign", "mine"] && pages == [3, 3, 1])
        for limit in ["0", "201", "x"] {
            #expect(try await client.brief("GET", "connections?limit=\(limit)") == "400 body-unreadable")
        }
    }

    @Test func aPlugSaysWhatItAsksFor() async throws {
        let client = try await Client()
        let plug = """
            {"plug":"plays","version":"1.0.0","missing":null,"config":[\
            {"name":"user","type":"string","title":"Your name","secret":false,"required":true,"default":null,"choices":[]},\
            {"name":"pages","type":"integer","title":null,"secret":false,"required":false,"default":3,"choices":[]},\
            {"name":"key","type":"string","title":null,"secret":true,"required":true,"default":null,"choices":[]}],\
            "streams":[{"stream":"fresh","path":"plays/fresh"},{"stream":"slow","path":"plays/slow"}]}
            """
        #expect(await client.call("GET", "plugs/plays").text == plug)
        #expect(await client.call("GET", "plugs").text == #"{"plugs":[\#(plug)]}"#)
        #expect(try await client.brief("GET", "plugs/none") == "404 route-unknown")
    }

    // MARK: Keys

    @Test func aKeyThatIsRemovedOpensNothing() async throws {
        let client = try await Client()
        #expect(try await client.brief("GET", "connections/mine", nil, "connection") == #"200 "mine""#)
        #expect(try await client.world.store.apiKeys().map(\.usedAt) == [client.world.clock.now()])
        #expect(try await client.world.store.removeAPIKey("backup", AuditEntry(at: 1, who: "shell", what: "removed")))
        let refused = await client.call("GET", "connections/mine")
        #expect(refused.status == 401 && refused.code == "key-refused")
        #expect(refused.header("WWW-Authenticate") == #"Bearer realm="plughost""#)
        // A browser's cookie is no key.
        let browser = try await client.world.browser(.operator, "ann")
        let cookie = ("Cookie", "plughost=\(browser.text.reveal())")
        #expect(await client.world.send("GET", "/api/v1/connections", [cookie]).status == 401)
    }

    @Test func guessingKeysIsSlowedDown() async throws {
        let world = try await WebWorld()
        var statuses: Set<Int> = []
        for number in 1...20 {
            let guess = [("Authorization", "Bearer phk_\(number)")]
            statuses.insert(await world.send("GET", "/api/v1/connections", guess).status)
        }
        #expect(statuses == [401, 429])
    }

    // MARK: The description

    @Test func everyRouteOfTheAPIIsDescribed() async throws {
        let world = try await WebWorld()
        let routes = world.table.routes.filter { $0.path.description.hasPrefix("/api/v1/") }
        let undescribed = routes.filter { $0.operation == nil }.map(\.path.description)
        #expect(undescribed == ["/api/v1/openapi.json"])
        let document = try JSONValue(parsing: await world.send("GET", "/api/v1/openapi.json").body)
        var described: Set<String> = []
        for path in document["paths"]?.object?.members ?? [] {
            for operation in path.value.object?.members ?? [] {
                described.insert("\(operation.key.text.uppercased()) \(path.key.text)")
            }
        }
        let served = routes.filter { $0.operation != nil }.map { "\($0.method.rawValue) \($0.path)" }
        #expect(described == Set(served) && served.count == 14)
        let names = routes.compactMap { $0.operation?.id }
        #expect(Set(names).count == names.count)
        // What takes JSON says which, and the other way round; every name of a schema is one.
        let schemas = document["components"]?["schemas"]
        for route in routes {
            guard let operation = route.operation else { continue }
            #expect((route.body == .json) == (operation.body != nil), "\(operation.id)")
            for name in operation.answers.compactMap(\.schema) + [operation.body].compactMap(\.self) {
                #expect(schemas?[name]?.object != nil, "\(operation.id): \(name)")
            }
        }
        let references = document.compactText
            .components(separatedBy: ##""$ref":"#/components/schemas/"##).dropFirst()
            .map { String($0.prefix { $0 != "\"" }) }
        #expect(references.count > 20)
        for name in references { #expect(schemas?[name]?.object != nil, "\(name)") }
    }
}
