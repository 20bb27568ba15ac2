import Foundation
import PlugManifest
import PlugTesting
import TestKit
import Testing

/// Requests for tokens in a stored conversation: what a connection was granted before, and what it asks for.
struct GrantFixtureTests {
    private func test(_ oauth2: String, _ fixture: String) async throws -> PlugTestReport {
        try await test(
            auth: "{oauth2: {\(oauth2), token: {url: \"https://login.example.org/token\", client: body}}}",
            fixture
        )
    }

    private func test(
        auth: String,
        request: String = "{path: /rides}",
        base: String = "https://api.example.org",
        _ fixture: String
    ) async throws -> PlugTestReport {
        let folder = FileManager.default.temporaryDirectory.appending(path: "plug-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: folder) }
        let fixtures = folder.appending(path: "fixtures")
        try FileManager.default.createDirectory(at: fixtures, withIntermediateDirectories: true)
        let manifest = """
            plug: rides
            api: 1
            version: 1.0.0
            hosts: [api.example.org]
            application:
              info: {name: S, headline: S, description: {text: S}, termsUrl: "https://u.example", dataUsePurpose: p, supportContact: s}
            auth: \(auth)
            http: {base: "\(base)"}
            streams:
              rides: {request: \(request), endpoint: rides, key: .id, version: none}

            """
        let golden = """
            {"data":{"_id":"rides/rides/1","id":1},"endpoint":"rides/rides"}

            """
        for (name, text) in [
            ("plug.yaml", manifest), ("fixtures/rides.json", fixture), ("fixtures/rides.golden.jsonl", golden),
        ] {
            try text.write(to: folder.appending(path: name), atomically: true, encoding: .utf8)
        }
        return try await PlugTest.run(try PlugCopy.manifest(folder.path), folder: folder.path, update: false)
    }

    private static let rides =
        #"{"request": {"url": "https://api.example.org/rides"}, "response": {"status": 200, "body": [{"id": 1}]}}"#

    private static func token(_ form: String, _ answer: String, ignoring: String = "[]") -> String {
        """
        {"request": {"method": "POST", "url": "https://login.example.org/token", "body": "\(form)"},
         "ignoreBody": \(ignoring), "response": {"status": 200, "body": \(answer)}}
        """
    }

    private static let consent =
        "grant: code, authorize: {url: \"https://login.example.org/authorize\"}"

    @Test func aTokenWhoseTimeIsOverIsRenewed() async throws {
        let form =
            "grant_type=refresh_token&refresh_token=r1&client_id=fixture-client&client_secret=fixture-secret"
        let report = try await test(
            Self.consent,
            """
            {"grant": {"access_token": "a1", "refresh_token": "r1", "expires": "2025-12-31T23:00:00Z"},
             "exchanges": [\(Self.token(form, #"{"access_token":"a2","refresh_token":"r2","token_type":"Bearer"}"#)), \(Self.rides)]}
            """
        )
        #expect(report.failures.map(\.message) == [])
    }

    @Test func aRefusedTokenIsRenewedOnce() async throws {
        let refused = #"{"request": {"url": "https://api.example.org/rides"}, "response": {"status": 401, "body": {}}}"#
        let report = try await test(
            Self.consent,
            """
            {"grant": {"access_token": "a1", "refresh_token": "r1"},
             "exchanges": [\(refused),
               \(Self.token("refresh_token=r1", #"{"access_token":"a2"}"#, ignoring: #"["grant_type","client_id","client_secret"]"#)),
               \(Self.rides)]}
            """
        )
        #expect(report.failures.map(\.message) == [])
    }

    @Test func whatNeedsNoConsentAsksForItsFirstToken() async throws {
        let form = "grant_type=client_credentials&client_id=fixture-client&client_secret=fixture-secret"
        let report = try await test(
            "grant: client_credentials",
            #"{"grant": {}, "exchanges": [\#(Self.token(form, #"{"access_token":"a1"}"#)), \#(Self.rides)]}"#
        )
        #expect(report.failures.map(\.message) == [])
    }

    @Test func withoutAGrantNobodyAsksForTokens() async throws {
        #expect(try await test(Self.consent, #"{"exchanges": [\#(Self.rides)]}"#).failures.map(\.message) == [])
    }

    @Test func anotherFormIsToldByItsFields() async throws {
        let report = try await test(
            "grant: client_credentials",
            #"{"grant": {}, "exchanges": [\#(Self.token("grant_type=password&client_id=x", "{}", ignoring: #"["client_secret"]"#))]}"#
        )
        let message = report.failures.first?.message ?? ""
        #expect(message.contains("form client_id: expected 'x', asked 'fixture-client'"))
        #expect(message.contains("form grant_type: expected 'password', asked 'client_credentials'"))
    }

    @Test func aBaseThatTheServiceNamedIsKeptWithTheGrant() async throws {
        let auth = """
            {oauth2: {\(Self.consent), token: {url: "https://login.example.org/token"}, keep: {instance: .instance_url}}}
            """
        let base = "{{ grant.instance }}"
        let kept =
            #"{"grant": {"access_token": "a1", "keep": {"instance": "https://api.example.org"}}, "exchanges": [\#(Self.rides)]}"#
        #expect(try await test(auth: auth, base: base, kept).failures.map(\.message) == [])
        let told = Self.token(
            "refresh_token=r1",
            #"{"access_token":"a2","instance_url":"https://api.example.org"}"#,
            ignoring: #"["grant_type","client_id","client_secret"]"#
        )
        let renewed = #"{"grant": {"refresh_token": "r1"}, "exchanges": [\#(told), \#(Self.rides)]}"#
        #expect(try await test(auth: auth, base: base, renewed).failures.map(\.message) == [])
        let without = try await test(auth: auth, base: base, #"{"exchanges": [\#(Self.rides)]}"#)
        #expect(without.failures.map(\.code) == ["template-undefined"])
    }

    @Test("a calendar is asked with REPORT, and another method is told")
    func methods() async throws {
        let request = "{path: /rides, method: REPORT, headers: {Depth: '1'}, text: <q/>}"
        for (method, messages) in [("REPORT", 0), ("POST", 1)] {
            let fixture = """
                {"exchanges": [{"request": {"method": "\(method)", "url": "https://api.example.org/rides", "body": "<q/>"},
                  "response": {"status": 207, "body": [{"id": 1}]}}]}
                """
            let report = try await test(auth: "none", request: request, fixture)
            #expect(report.failures.count == messages)
            if messages > 0 {
                #expect(report.failures.first?.message?.contains("method: expected POST, asked REPORT") == true)
            }
        }
    }

    @Test func aGrantIsChecked() async throws {
        for (grant, message) in [
            (#"{"expires": "soon"}"#, "'expires' is not a time"),
            (#"{"token": "a"}"#, "'token' is not a key of 'grant'"),
        ] {
            let report = try await test(Self.consent, #"{"grant": \#(grant), "exchanges": [\#(Self.rides)]}"#)
            #expect(report.failures.map(\.code) == ["fixture-invalid"])
            #expect(report.failures.first?.message?.contains(message) == true)
        }
    }

    @Test func aGrantIsForOAuth() async throws {
        let report = try await test(auth: "{bearer: {token: x}}", #"{"grant": {}, "exchanges": [\#(Self.rides)]}"#)
        #expect(report.failures.map(\.code) == ["fixture-invalid"])
        #expect(report.failures.first?.message?.contains("the plug's 'auth' is not 'oauth2'") == true)
    }

    @Test("a form may have its fields in another order, a text is what it is")
    func bodies() async throws {
        for (body, isRight) in [("form: {a: x, b: '1 2'}", true), ("text: 'a=x&b=1+2'", false)] {
            let fixture = """
                {"exchanges": [{"request": {"method": "POST", "url": "https://api.example.org/rides", "body": "b=1+2&a=x"},
                  "response": {"status": 200, "body": [{"id": 1}]}}]}
                """
            let report = try await test(auth: "none", request: "{path: /rides, method: POST, \(body)}", fixture)
            #expect(report.failures.isEmpty == isRight, "\(body)")
        }
    }
}
