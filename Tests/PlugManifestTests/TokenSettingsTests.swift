import JQ
import LosslessJSON
import PlugCore
import TestKit
import Testing

@testable import PlugManifest

/// `auth.login`, `auth.oauth2` and `check`: what reaches the model, and what is refused.
struct TokenSettingsTests {
    private static let secret = "config: {user: {type: string}, key: {type: string, secret: true}}\n"

    private func authorization(_ lines: String) throws -> Authorization {
        try Sample.manifest(Sample.with(Self.secret + "auth:\n" + indented(lines))).authorization
    }

    private func indented(_ lines: String) -> String {
        lines.split(separator: "\n").map { "  " + $0 }.joined(separator: "\n")
    }

    private func problems(_ lines: String) -> [String] {
        Sample.with(Self.secret + "auth:\n" + indented(lines)).diagnostics.map { "[\($0.code)] \($0.message)" }
    }

    @Test func aLoginReachesTheModel() throws {
        let found = try authorization(
            """
            login:
              request: {path: "https://login.example.net/s", query: {v: 2}, headers: {X-App: a}, form: {u: "{{ config.user }}"}}
              token: .data.token
              expires: 90m
              use: {in: query, name: sid, value: "s-{{ token }}"}
              dead_if: {status: [401, 4xx], if: .expired}
            """
        )
        guard case .login(let login) = found, case .form(let form) = login.request.body,
            case .fixed(let lifetime)? = login.lifetime
        else { throw Failure() }
        #expect(login.request.method == .post && login.request.path.source == "https://login.example.net/s")
        #expect(login.request.query.map(\.name) == ["v"] && login.request.headers.map(\.name) == ["X-App"])
        #expect(form.map(\.name) == ["u"] && lifetime == .seconds(5400))
        #expect(login.token.source == ".data.token" && login.use?.place == .query && login.use?.name == "sid")
        var roots = TemplateRoots()
        roots.parent = .text("42")
        #expect(try login.use?.value?.renderText(roots) == "s-42")
        #expect(login.deadIf?.status?.contains(418) == true && login.deadIf?.condition?.source == ".expired")
    }

    @Test func aLoginWithoutABodyIsAGetAndMayTellHowLongItsTokenLives() throws {
        let found = try authorization("login: {request: {path: /token}, token: .t, expires: .ttl}")
        guard case .login(let login) = found, case .told(let program)? = login.lifetime else { throw Failure() }
        #expect(login.request.method == .get && program.source == ".ttl" && login.use == nil && login.deadIf == nil)
    }

    @Test func oauth2ReachesTheModel() throws {
        let found = try authorization(
            """
            oauth2:
              provider: google
              authorize: {url: "https://a.example.net/auth", params: {access_type: offline}}
              token: {url: "https://b.example.net/t", client: basic, body: json, params: {a: 1}, headers: {X-V: 2}}
              refresh: {url: "https://c.example.net/r", params: {b: 2}, before: 2m, rotates: true}
              revoke: {url: "https://d.example.net/v", params: {c: 3}}
              scopes: [read, "{{ config.user }}"]
              scope_separator: ","
              pkce: false
              fields: {access_token: .d.t, refresh_token: .d.r, expires: .d.e, scope: .d.s}
              dead_if: {if: .dead}
              use: {name: X-Token}
            """
        )
        guard case .oauth2(let settings) = found else { throw Failure() }
        #expect(settings.provider == "google" && settings.client == nil && settings.grant == .code)
        #expect(settings.authorize?.url.source == "https://a.example.net/auth")
        #expect(settings.authorize?.parameters.map(\.name) == ["access_type"])
        #expect(settings.token.client == .basic && settings.token.encoding == .json)
        #expect(settings.token.headers.map(\.name) == ["X-V"])
        #expect(settings.token.address.parameters.map(\.name) == ["a"])
        #expect(settings.refresh.url?.source == "https://c.example.net/r" && settings.refresh.before == .seconds(120))
        #expect(settings.refresh.rotates == true && settings.refresh.parameters.map(\.name) == ["b"])
        #expect(settings.revoke?.url.source == "https://d.example.net/v")
        #expect(settings.revoke?.parameters.map(\.name) == ["c"])
        #expect(settings.scopes.map(\.source) == ["read", "{{ config.user }}"] && settings.scopeSeparator == ",")
        #expect(!settings.usesProofKey && settings.fields.expires?.source == ".d.e")
        #expect(settings.deadIf?.status == nil && settings.use?.name == "X-Token" && settings.use?.value == nil)
    }

    @Test func theOtherGrantsReachTheModel() throws {
        let token = "token: {url: 'https://b.example.net/t'}"
        let device = try authorization("oauth2: {grant: device_code, device: {url: 'https://d.example.net'}, \(token)}")
        guard case .oauth2(let device) = device else { throw Failure() }
        #expect(device.grant.needsConsent && device.device != nil && device.provider == "sample" && device.usesProofKey)
        let client = try authorization(
            "oauth2: {grant: client_credentials, client_id: x, client_secret: '{{ config.key }}', \(token)}"
        )
        guard case .oauth2(let client) = client else { throw Failure() }
        #expect(client.client?.id.source == "x" && client.client?.secret?.source == "{{ config.key }}")
        #expect(!client.grant.needsConsent && !client.grant.refreshes && client.token.client == .body)
        let refresh = try authorization(
            "oauth2: {grant: refresh_token, refresh: {token: '{{ config.key }}'}, \(token)}"
        )
        guard case .oauth2(let refresh) = refresh else { throw Failure() }
        #expect(!refresh.grant.needsConsent && refresh.grant.refreshes && refresh.refresh.token != nil)
        let signed = try authorization(
            """
            oauth2:
              grant: jwt_bearer
              jwt: {algorithm: RS256, key: "{{ config.key }}", header: {kid: a}, claims: {iss: "{{ config.user }}", n: 1}, lifetime: 5m}
              \(token)
            """
        )
        guard case .oauth2(let signed) = signed else { throw Failure() }
        #expect(signed.assertion?.algorithm == .rs256 && signed.assertion?.lifetime == .seconds(300))
        #expect(
            signed.assertion?.claims.map(\.name) == ["iss", "n"] && signed.assertion?.header.map(\.name) == ["kid"]
        )
    }

    @Test func aCheckReachesTheModel() throws {
        guard
            case .stream("things")? = try Sample.manifest(Sample.with("check: {stream: things, who: .n}")).check?.target
        else { throw Failure() }
        let check = try Sample.manifest(Sample.with("check: {request: {path: /me}, who: .name}")).check
        guard case .request(let request)? = check?.target else { throw Failure() }
        #expect(request.path.source == "/me" && check?.who?.source == ".name")
    }

    @Test func whatAGrantLacksAndWhatItHasNoUseForIsTold() {
        let token = "token: {url: 'https://b.example.net/t'}"
        #expect(
            problems("oauth2: {\(token)}") == ["[grant-needs] the grant 'code' needs 'authorize'"]
        )
        #expect(
            problems("oauth2: {grant: device_code, \(token)}") == [
                "[grant-needs] the grant 'device_code' needs 'device'"
            ]
        )
        #expect(
            problems("oauth2: {grant: refresh_token, refresh: {before: 1m}, \(token)}") == [
                "[grant-needs] the grant 'refresh_token' needs 'refresh.token'"
            ]
        )
        #expect(
            problems(
                "oauth2: {grant: client_credentials, pkce: true, revoke: {url: 'https://b.example.net/v'}, refresh: {rotates: true, before: 1m}, dead_if: {status: 400}, \(token)}"
            ) == [
                "[grant-excludes] 'pkce' has no meaning with the grant 'client_credentials'",
                "[grant-excludes] 'revoke' has no meaning with the grant 'client_credentials'",
                "[grant-excludes] 'refresh.rotates' has no meaning with the grant 'client_credentials'",
                "[grant-excludes] 'dead_if' has no meaning with the grant 'client_credentials'",
            ]
        )
        // A grant that is misspelt is one mistake.
        #expect(problems("oauth2: {grant: device, \(token)}") == ["[wrong-value] 'device' is not a value of 'grant'"])
    }

    @Test func secretsStandNotInTheManifest() {
        let token = "token: {url: 'https://b.example.net/t'}"
        #expect(
            problems("oauth2: {grant: refresh_token, client_secret: abc, refresh: {token: def}, \(token)}") == [
                "[missing-key] 'client_secret' needs 'client_id'",
                "[secret-in-manifest] 'client_secret' is a secret and is written in the manifest",
                "[secret-in-manifest] 'refresh_token' is a secret and is written in the manifest",
            ]
        )
        #expect(
            problems(
                "oauth2: {grant: client_credentials, client_id: a, client_secret: '{{ config.key }}', "
                    + "token: {url: 'https://b.example.net/t', client: none}}"
            ) == ["[grant-excludes] 'client: none' means that the client has no secret"]
        )
    }

    @Test func addressesOfAuthAreEncryptedButNeedNotBeHosts() {
        func of(_ url: String) -> [String] { problems("oauth2: {grant: client_credentials, token: {url: '\(url)'}}") }
        #expect(
            of("https://elsewhere.example.net/t") == [] && of("http://127.0.0.1:99/t") == []
                && of("http://[::1]:1/t") == []
        )
        #expect(of("https://{{ config.user }}.example.net/t") == [])
        for url in ["http://example.net/t", "http://127.0.0.1.evil.net/t", "http://{{ config.user }}/t"] {
            #expect(of(url) == ["[auth-not-https] 'url' is not an https URL: secrets are sent to it"], "\(url)")
        }
        for url in ["{{ config.user }}", "{{ config.user }}/token"] {
            #expect(
                of(url) == ["[auth-not-https] 'url' does not begin with https://: secrets are sent to it"],
                "\(url)"
            )
        }
        #expect(of("/oauth/token") == ["[bad-url] 'url' is not an http or https URL"])
        #expect(
            problems("login: {request: {path: 'http://example.net/l'}, token: .t}") == [
                "[auth-not-https] 'path' is not an https URL: secrets are sent to it"
            ]
        )
    }

    @Test func mistakesOfALoginAreTold() {
        #expect(
            problems(
                """
                login:
                  request: {method: GET, path: /l, form: {}, json: {}}
                  token: .t[
                  use: {in: query, value: x}
                  dead_if: {}
                """
            ).sorted() == [
                "[jq-syntax] the program ends too early",
                "[json-needs-post] a GET request has no body",
                "[missing-key] 'dead_if' has neither 'status' nor 'if'",
                "[missing-key] 'name' is missing in use",
                "[missing-key] 'value' does not contain the token",
                "[two-kinds] 'form' and 'json' cannot be used together in a login request",
            ]
        )
        #expect(
            problems("login: {request: {path: /l}, token: config.key}") == [
                "[secret-in-program] the secret 'config.key' is used in a program over records"
            ]
        )
    }

    @Test func aCheckOfNoStreamIsTold() {
        let result = Sample.with("check: {stream: thinsg}")
        #expect(Sample.places(result) == ["8:17 unknown-stream"])
        #expect(result.diagnostics.map(\.help) == ["did you mean 'things'?"])
    }

    private struct Failure: Error {}
}
