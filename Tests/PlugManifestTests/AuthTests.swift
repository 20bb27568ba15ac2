import Cryptography
import LosslessJSON
import PlugCore
import Signing
import TestKit
import Testing

@testable import PlugManifest

/// `auth` of a plug and of its streams: what reaches the model, and what is refused.
struct AuthTests {
    private struct Failure: Error {}

    private static let config =
        "config: {kind: {type: string, enum: [pat, app]}, user: {type: string}, key: {type: string, secret: true}}\n"
    /// A stream with a form.
    private static let form = """
        streams:
          things:
            endpoint: things
            request: {path: /things, method: POST, form: {a: b}}
            key: [.id]
            version: none

        """

    private func read(_ auth: String, streams: String = Sample.stream) -> ManifestResult {
        Sample.read(Sample.header + Sample.http + Self.config + "auth: \(auth)\n" + streams)
    }

    private func problems(_ auth: String, streams: String = Sample.stream) -> [String] {
        let result = read(auth, streams: streams)
        return zip(Sample.places(result), result.diagnostics).map { "\($0) \($1.message)" }
    }

    // MARK: - Keys

    @Test func oneKeyOrSeveralReachTheModel() throws {
        let one = try Sample.manifest(read("{key: {in: query, name: k, value: \"{{ config.key }}\"}}")).authorization
        guard case .keys(let keys) = one else { throw Failure() }
        #expect(keys.map { "\($0.place) \($0.name) \($0.value.source)" } == ["query k {{ config.key }}"])
        let several =
            "{key: [{in: header, name: X-Api-Key, value: \"{{ config.key }}\"}, {in: cookie, name: sid, value: s}, "
            + "{in: body, name: auth.user, value: \"{{ config.user }}\"}]}"
        guard case .keys(let keys) = try Sample.manifest(read(several, streams: Self.form)).authorization else {
            throw Failure()
        }
        #expect(keys.map { "\($0.place) \($0.name)" } == ["header X-Api-Key", "cookie sid", "body auth.user"])
    }

    @Test func whatIsNoKeyIsRefusedWhereItStands() {
        #expect(
            problems("{key: [{in: hedder, name: X, value: a}]}") == [
                "9:19 wrong-value 'hedder' is not a value of 'in'"
            ]
        )
        #expect(read("{key: [{in: hedder, name: X, value: a}]}").diagnostics[0].help == "did you mean 'header'?")
        #expect(problems("{key: []}") == ["9:13 missing-key 'key' is empty"])
        #expect(problems("{key: x}") == ["9:13 wrong-type 'key' must be a mapping, not a text"])
        #expect(
            problems("{key: [{in: cookie, name: a b, value: c}, {in: header, name: x, value: c}]}") == [
                "9:33 header-name 'a b' is not a cookie's name"
            ]
        )
        #expect(
            problems("{key: [{in: header, name: X-Key, value: c}, {in: header, name: x-key, value: d}]}") == [
                "9:64 two-kinds 'x-key' is given twice for the same place"
            ]
        )
    }

    @Test func aKeyInTheBodyNeedsRequestsThatHaveOne() {
        let key = "{key: {in: body, name: k, value: \"{{ config.key }}\"}}"
        #expect(
            problems(key) == [
                "9:1 body-missing 'in: body' needs requests with a form or a JSON body, which 'things' does not have"
            ]
        )
        #expect(problems(key, streams: Self.form) == [])
        #expect(problems(key, streams: Sample.stream + "    auth: none\n") == [])
        #expect(
            problems("none", streams: Sample.stream + "    auth: \(key)\n") == [
                "16:5 body-missing 'in: body' needs requests with a form or a JSON body, which 'things' does not have"
            ]
        )
    }

    @Test func aTokenOfARunGoesWhereKeysGo() throws {
        let login = "{login: {request: {path: /s}, token: .t, use: {in: cookie, name: sid}}}"
        #expect(try Sample.manifest(read(login)).authorization.tokenUse?.place == .cookie)
        #expect(
            problems("{login: {request: {path: /s}, token: .t, use: {in: body, name: sid}}}") == [
                "9:1 body-missing 'in: body' needs requests with a form or a JSON body, which 'things' does not have"
            ]
        )
    }

    // MARK: - The auth of a stream

    @Test func aStreamMayAuthenticateInItsOwnWay() throws {
        let streams = Sample.stream + "    auth: {bearer: {token: \"{{ config.key }}\"}}\n"
        let manifest = try Sample.manifest(
            read("{basic: {username: a, password: \"{{ config.key }}\"}}", streams: streams)
        )
        guard case .bearer? = manifest.streams[0].authorization else { throw Failure() }
        let open = try Sample.manifest(read("{bearer: {token: x}}", streams: Sample.stream + "    auth: none\n"))
        guard case .some(.none) = open.streams[0].authorization else { throw Failure() }
        #expect(try Sample.manifest(read("none")).streams[0].authorization == nil)
    }

    @Test func aStreamHasNoTokensOfItsOwn() {
        let result = read("none", streams: Sample.stream + "    auth: {oauth2: {token: {url: x}}}\n")
        #expect(Sample.places(result) == ["16:12 unknown-key"])
        #expect(result.diagnostics[0].help == "write it in the plug's own 'auth'")
    }

    // MARK: - One of several

    private static let choice =
        "{any_of: {by: \"{{ config.kind }}\", of: {pat: {bearer: {token: \"{{ config.key }}\"}}, app: {basic: {username: "
        + "\"{{ config.user }}\", password: \"{{ config.key }}\"}}}}}"

    @Test func theConfigurationChoosesOneOfSeveral() throws {
        let manifest = try Sample.manifest(read(Self.choice))
        guard case .anyOf(let choice) = manifest.authorization else { throw Failure() }
        #expect(choice.alternatives.map(\.name) == ["pat", "app"])
        guard case .bearer = try manifest.choosing(JSONObject([("kind", .text("pat"))])).authorization,
            case .basic = try manifest.choosing(JSONObject([("kind", .text("app"))])).authorization
        else { throw Failure() }
        #expect(throws: PlugError.self) { try manifest.choosing(JSONObject([("kind", .text("other"))])) }
        do { _ = try manifest.choosing(JSONObject([("kind", .text("other"))])) } catch {
            #expect(error.code == "auth-choice" && error.exit == .configuration)
            #expect(error.message == "'auth.any_of' has nothing for 'other', which {{ config.kind }} gives")
            #expect(error.advice == "it has: pat, app")
        }
    }

    /// What a run says of a choice shows what was chosen by.
    @Test func aChoiceSeesNoSecretHoweverItIsMade() throws {
        let manifest = try Sample.manifest(read("{any_of: {by: '{{ config | tojson }}', of: {a: none}}}"))
        let config = JSONObject([("key", .text("S3cr3t")), ("kind", .text("pat"))])
        let error = #expect(throws: PlugError.self) { try manifest.choosing(config) }
        #expect(error?.message == #"'auth.any_of' has nothing for '{"kind":"pat"}', which {{ config | tojson }} gives"#)
    }

    @Test func aChoiceNeedsAlternativesForAllThatTheConfigurationMaySay() {
        #expect(
            problems("{any_of: {by: \"{{ config.kind }}\", of: {pat: none}}}") == [
                "9:42 missing-key 'of' has nothing for 'app', which 'config.kind' may be"
            ]
        )
        #expect(
            problems("{any_of: {by: \"{{ config.user }}\", of: {}}}") == ["9:46 missing-key 'of' has no alternatives"]
        )
        #expect(
            problems("{any_of: {by: \"{{ config.key }}\", of: {a: none}}}") == [
                "9:25 secret-in-program the secret 'config.key' is used in the choice of 'any_of'"
            ]
        )
        #expect(
            problems("{any_of: {by: \"{{ config.user }}\", of: {a: nome, b: {beerer: {token: x}}}}}") == [
                "9:50 wrong-type 'a' must be none, or a mapping, not a text",
                "9:60 unknown-key 'beerer' is not a key of an alternative of auth",
            ]
        )
    }

    @Test func whatAnAlternativeNeedsTheChoiceNeeds() throws {
        let oauth =
            "{any_of: {by: \"{{ config.user }}\", of: {a: none, b: {oauth2: {grant: refresh_token, refresh: {token: "
            + "\"{{ config.key }}\"}, token: {url: \"https://a.example.org\"}}}}}}"
        #expect(try Sample.manifest(read(oauth)).authorization.needsVault)
        #expect(try !Sample.manifest(read(Self.choice)).authorization.needsVault)
    }

    // MARK: - Signatures

    @Test func aSignatureReachesTheModel() throws {
        let auth =
            "{sign: {parts: [{text: '{{ request.path }}'}, {sha256: '{{ request.nonce }}'}], hash: sha512, key: '{{ config.key }}', "
            + "key_encoding: base64, encoding: base64url, send: {in: header, name: S, value: 'v={{ signature }}'}}}"
        guard case .sign(let sign) = try Sample.manifest(read(auth)).authorization else { throw Failure() }
        guard case .text(let path) = sign.parts[0], case .hash(.sha256, let nonce) = sign.parts[1] else {
            throw Failure()
        }
        #expect(path.source == "{{ request.path }}" && nonce.source == "{{ request.nonce }}")
        #expect(sign.hash == .sha512 && sign.keyEncoding == .base64 && sign.encoding == .base64url)
        #expect(sign.send.map { "\($0.place) \($0.name) \($0.value.source)" } == ["header S v={{ signature }}"])
        let least = "{sign: {text: a, send: [{in: query, name: s, value: '{{ signature }}'}]}}"
        guard case .sign(let sign) = try Sample.manifest(read(least)).authorization else { throw Failure() }
        #expect(sign.key == nil && sign.hash == .sha256 && sign.keyEncoding == .text && sign.encoding == .hex)
    }

    @Test func mistakesOfASignatureAreTold() {
        #expect(
            problems("{sign: {text: a, parts: [{text: b}], send: {in: query, name: s, value: '{{ signature }}'}}}") == [
                "9:24 two-kinds 'parts' and 'text' cannot be used together in sign"
            ]
        )
        #expect(
            problems("{sign: {send: {in: query, name: s, value: '{{ request.time }}'}}}") == [
                "9:8 missing-kind sign does not say which kind it is",
                "9:15 sign-needs 'send' does not contain the signature",
            ]
        )
        #expect(
            problems(
                "{sign: {text: '{{ signature }}', key: abc, send: {in: query, name: s, value: '{{ signature }}'}}}"
            ) == [
                "9:25 root-unavailable 'signature' has no value in what is signed",
                "9:45 secret-in-manifest 'key' is a secret and is written in the manifest",
            ]
        )
        #expect(
            problems("{sign: {parts: [], key_encoding: hex, send: {in: query, name: s, value: '{{ signature }}'}}}")
                == [
                    "9:22 sign-needs 'parts' is empty",
                    "9:26 sign-excludes 'key_encoding' has no meaning without 'key'",
                ]
        )
        #expect(
            problems("{sign: {parts: [{sha3: a}], send: {in: query, name: s, value: '{{ signature }}'}}}") == [
                "9:24 unknown-key 'sha3' is not a key of a part of what is signed"
            ]
        )
    }

    @Test func oauth1ReachesTheModel() throws {
        let auth =
            "{oauth1: {method: RSA-SHA1, consumer_key: '{{ config.user }}', private_key: '{{ config.key }}', token: a, in: query}}"
        guard case .oauth1(let settings) = try Sample.manifest(read(auth)).authorization else { throw Failure() }
        #expect(settings.method == .rsaSHA1 && settings.place == .query && settings.token?.source == "a")
        #expect(settings.privateKey?.source == "{{ config.key }}" && settings.consumerSecret == nil)
    }

    @Test func whatAMethodOfOAuth1LacksAndHasNoUseForIsTold() {
        #expect(
            problems("{oauth1: {consumer_key: a, private_key: '{{ config.key }}'}}") == [
                "9:8 sign-needs 'HMAC-SHA1' needs 'consumer_secret'",
                "9:34 sign-excludes 'private_key' has no meaning with 'HMAC-SHA1'",
            ]
        )
        #expect(
            problems("{oauth1: {method: RSA-SHA1, consumer_key: a, consumer_secret: '{{ config.key }}'}}") == [
                "9:17 sign-needs 'RSA-SHA1' needs 'private_key'",
                "9:52 sign-excludes 'consumer_secret' has no meaning with 'RSA-SHA1'",
            ]
        )
        #expect(
            problems("{oauth1: {method: HMAC-SHA2, consumer_key: a, consumer_secret: b}}") == [
                "9:25 wrong-value 'HMAC-SHA2' is not a value of 'method'",
                "9:70 secret-in-manifest 'consumer_secret' is a secret and is written in the manifest",
            ]
        )
        #expect(
            problems(
                "{oauth1: {consumer_key: a, consumer_secret: '{{ config.key }}', token_secret: '{{ config.key }}', in: query, realm: r}}"
            )
                == [
                    "9:71 sign-needs 'token_secret' needs 'token'", "9:116 sign-excludes only the header has a realm",
                ]
        )
    }

    private static let consent =
        "request: {url: 'https://a.example/request', params: {scope: read}}, authorize: {url: 'https://a.example/go'}, "
        + "access: {url: 'https://a.example/access'}"

    @Test func aConsentWithOAuth1ReachesTheModel() throws {
        let manifest = try Sample.manifest(read("{oauth1: {provider: example, \(Self.consent)}}"))
        guard case .oauth1(let settings, let consent)? = manifest.authorization.consent else { throw Failure() }
        #expect(settings.consumerKey == nil && settings.method == .hmacSHA1 && consent.provider == "example")
        #expect(consent.request.parameters.map { "\($0.name)=\($0.value.source)" } == ["scope=read"])
        #expect(consent.authorize.url.source == "https://a.example/go" && consent.authorize.parameters.isEmpty)
        #expect(manifest.authorization.providers == ["example"] && manifest.authorization.needsVault)
        let own = "{oauth1: {consumer_key: a, consumer_secret: '{{ config.key }}', \(Self.consent)}}"
        let brought = try Sample.manifest(read(own))
        guard case .oauth1(let settings, let consent)? = brought.authorization.consent else { throw Failure() }
        #expect(settings.consumerKey?.source == "a" && consent.provider == brought.id)
    }

    @Test func whatAConsentWithOAuth1LacksAndHasNoUseForIsTold() {
        #expect(
            problems("{oauth1: {access: {url: 'https://a.example'}, token: a, provider: b}}") == [
                "9:8 sign-needs a consent with OAuth 1 needs 'request'",
                "9:8 sign-needs a consent with OAuth 1 needs 'authorize'",
                "9:53 sign-excludes 'token' has no meaning beside a consent, which gives it",
            ]
        )
        #expect(
            problems("{oauth1: {consumer_key: a, consumer_secret: '{{ config.key }}', provider: b}}") == [
                "9:71 sign-excludes 'provider' has no meaning without a consent"
            ]
        )
        #expect(
            problems("{oauth1: {consumer_secret: '{{ config.key }}', \(Self.consent)}}") == [
                "9:17 missing-key 'consumer_secret' needs 'consumer_key'"
            ]
        )
        #expect(
            problems("{oauth1: {consumer_key: a, \(Self.consent)}}") == [
                "9:8 sign-needs 'HMAC-SHA1' needs 'consumer_secret'"
            ]
        )
        #expect(
            problems("{oauth1: {\(Self.consent.replacing("https://a.example/go", with: "http://a.example/go"))}}") == [
                "9:102 auth-not-https 'url' is not an https URL: secrets are sent to it"
            ]
        )
        let stream = Sample.stream + "    auth: {oauth1: {\(Self.consent)}}\n"
        #expect(
            problems("none", streams: stream).map { $0.split(separator: " ", maxSplits: 1)[1] } == [
                "sign-excludes a consent gives the token of the connection, not of a stream"
            ]
        )
    }

    @Test func awsReachesTheModel() throws {
        let auth = "{aws: {access_key: AKID, secret_key: '{{ config.key }}', region: eu-central-1, service: s3}}"
        guard case .aws(let settings) = try Sample.manifest(read(auth)).authorization else { throw Failure() }
        #expect(
            settings.region.source == "eu-central-1" && settings.service.source == "s3" && settings.sessionToken == nil
        )
        #expect(
            problems("{aws: {access_key: AKID, secret_key: abc, region: eu-central-1}}") == [
                "9:8 missing-key 'service' is missing in aws",
                "9:44 secret-in-manifest 'secret_key' is a secret and is written in the manifest",
            ]
        )
    }
}
