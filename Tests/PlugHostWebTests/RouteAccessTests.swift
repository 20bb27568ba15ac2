import PlugCore
import PlugStorage
import TestKit
import Testing

@testable import PlugHostWeb

/// Every route as everybody: what is asked comes from the table itself, so that a new route is tried as well.
struct RouteAccessTests {
    /// Somebody who asks: what they send, and the roles that this gives them.
    struct Asker: Sendable, CustomTestStringConvertible {
        var testDescription: String
        var roles: Set<RouteRole>
        var headers: [(String, String)] = []
        var browser: BrowserSecret?
    }

    private func askers(_ world: WebWorld) async throws -> [Asker] {
        let keys = APIKeys(world.store, clock: world.clock)
        var askers = [Asker(testDescription: "stranger", roles: [])]
        for (name, role, subject) in [
            ("person", StoredSession.Role.person, WebWorld.ada), ("operator", .operator, "ann"),
        ] {
            let browser = try await world.browser(role, subject)
            let cookie = ("Cookie", "plughost=\(browser.text.reveal())")
            let roles: Set<RouteRole> = role == .person ? [.person] : [.operator]
            askers.append(Asker(testDescription: name, roles: roles, headers: [cookie], browser: browser))
        }
        askers.append(Asker(testDescription: "PDA", roles: [.pda], headers: [("X-Auth-Token", WebWorld.ada)]))
        for scope in APIScope.allCases {
            let key = try #require(try await keys.add(scope.rawValue, [scope]))
            askers.append(
                Asker(
                    testDescription: "key with \(scope.rawValue)",
                    roles: [.key(scope)],
                    headers: [("Authorization", "Bearer \(key.reveal())")]
                )
            )
        }
        return askers
    }

    /// Sends what the route takes: a form with the browser's token, an empty object.
    private func send(
        _ world: WebWorld,
        _ route: HostRoute,
        _ asker: Asker,
        connection: String,
        peer: String
    ) async -> HostAnswer {
        var names = ["connection": connection, "plug": WebWorld.plug]
        for name in route.path.parameters where names[name] == nil { names[name] = "none" }
        var headers = asker.headers
        var body: String?
        switch route.body {
        case .nothing, .bytes: break
        case .json:
            headers.append(("Content-Type", "application/json"))
            body = "{}"
        case .form:
            headers.append(("Content-Type", "application/x-www-form-urlencoded"))
            let browser = asker.browser ?? BrowserSecret()
            if asker.browser == nil { headers.append(("Cookie", "plughost=\(browser.text.reveal())")) }
            body = "\(Page.formField)=\(browser.formToken)"
        }
        return await world.send(route.method.rawValue, route.path.path(names), headers, peer: peer, body: body)
    }

    /// Whether an answer comes from the handler: refusals of the table have codes of their own.
    private func isRefused(_ answer: HostAnswer) -> Bool {
        ["not-logged-in", "not-allowed", "key-refused"].contains { answer.text.contains($0) }
    }

    @Test func whoMayIsAnsweredAndNobodyElse() async throws {
        // A world for each: what one route changes is nothing that another finds.
        let routes = try await WebWorld().table.routes
        #expect(routes.count >= 9)
        var asked = 0
        for (number, route) in routes.enumerated() {
            for name in try await askers(WebWorld()).map(\.testDescription) {
                let world = try await WebWorld()
                let asker = try #require(try await askers(world).first { $0.testDescription == name })
                let peer = "192.0.2.\(number)"
                let answer = await send(world, route, asker, connection: "mine", peer: peer)
                let isAllowed =
                    route.access.roles.contains(.stranger) || !route.access.roles.isDisjoint(with: asker.roles)
                let what = "\(route.method.rawValue) \(route.path) as \(asker.testDescription): \(answer.status)"
                #expect(isRefused(answer) == !isAllowed, "\(what) \(answer.text)")
                if !isAllowed { #expect([401, 403].contains(answer.status), "\(what)") }
                #expect(
                    answer.status != 500 && answer.status != 404 || !route.path.parameters.contains("connection"),
                    "\(what)"
                )
                asked += 1
            }
        }
        #expect(asked == routes.count * (4 + APIScope.allCases.count))
    }

    @Test func aForeignConnectionIsAsUnknownAsNone() async throws {
        for route in try await WebWorld().table.routes where route.path.parameters.contains("connection") {
            for name in ["person", "PDA"] {
                let world = try await WebWorld()
                let asker = try #require(try await askers(world).first { $0.testDescription == name })
                guard !route.access.roles.isDisjoint(with: asker.roles) else { continue }
                let foreign = await send(world, route, asker, connection: "foreign", peer: "192.0.2.1")
                let missing = await send(world, route, asker, connection: "missing", peer: "192.0.2.2")
                #expect(foreign.status == 404 && missing.status == 404, "\(route.path) as \(name)")
                #expect(foreign.text.replacing("foreign", with: "missing") == missing.text)
            }
        }
    }

    @Test func noRouteIsThereTwice() async throws {
        let routes = try await WebWorld().table.routes
        let names = routes.map { "\($0.method.rawValue) \($0.path)" }
        #expect(Dictionary(grouping: names) { $0 }.filter { $1.count > 1 }.keys.sorted() == [])
    }

    /// What a cookie can do, a form has to carry a token for: nothing else is taken from browsers.
    @Test func whatACookieCanChangeTakesForms() async throws {
        for route in try await WebWorld().table.routes where route.access.takesCookies && !route.method.isSafe {
            #expect(route.body == .form, "\(route.method.rawValue) \(route.path)")
        }
    }

    /// Elsewhere the plug is the one that the token names.
    @Test func aRouteForPDAsNamesItsPlugButForOne() async throws {
        let routes = try await WebWorld().table.routes.filter { $0.access.takesPDAs }
        let others = routes.filter { !$0.path.parameters.contains("plug") }
        #expect(others.map { "\($0.method.rawValue) \($0.path)" } == ["POST /api/tickle"])
    }

    /// The mechanism itself, on routes that are made for it.
    @Test func aConnectionIsLookedUpBeforeTheHandlerIsAsked() async throws {
        let own = HostRoute(.get, "/own/{connection}", [.person, .operator]) { request in
            .text(try request.namedConnection().id.name)
        }
        let plug = HostRoute(.get, "/of/{plug}/{connection}", [.pda]) { request in
            .text(try request.namedConnection().id.name)
        }
        let world = try await WebWorld(more: [own, plug])
        var answers: [String] = []
        for asker in try await askers(world).prefix(4) {
            for path in ["/own/mine", "/own/foreign", "/of/plays/mine", "/of/plays/foreign", "/of/other/mine"] {
                let answer = await world.send("GET", path, asker.headers)
                answers.append("\(answer.status)" + (answer.status == 200 ? " \(answer.text)" : ""))
            }
        }
        #expect(
            answers == [
                "401", "401", "401", "401", "401",
                "200 mine", "404", "401", "401", "401",
                "200 mine", "200 foreign", "401", "401", "401",
                "401", "401", "200 mine", "404", "404",
            ]
        )
    }
}
