import CurlTransport
import LosslessJSON
import PlugCore
import PlugManifest
import Signing
import TestKit
import Testing

@testable import PlugFetch

/// Requests that are signed: each try anew, with the time and the chance of the clock that is given.
///
/// Signatures that are no examples of a service were made with Python's hmac and hashlib.
@Suite(.fewAtATime)
struct SignatureTests {
    /// A plug with `auth` and one stream.
    private func bench(
        _ auth: String,
        request: String = "{path: /t}",
        stream: String = "",
        time: String = "2026-11-21T12:00:00Z",
        secret: String = "S3cr3t/CANARY",
        base: String = "https://api.test",
        hosts: String = "[api.test]"
    ) throws -> Bench {
        var bench = try Bench(
            "config: {key: {type: string, secret: true}, app: {type: string, default: app}}\nauth: \(auth)\n"
                + "http: {base: \"\(base)\", retry: {tries: 3}}\n"
                + "streams: {things: {endpoint: t, key: .id, version: none, request: \(request), records: .\(stream)}}\n",
            hosts: hosts
        )
        bench.config = ["key": .text(secret)]
        bench.clock = FakeClock(time)
        return bench
    }

    /// The one request of a run.
    private func sent(_ bench: Bench) async throws -> HTTPRequest {
        let script = Script(.json("[]"))
        #expect(try await bench.read(from: script).error == nil)
        return try #require(script.sent.first)
    }

    // MARK: - A service's own way

    /// The documentation of Binance, "Signed endpoint examples".
    @Test func aSignatureOverTheQueryAndATimeInIt() async throws {
        let request = try await sent(
            bench(
                "{sign: {text: '{{ request.query }}', key: '{{ config.key }}', send: [{in: query, name: timestamp, value: "
                    + "'{{ request.time | time(\"epoch_ms\") }}'}, {in: query, name: signature, value: '{{ signature }}'}]}}",
                request:
                    "{path: /order, query: {symbol: LTCBTC, side: BUY, type: LIMIT, timeInForce: GTC, quantity: 1, "
                    + "price: '0.1', recvWindow: 5000}}",
                time: "2017-07-12T02:41:59.559Z",
                secret: "NhqPtmdSJYdKjVHjA7PZj4Mge3R5YNiP1e3UZjInClVN65XAbvqqM6A7H5fATj0j"
            )
        )
        #expect(
            request.url
                == "https://api.test/order?symbol=LTCBTC&side=BUY&type=LIMIT&timeInForce=GTC&quantity=1&price=0.1&"
                + "recvWindow=5000&timestamp=1499827319559&"
                + "signature=c8db56825ae71d6d79447849e617115f4a920fa2acdcab2b053c4b2838bd6b71"
        )
    }

    /// The documentation of Kraken, "Spot REST authentication".
    @Test func aSignatureOverTheHashOfAFormWithANonceInIt() async throws {
        let request = try await sent(
            bench(
                "{sign: {parts: [{text: '{{ request.path }}'}, {sha256: '{{ request.nonce }}{{ request.body }}'}], hash: "
                    + "sha512, key: '{{ config.key }}', key_encoding: base64, encoding: base64, send: [{in: header, name: "
                    + "API-Key, value: '{{ config.app }}'}, {in: body, name: nonce, value: '{{ request.nonce }}'}, {in: "
                    + "header, name: API-Sign, value: '{{ signature }}'}]}}",
                request:
                    "{path: /0/private/AddOrder, method: POST, form: {nonce: '', ordertype: limit, pair: XBTUSD, price: "
                    + "37500, type: buy, volume: '1.25'}}",
                // So many microseconds since 1970 as the example's nonce.
                time: "1970-01-19T17:01:32.376594Z",
                secret: "kQH5HW/8p1uGOVjbgWA7FunAmGO8lsSUXNsu3eow76sz84Q18fWxnyRzBHCd3pd5nE9qa99HAZtuZuj6F1huXg=="
            )
        )
        #expect(
            request.body.map { String(decoding: $0, as: UTF8.self) }
                == "nonce=1616492376594&ordertype=limit&pair=XBTUSD&price=37500&type=buy&volume=1.25"
        )
        #expect(request.header("API-Key") == "app")
        #expect(
            request.header("API-Sign")
                == "4/dpxb3iT4tp/ZCVEwSnEsLxx0bqyhLpdfOpc6fn7OR8+UClSV5n9E6aSS8MPtnRfp32bAb0nmbRn6H8ndwLUQ=="
        )
    }

    @Test func aSignatureOverTimeMethodTargetAndBody() async throws {
        let request = try await sent(
            bench(
                "{sign: {text: '{{ request.time | time(\"epoch\") }}{{ request.method }}{{ request.target }}{{ "
                    + "request.body }}', key: '{{ config.key | @base64 }}', key_encoding: base64, encoding: base64, send: [{in: "
                    + "header, name: ACCESS-SIGN, value: '{{ signature }}'}, {in: header, name: ACCESS-TIMESTAMP, value: '{{ "
                    + "request.time | time(\"epoch\") }}'}]}}",
                request: "{path: /v2/t, method: POST, query: {x: 1}, json: {a: 1.10}}"
            )
        )
        #expect(request.header("ACCESS-TIMESTAMP") == "1795262400")
        #expect(request.header("ACCESS-SIGN") == "rFRMmtA8a4Hpv4bXL+H15jKZYgvXBF9NkDDwRGHIvJU=")
    }

    @Test func withoutAKeyTheSignatureIsAHash() async throws {
        let request = try await sent(
            bench(
                "{sign: {text: '1{{ config.key }}{{ request.path }}', hash: md5, send: {in: cookie, name: s, value: 'v{{ "
                    + "signature }}'}}}"
            )
        )
        #expect(request.header("Cookie") == "s=v47b737651533516cf2c75447ce711a29")
    }

    @Test func everyTryIsSignedAnew() async throws {
        let bench = try bench(
            "{sign: {text: '{{ request.nonce }}', key: '{{ config.key }}', send: [{in: header, name: N, value: '{{ "
                + "request.nonce }} {{ request.random }}'}, {in: header, name: S, value: '{{ signature }}'}]}}"
        )
        let script = Script(.status(503), .failure(.timedOut), .json("[]"))
        #expect(try await bench.read(from: script).error == nil)
        let nonces = script.sent.compactMap { $0.header("N") }
        #expect(nonces.count == 3 && Set(nonces).count == 3)
        #expect(nonces[0] == "1795262400000000 80000000000008000000000000")
        #expect(Set(script.sent.compactMap { $0.header("S") }).count == 3)
        // One header each, not one for each try.
        #expect(script.sent.map { request in request.headers.filter { $0.name == "S" }.count } == [1, 1, 1])
    }

    @Test func noncesOfOneMomentAreDifferent() async throws {
        let bench = try bench(
            "{sign: {text: a, key: '{{ config.key }}', send: [{in: header, name: N, value: '{{ request.nonce }}'}, {in: "
                + "header, name: S, value: '{{ signature }}'}]}}",
            stream: ", page: {number: {param: p}}"
        )
        let script = Script(.json(#"[{"id": 1}]"#), .json(#"[{"id": 2}]"#), .json("[]"))
        #expect(try await bench.read(from: script).error == nil)
        #expect(
            script.sent.compactMap { $0.header("N") } == ["1795262400000000", "1795262400000001", "1795262400000002"]
        )
    }

    @Test func neitherKeyNorSignatureIsShown() async throws {
        let bench = try bench(
            "{sign: {text: '{{ request.path }}', key: '{{ config.key | @base64 }}', key_encoding: base64, send: {in: header, "
                + "name: S, value: 'Sig {{ signature }}'}}}"
        )
        let script = Script { request, _ in
            let says =
                "bad \(request.header("S") ?? ""), \((request.header("S") ?? "").dropFirst(4)), UzNjcjN0L0NBTkFSWQ=="
            return .status(401, body: JSONValue.members(("message", .text(says + " or S3cr3t/CANARY"))).compactText)
        }
        let error = try #require(try await bench.read(from: script).error)
        #expect(error.advice == "check the keys of 'auth', what they allow to read, and this machine's clock")
        #expect(error.message.hasSuffix("it says: bad <redacted>, <redacted>, <redacted> or <redacted>"))
    }

    @Test func aKeyThatIsNoneIsToldBeforeAnythingIsAsked() async throws {
        let bench = try bench(
            "{sign: {text: a, key: '{{ config.key }}', key_encoding: hex, send: {in: header, name: S, value: '{{ signature }}'}}}"
        )
        let script = Script(.json("[]"))
        let error = try await bench.read(from: script).error
        #expect(error?.code == "signing-key-unusable" && error?.exit == .configuration)
        #expect(error?.message == "the key of 'auth.sign' is no hex" && script.sent.isEmpty)
    }

    // MARK: - OAuth 1.0a

    private static let oauth1 =
        "{oauth1: {method: HMAC-SHA256, consumer_key: '{{ config.app }}', consumer_secret: '{{ config.key }}', token: tok-1234, "
        + "token_secret: '{{ \"ts 1\" }}'IN}}"

    @Test func aFormAndTheQueryAreSignedWithOAuth1() async throws {
        let request = try await sent(
            bench(
                Self.oauth1.replacing("IN", with: ", realm: r"),
                request: "{path: /t, method: POST, query: {b: 'x y'}, form: {a: 1, c: 'ü&'}}"
            )
        )
        #expect(
            request.header("Authorization")
                == #"OAuth realm="r", oauth_consumer_key="app", oauth_token="tok-1234", "#
                + #"oauth_signature_method="HMAC-SHA256", oauth_timestamp="1795262400", "#
                + #"oauth_nonce="80000000000008000000000000", oauth_version="1.0", oauth_signature="nM1K37T9ziMA4idKGapoIt2ydyUDq2maGrj%2BCng538c%3D""#
        )
    }

    @Test func parametersInTheQueryDoNotStayInLinks() async throws {
        let bench = try bench(Self.oauth1.replacing("IN", with: ", in: query"), request: "{path: /t, query: {b: 2}}")
        let script = Script { request, at in
            at == 0 ? .status(302, HTTPHeader("Location", request.url + "&moved=1")) : .json("[]")
        }
        #expect(try await bench.read(from: script).error == nil)
        for request in script.sent {
            let names = (try HTTPURL(request.url).query ?? "").split(separator: "&").map { $0.prefix { $0 != "=" } }
            #expect(
                names.filter { $0 == "oauth_signature" }.count == 1 && names.filter { $0 == "oauth_nonce" }.count == 1
            )
        }
        #expect(script.sent[1].parameter("moved") == "1")
    }

    // MARK: - AWS

    @Test func aRequestIsSignedForAWS() async throws {
        let request = try await sent(
            bench(
                "{aws: {access_key: AKID, secret_key: '{{ config.key }}', session_token: '{{ \"sess-1\" }}', region: "
                    + "eu-central-1, service: dynamodb}}",
                request:
                    "{path: '/{{ \"a b\" }}', method: POST, query: {q: x y}, headers: {X-Amz-Target: List, X-Other: a}, json: {n: 1}}"
            )
        )
        #expect(
            request.header("X-Amz-Date") == "20261121T120000Z" && request.header("X-Amz-Security-Token") == "sess-1"
        )
        #expect(
            request.header("Authorization")
                == "AWS4-HMAC-SHA256 Credential=AKID/20261121/eu-central-1/dynamodb/aws4_request, SignedHeaders=content-type;"
                + "host;x-amz-date;x-amz-security-token;x-amz-target, Signature=2e32f451ceedbde4b53b386f968762a8c888a515b4a7979d3af3c15e1a369de5"
        )
    }

    /// The server signs what it received itself.
    @Test func whatGoesOverTheWireIsWhatIsSigned() async throws {
        let aws = AWSSigner(accessKey: "AKID", secretKey: Secret("S3cr3t/CANARY"), region: "eu-1", service: "s3")
        let oauth = try OAuth1Signer(.hmacSHA1, consumerKey: "app", consumerSecret: Secret("S3cr3t/CANARY"))
        let server = try SourceServer { _, _ in .json("[]") }
        let now = FakeClock().now()
        for auth in [
            "{aws: {access_key: AKID, secret_key: '{{ config.key }}', region: eu-1, service: s3}}",
            "{oauth1: {consumer_key: app, consumer_secret: '{{ config.key }}'}}",
        ] {
            let bench = try bench(
                auth,
                request:
                    "{path: '/b/{{ \"ü ($)\" }}', method: POST, query: {list-type: 2, 'pre fix': 'a/b+c', e: ''}, form: {d: 'e f'}}",
                base: "http://127.0.0.1:\(server.port)",
                hosts: "[\"127.0.0.1:\(server.port)\"]"
            )
            #expect(try await bench.readOverSockets().error == nil)
        }
        for (request, isAWS) in zip(server.asked, [true, false]) {
            let parts = request.target.split(separator: "?", maxSplits: 1).map(String.init)
            var received = SignableRequest(
                method: request.method,
                scheme: "http",
                authority: request.header("Host") ?? "",
                path: parts[0],
                query: parts.count > 1 ? parts[1] : nil,
                body: request.body,
                hasForm: true
            )
            received.headers = [("Content-Type", request.header("Content-Type") ?? "")]
            let expected =
                isAWS
                ? aws.headers(for: received, now: now).last?.value
                : OAuth1Signer.header(
                    try oauth.parameters(
                        for: received,
                        timestamp: now / 1_000_000,
                        nonce: "80000000000008000000000000"
                    )
                )
            #expect(request.header("Authorization") == expected)
        }
    }
}

extension SignatureTests {
    @Test func manySignaturesPushNoOtherSecretOut() throws {
        let manifest = try Bench(
            "config: {key: {type: string, secret: true}}\nhttp: {headers: {X: '{{ config.key | @base64 }}'}}\n"
                + "streams: {a: {request: {path: 'https://api.test/a'}}}\n"
        ).manifest
        let redactor = Redactor(manifest, config: ["key": .text("S3cr3t/CANARY")], vars: JSONObject())
        let expression = try #require(manifest.http.headers[0].value.expressions.first)
        redactor.learn(.text("UzNjcjN0L0NBTkFSWQ=="), of: expression)
        redactor.issue(Secret("session-1234"))
        for at in 0..<5000 { redactor.hide(signature: "signature-\(at)-") }
        #expect(
            redactor.shown("S3cr3t/CANARY UzNjcjN0L0NBTkFSWQ== session-1234 signature-4999- signature-0-")
                == "<redacted> <redacted> <redacted> <redacted> signature-0-"
        )
    }
}
