import CurlTransport
import LosslessJSON
import PDAClient
import TestKit
import Testing

/// S34–S40: applications, against the sandbox and in the documentation's own form.
@Suite(.fewAtATime)
struct Statements34ApplicationTests {
    private func object(_ text: String) throws -> HATApplicationObject {
        try HATApplicationObject(json: try JSONValue(parsing: text))
    }

    @Test func s34ListingAnswersPlugsAndAppsAndARefreshedToken() async throws {
        try await Sandbox.withOwner { client, transport in
            let tokens = InMemoryTokens()
            let other = PDA(client.origin, tokens: tokens, transport: transport)
            let first = try await other.logIn(username: "bob", password: Sandbox.password).token
            let kinds = try await other.applications().map(\.application.kind.kind)
            #expect(Set(kinds) == [.app, .dataPlug])
            let kept = try #require(await tokens.current())
            #expect(try await client.verify(kept).identifier == (try await client.verify(first).identifier))
            await tokens.set(nil)
            #expect(await pdaError { _ = try await other.applications() }?.code == .notAuthenticated)
        }
    }

    @Test func s35AnApplicationHasSevenMembersAndFourBesideIt() throws {
        let whole = try #require(try JSONValue(parsing: Examples.plug).object)
        for key in ["application", "setup", "enabled", "active"] {
            var object = whole
            object[JSONString(key)] = nil
            #expect(throws: PDAError(.undecodable, "'\(key)' is missing")) {
                try HATApplicationObject(json: .object(object))
            }
        }
        let inner = try #require(whole["application"]?.object)
        for key in ["id", "kind", "info", "developer", "permissions", "setup", "status"] {
            var (object, application) = (whole, inner)
            application[JSONString(key)] = nil
            object["application"] = .object(application)
            #expect(throws: PDAError(.undecodable, "'application.\(key)' is missing")) {
                try HATApplicationObject(json: .object(object))
            }
        }
        #expect(try object(Examples.plug).needsUpdating == false)
    }

    @Test func s36InfoHasItsMembersAndWhatIsOptionalMayBeMissing() throws {
        let info = try object(Examples.plug).application.info
        #expect(info.rating?.score == "A*A*A*")
        #expect(info.description.markdown != nil)
        #expect(info.graphics.logo.small != nil)
        let bare = Examples.plug
            .replacing(#""rating": { "score": "A*A*A*" },"#, with: "")
            .replacing(/,\s*"markdown": "[^"]*",\s*"html": "[^"]*"/, with: "")
            .replacing(#""small": "https://cdn.example.com/s.png", "#, with: "")
            .replacing(/"dataPreview": \[[\s\S]*?\],\s*"graphics"/, with: #""dataPreview": [], "graphics""#)
        let less = try object(bare).application.info
        #expect(less.rating == nil)
        #expect(less.description.markdown == nil)
        #expect(less.description.html == nil)
        #expect(less.graphics.logo.small == nil)
        #expect(less.dataPreview.isEmpty)
        #expect(try object(Examples.plug).application.kind.iosURL == nil)
        #expect(try object(Examples.app).application.kind.iosURL != nil)
    }

    @Test func s37StatusHasThreeRequiredMembers() throws {
        let whole = try #require(try JSONValue(parsing: Examples.plug)["application"]?.object)
        let status = try #require(whole["status"]?.object)
        for key in ["compatibility", "versionReleaseDate", "kind"] {
            var (application, object) = (whole, status)
            object[JSONString(key)] = nil
            application["status"] = .object(object)
            #expect(throws: PDAError(.undecodable, "'status.\(key)' is missing")) {
                try HATApplication(json: .object(application))
            }
        }
        var (application, least) = (whole, JSONObject())
        for key in ["compatibility", "versionReleaseDate", "kind"] { least[JSONString(key)] = status[JSONString(key)] }
        application["status"] = .object(least)
        let read = try HATApplication(json: .object(application))
        #expect(read.status.recentDataCheckEndpoint == nil)
        #expect(read.permissions.dataRetrieved == nil)
        #expect(read.permissions.dataRequired == nil)
    }

    @Test func s38TheStateFollowsTheFlags() throws {
        func state(_ flags: String) throws -> ApplicationState {
            let definition = try #require(try JSONValue(parsing: Examples.app)["application"]).compactText
            return try object(#"{"application":\#(definition),\#(flags)}"#).state
        }
        let on = #""setup":true,"enabled":true"#
        #expect(try state(#"\#(on),"active":true,"needsUpdating":true"#) == .needsUpdating)
        #expect(try state(#"\#(on),"active":false"#) == .failing)
        #expect(try state(#"\#(on),"active":true,"mostRecentData":"2024-05-06T07:08:09.010Z""#) == .connected)
        #expect(try state(#"\#(on),"active":true"#) == .fetching)
        #expect(try state(#""setup":false,"enabled":false,"active":false"#) == .notConnected)
    }

    @Test func s39SetUpGoesByKindAndTheRedirectHasTheToken() throws {
        let client = PDA("pda.example.net", tokens: InMemoryTokens(), transport: ScriptedSending())
        let app = try object(Examples.app).application
        let plug = try object(Examples.plug).application
        #expect(
            try client.setUpURL(of: app, isInstalled: true, fallback: "acmediary://no")
                == "https://pda.example.net/#/hatlogin?name=acme-diary&redirect=acmediary%3A%2F%2Fpdahost"
                + "&fallback=acmediary%3A%2F%2Fno"
        )
        #expect(try client.setUpURL(of: app, isInstalled: false) == app.kind.url)
        #expect(try client.setUpURL(of: plug, isInstalled: false) == plug.kind.url)
        #expect(try PDA.token(fromRedirect: "acmediary://pdahost?token=a.b.c") == Secret("a.b.c"))
    }

    /// Plugs only write: the sandbox refuses everything else that a plug's token is used for.
    @Test func s39APlugMayOnlyWrite() async throws {
        try await Sandbox.withOwner { client, transport in
            let token = try await client.applicationToken("acme-steps")
            _ = try await client.setUp(application: "acme-steps")
            let plug = PDA(client.origin, tokens: InMemoryTokens(token), transport: transport)
            try await plug.create(.integer(1), at: "acme-steps/daily")
            #expect(await pdaError { _ = try await plug.records(at: "acme-steps/daily") }?.code == .forbidden)
            #expect(await pdaError { try await plug.create(.integer(2), at: "other/daily") }?.code == .forbidden)
        }
    }

    /// The documentation says 201, servers answer 200 (C14).
    @Test func s40DisablingAnswersTheDisabledApplication() async throws {
        try await ScriptedServer.withClient(.answer(201, Examples.plug)) { client, server async throws in
            #expect(try await client.disable(application: "acme-steps").application.id == "acme-steps")
            #expect(server.lines == ["GET /api/v2.6/applications/acme-steps/disable"])
        }
        try await Sandbox.withOwner { client, _ in
            _ = try await client.setUp(application: "acme-steps")
            let disabled = try await client.disable(application: "acme-steps")
            #expect(!disabled.isEnabled)
            #expect(disabled.isSetUp)
            #expect(await pdaError { _ = try await client.disable(application: "nope") }?.code == .refused)
        }
    }
}
