import LosslessJSON
import PlugCore
import TestKit
import Testing

@testable import PlugFetch

/// A service that repeats what it was sent, and what a message shows of it.
struct RedactionTests {
    /// What the message says of an answer whose words are `says`.
    private static func words(
        _ says: String,
        auth: String = "none",
        request: String = "{path: /t}",
        head: String = "",
        key: String = "S3cr3t/CANARY"
    ) async throws -> String? {
        var bench = try Bench(
            "config: {key: {type: string, secret: true}, size: {type: integer, default: 50}}\nauth: \(auth)\n\(head)"
                + "http: {base: \"https://api.test\"}\n"
                + "streams: {things: {endpoint: t, key: .id, version: none, request: \(request), records: .items}}\n"
        )
        bench.config = ["key": .text(key)]
        let body = JSONValue.members(("message", .text(says))).compactText
        let message = try await bench.read(from: Script(.status(400, body: body))).error?.message
        return message.map { String($0.split(separator: "; it says: ").last ?? "") }
    }

    @Test(
        "what a template makes of a secret is one, wherever it goes",
        arguments: [
            "{path: /t, headers: {X: '{{ PROGRAM }}'}}", "{path: /t, headers: {X: 'v1 {{ PROGRAM }}'}}",
            "{path: /t, query: {q: '{{ PROGRAM }}'}}", "{path: /t, method: POST, json: {a: [{b: '{{ PROGRAM }}'}]}}",
            "{path: /t, method: POST, json: '{{ {a: [PROGRAM]} }}'}",
        ]
    )
    func transformed(request: String) async throws {
        let made = [
            ("config.key | @base64", "UzNjcjN0L0NBTkFSWQ=="), ("config.key | ascii_upcase", "S3CR3T/CANARY"),
            ("config.key[0:7]", "S3cr3t/"), ("vars.pair | @base64", "YW5uOlMzY3IzdC9DQU5BUlk="),
            ("\"whole-\" + (config | length | tostring)", "whole-2"),
            ("config[\"key\"] | explode | reverse | implode", "YRANAC/t3rc3S"),
        ]
        for (program, text) in made {
            let words = try await Self.words(
                "the token '\(text)' is not known",
                request: request.replacing("PROGRAM", with: program),
                head: "vars: {pair: 'ann:{{ config.key }}'}\n"
            )
            #expect(words == "the token '<redacted>' is not known", "\(program)")
        }
    }

    @Test("of a header that names a scheme, the credential is a secret by itself")
    func schemes() async throws {
        let request = "{path: /t, headers: {X: '{{ \"Token \" + (config.key | @base64) }}'}}"
        #expect(
            try await Self.words("Token UzNjcjN0L0NBTkFSWQ== or UzNjcjN0L0NBTkFSWQ==; Token needed", request: request)
                == "<redacted> or <redacted>; Token needed"
        )
    }

    @Test("what a template makes of something else is no secret")
    func plain() async throws {
        let request = "{path: /t, query: {n: '{{ config.size }}', keys: '{{ \"monkey\" }}'}}"
        #expect(try await Self.words("50 monkeys", request: request) == "50 monkeys")
    }

    @Test(
        "credentials that stand in the manifest as they are",
        arguments: [
            ("{bearer: {token: tok-1234}}", "tok-1234"), ("{basic: {username: ann, password: pass-1}}", "pass-1"),
            ("{basic: {username: ann, password: pass-1}}", "YW5uOnBhc3MtMQ=="),
            ("{basic: {username: key-of-ann, password: ''}}", "key-of-ann"),
            ("{key: {in: header, name: X-Key, value: lit-123}}", "lit-123"),
            ("{key: {in: query, name: k, value: 'lit/123'}}", "lit%2F123"),
        ]
    )
    func literal(auth: String, secret: String) async throws {
        #expect(try await Self.words("no such key: \(secret)!", auth: auth) == "no such key: <redacted>!")
    }

    @Test(
        "a literal under the name of a credential",
        arguments: [
            ("{path: /t, headers: {Authorization: 'Token lit-12345'}}", "lit-12345"),
            ("{path: /t, headers: {X-Api-Key: lit-12345}}", "lit-12345"),
            ("{path: /t, query: {api_key: lit/12345}}", "lit%2F12345"),
            ("{path: /t, query: {token: lit-12345}}", "lit-12345"),
        ]
    )
    func namedLiteral(request: String, secret: String) async throws {
        #expect(try await Self.words("no such key: \(secret)!", request: request) == "no such key: <redacted>!")
    }

    @Test(
        "an address shows neither its query nor a segment with what a person has configured",
        arguments: [("ada lovelace", "…"), ("ada", "…"), ("w", "…")]
    )
    func addresses(user: String, shown: String) async throws {
        var bench = try Bench(
            "config: {user: {type: string}, kind: {type: string, enum: [all, new]}}\nhttp: {base: \"https://api.test\"}\n"
                + "streams: {things: {endpoint: t, key: .id, version: none, records: .items, "
                + "request: {path: \"/u/{{ config.user }}/{{ config.kind }}/x\", query: {q: \"{{ config.user }}\"}}}}\n"
        )
        bench.config = ["user": .text(user), "kind": .text("all")]
        let message = try await bench.read(from: Script(.status(404))).error?.message
        #expect(message == "GET https://api.test/u/\(shown)/all/x was answered with 404")
    }

    @Test("a literal under another name is no secret")
    func otherLiteral() async throws {
        let request = "{path: /t, query: {sort_key: created_at, key: short}, headers: {X-Kind: ordinary-word}}"
        let says = "created_at, short, ordinary-word"
        #expect(try await Self.words(says, request: request) == says)
    }

    @Test(
        "a secret is hidden however it is encoded",
        arguments: [
            ("S3cr3t/CANARY é", "S3cr3t/CANARY%20%C3%A9"), ("S3cr3t/CANARY é", "S3cr3t%2fCANARY+é"),
            ("S3cr3t/CANARY é", "%53%33cr3t/CANARY %c3%a9"), ("100%41 sure", "100%41 sure"),
            ("100%41 sure", "100%2541%20sure"),
            // Latin-1 read as UTF-8, and the other way round.
            ("geheim-é", "geheim-\u{FFFD}"), ("geheim-é", "geheim-Ã©"),
            ("geheim-é", "geheim-%E9"), ("S3cr3t/CANARY é", "S3cr3t%252FCANARY%2520é"),
            ("ab+cd/ef==", "ab cd%2Fef%3D%3D"),
            // Quoted JSON and HTML.
            ("S3cr3t/CANARY é", #"S3cr3t\/CANARY é"#), ("S3cr3t/CANARY é", #"S3cr3t/CANARY \u00e9"#),
            (#"a"b\c"#, #"a\"b\\c"#), ("a&b<c>", "a&amp;b&lt;c&gt;"),
            // What overlaps is one.
            ("abcabc", "abcabcabc"),
        ]
    )
    func encoded(key: String, text: String) async throws {
        #expect(try await Self.words("no '\(text)', 5 % off", key: key) == "no '<redacted>', 5 % off")
    }

    @Test("a thousand secrets that begin alike are looked for in a long text in little time")
    func manySecrets() {
        let words = SecretWords((0..<1000).map { "sk_live_prefix-\($0)-\($0 &* 7919)" })
        let text = String(repeating: "sk_live sk_live_prefi sk_lixe ", count: 2200)
        #expect(words.blotted(text) == text)
        #expect(words.blotted(text + "sk_live_prefix-999-7911081") == text + "<redacted>")
    }

    @Test("a secret of one to three characters is hidden as a word, and the run says so")
    func short() async throws {
        let says = "no pin 123 in '123' or 123: 1234 and a123 are others"
        #expect(
            try await Self.words(says, key: "123")
                == "no pin <redacted> in '<redacted>' or <redacted>: 1234 and a123 are others"
        )
        #expect(try await Self.words("pins 12345", key: "1234") == "pins <redacted>5")
        var bench = try Bench(
            "config: {pin: {type: string, secret: true}}\nhttp: {base: \"https://api.test\"}\n"
                + "streams: {things: {endpoint: t, key: .id, version: none, request: {path: /t}, records: .}}\n"
        )
        bench.config = ["pin": .text("123")]
        _ = try await bench.read(from: Script(.json("[]")))
        #expect(
            bench.events.all.map(\.kind).first
                == .warning(
                    code: "secret-short",
                    message:
                        "the secret 'pin' has fewer than 4 characters: messages hide it only where it is a separate word"
                )
        )
    }
}
