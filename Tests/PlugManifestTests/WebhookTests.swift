import Cryptography
import PlugCore
import PlugManifest
import Signing
import Testing

struct WebhookTests {
    private func read(_ webhook: String) -> ManifestResult {
        let yaml = """
            plug: test
            api: 1
            version: 1.0.0
            hosts: [api.test]
            config: {user: {type: string}, key: {type: string, secret: true}}
            webhook: {\(webhook)}
            streams: {things: {endpoint: t, key: .id, version: none, request: {path: "https://api.test/"}}}
            """
        return ManifestReader.read(path: "plug.yaml", text: Array(yaml.utf8))
    }

    /// Code, line and column of what is wrong.
    private func errors(_ webhook: String) -> [String] {
        read(webhook).diagnostics.filter { $0.severity == .error }
            .map { "\($0.code) \($0.location.map { "\($0.line):\($0.column)" } ?? "")" }
    }

    @Test func allKeysAreRead() throws {
        let result = read(
            """
            verify: {hmac: {algorithm: sha512, secret: hooks, key_encoding: base64, header: X-S, prefix: "v1=",
                encoding: base64, signed: "a{id}.{timestamp}{body}", timestamp: {header: X-S, prefix: "t="}, id: {header: X-I},
                tolerance: 1h}}, who: .u, account: config.user, answer: query.c
            """
        )
        let webhook = try #require(result.manifest?.webhook)
        guard case .hmac(let check) = webhook.verification else {
            Issue.record("it is another one")
            return
        }
        #expect(check.algorithm == .sha512 && check.keyEncoding == .base64 && check.encoding == .base64)
        #expect(check.signature == Webhook.Place(header: "x-s", prefix: "v1="))
        #expect(check.signed == [.text("a"), .id, .text("."), .timestamp, .body])
        #expect(check.timestamp == Webhook.Place(header: "x-s", prefix: "t="))
        #expect(check.id == Webhook.Place(header: "x-i") && check.tolerance == .seconds(3_600))
        #expect(webhook.provider == "hooks" && webhook.account == .config("user"))
        #expect(webhook.who != nil && webhook.answer != nil)
        #expect(result.manifest?.providers == ["hooks"])
    }

    @Test func whatIsNotWrittenIsUsual() throws {
        let webhook = try #require(read("verify: {hmac: {header: X-S, timestamp: {header: X-T}}}").manifest?.webhook)
        guard case .hmac(let check) = webhook.verification else {
            Issue.record("it is another one")
            return
        }
        #expect(check.algorithm == .sha256 && check.signed == [.timestamp, .text("."), .body])
        #expect(check.tolerance == .seconds(300) && webhook.provider == "test" && webhook.account == .label)
    }

    @Test(
        arguments: [
            ("verify: {hmac: {header: X-S, signed: '{timestamp}{body}'}}", "webhook-signed 6:48"),
            ("verify: {hmac: {header: X-S, signed: '{id}{body}'}}", "webhook-signed 6:48"),
            ("verify: {hmac: {header: X-S, signed: 'x'}}", "webhook-signed 6:48"),
            ("verify: {hmac: {header: X-S, timestamp: {header: T}, signed: '{body}'}}", "webhook-signed 6:72"),
            ("verify: {hmac: {header: X-S, tolerance: 5m}}", "missing-key 6:40"),
            ("verify: {hmac: {header: X-S, timestamp: {header: T}, tolerance: 2d}}", "bad-duration 6:75"),
            ("verify: {hmac: {header: 'X S'}}", "header-name 6:35"),
            ("verify: {hmac: {header: X-S, secret: 'a b'}}", "bad-id 6:48"),
            ("verify: {token: {prefix: a}}", "missing-kind 6:20"),
            ("verify: {token: {query: t}}, who: .u", "webhook-account 6:40"),
            ("verify: {token: {query: t}}, who: .u, account: config.usr", "webhook-account 6:58"),
            ("verify: {token: {query: t}}, who: .u, account: config.key", "webhook-account 6:58"),
        ]
    )
    func whatIsWrongIsToldWithItsPlace(_ webhook: String, _ error: String) {
        #expect(errors(webhook) == [error])
    }
}
