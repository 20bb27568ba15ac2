import PlugTesting
import Testing

/// Logins are simulated wherever their hosts and tokens are.
struct ConformanceLoginTests {
    struct Login: CustomTestStringConvertible, Sendable {
        var testDescription: String
        /// The request's method and path.
        var request = #"{method: POST, path: "https://{{ config.host }}/api/v1/token", json: {user: ada}}"#
        var token = ".access_token"
        var use = ""
    }

    static let logins = [
        Login(testDescription: "a host that is a setting"),
        Login(
            testDescription: "a part of a host that is a setting",
            request: #"{method: POST, path: "https://login.{{ config.host }}/{{ config.tenant }}/token", form: {a: b}}"#
        ),
        Login(
            testDescription: "a whole address that is a setting",
            request: #"{method: GET, path: "{{ config.address }}", query: {user: ada}}"#
        ),
        Login(testDescription: "a path below the base", request: "{method: POST, path: /session, json: {user: ada}}"),
        Login(
            testDescription: "a header of another name",
            use: #"use: {in: header, name: X-S, value: "S {{ token }}"}"#
        ),
        Login(testDescription: "a token in a header", token: #"'headers["x-session"]'"#),
    ]

    private func cases(_ login: Login, on: String = "[]") async throws -> [PlugTestReport.Case] {
        let manifest = """
            plug: demo
            api: 1
            version: 1.0.0
            hosts: [api.example.org, "{{ config.host }}"]
            config:
              host: {type: host}
              tenant: {type: string}
              address: {type: string, default: "https://api.example.org/login"}
            auth:
              login:
                request: \(login.request)
                token: \(login.token)
                \(login.use)
            http: {base: "https://api.example.org", on: \(on)}
            streams:
              items:
                endpoint: items
                request: {path: /i}
                records: .items
                page: {number: {param: page, size: 50, size_param: limit}}
                key: .id
                version: content

            """
        return try await ConformancePlug.cases(of: manifest, fixture: nil)
    }

    @Test(arguments: logins)
    func aLoginIsSimulated(login: Login) async throws {
        let cases = try await cases(login)
        #expect(cases.filter { $0.outcome != .ok } == [])
        for name in ["two pages", "401, then a new token", "401 again and again"] {
            #expect(cases.contains { $0.name == "items: \(name)" })
        }
    }

    @Test(arguments: logins)
    func aTokenThatIsNotRenewedFails(login: Login) async throws {
        let failed = try await cases(login, on: "[{status: 401, do: fail}]").filter { $0.outcome == .failed }
        #expect(failed.map(\.name) == ["items: 401, then a new token"])
    }

    @Test func aLoginWithoutAKnownAnswerIsNotSimulated() async throws {
        let login = Login(testDescription: "", token: #"'.a[3] | select(. != null) | .b'"#)
        let cases = try await cases(login)
        #expect(cases.map(\.outcome) == [.skipped])
        #expect(
            cases.first?.message
                == "not simulated: no answer can be made from which 'login.token' takes a token"
        )
    }
}
