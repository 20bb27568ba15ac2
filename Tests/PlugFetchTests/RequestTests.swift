import CurlTransport
import LosslessJSON
import PlugCore
import TestKit
import Testing

@testable import PlugFetch

struct RequestTests {
    private static let canary = "s3cr3t/ü+1"
    private static let encoded = "s3cr3t%2F%C3%BC%2B1"

    private static func bench(
        _ auth: String,
        stream: String = "request: {path: /t}, records: .items",
        http: String = ""
    ) throws -> Bench {
        var bench = try Bench(
            "config: {key: {type: string, secret: true}, user: {type: string, default: me}}\nauth: \(auth)\n"
                + "http: {base: \"https://api.test\"\(http)}\n"
                + "streams: {things: {endpoint: t, key: .id, version: none, \(stream)}}\n"
        )
        bench.config["key"] = .text(canary)
        return bench
    }
    private static let page = Script.Reply.json(#"{"items":[{"id":1}]}"#)

    @Test(
        arguments: [
            ("none", nil, "https://api.test/t"),
            ("{bearer: {token: \"{{ config.key }}\"}}", "Authorization: Bearer s3cr3t/ü+1", "https://api.test/t"),
            (
                "{basic: {username: \"{{ config.user }}\", password: \"{{ config.key }}\"}}",
                "Authorization: Basic bWU6czNjcjN0L8O8KzE=", "https://api.test/t"
            ),
            (
                "{key: {in: header, name: X-Key, value: \"{{ config.key }}\"}}", "X-Key: s3cr3t/ü+1",
                "https://api.test/t"
            ),
            (
                "{key: {in: query, name: api_key, value: \"{{ config.key }}\"}}", nil,
                "https://api.test/t?api_key=\(encoded)"
            ),
        ] as [(String, String?, String)]
    )
    func provesWhoAsks(auth: String, header: String?, url: String) async throws {
        let source = Script(Self.page)
        let reading = try await Self.bench(auth).read(from: source)
        #expect(reading.ids == [1])
        #expect(source.urls == [url])
        #expect(source.sent[0].headers.map { "\($0.name): \($0.value)" }.first { !$0.hasPrefix("Accept") } == header)
    }

    @Test(arguments: ["bearer: {token:", "key: {in: header, name: X-Key, value:", "key: {in: query, name: k, value:"])
    func showsNoSecret(auth: String) async throws {
        let stream =
            "request: {path: \"/u/{{ config.key }}/t\", query: {q: \"{{ config.key }}\"}}, records: .items, page: {next: .next}"
        let replies: [Script.Reply] = [
            .status(500), .status(401, body: Self.canary), .status(404), .json("no"), .json("{}"),
            .failure(.cannotConnect),
            .status(429, HTTPHeader("Retry-After", "99999")),
            .json("{\"items\":[],\"next\":\"https://evil.test/\(Self.encoded)\"}"),
            .status(302, HTTPHeader("Location", "https://evil.test/\(Self.canary)")),
        ]
        for reply in replies {
            let bench = try Self.bench("{\(auth) \"{{ config.key }}\"}}", stream: stream)
            let reading = try await bench.read(from: Script(reply))
            let texts =
                [reading.error?.description ?? ""] + bench.events.all.map { "\($0)" } + reading.pages.map(\.origin)
            #expect(reading.error != nil)
            #expect(!texts.joined().contains("s3cr3t"), "\(texts)")
        }
    }

    @Test func showsNoVarMadeOfASecret() async throws {
        var bench = try Bench(
            "config: {key: {type: string, secret: true}}\nvars: {a: \"{{ config.key | base64 }}\", b: \"x{{ vars.a }}\"}\n"
                + "http: {base: \"https://api.test\"}\n"
                + "streams: {things: {endpoint: t, key: .id, version: none, request: {path: \"/u/{{ vars.b }}\"}, records: .items}}\n"
        )
        bench.config["key"] = .text("hello")
        let reading = try await bench.read(from: Script(.status(404)))
        #expect(reading.error?.message == "GET https://api.test/u/<redacted> was answered with 404")
    }

    @Test(arguments: [
        "config.key | @base64", "\"user:\" + config.key | base64", "config.key | ascii_upcase", "config.key[0:3]",
        "config.key | explode | reverse | implode", "config.key | @uri", "config.key | sha256",
    ])
    func showsNothingThatAPathMakesOfASecret(program: String) async throws {
        var bench = try Bench(
            "config: {key: {type: string, secret: true}}\nhttp: {base: \"https://api.test\"}\nstreams: {things: "
                + "{endpoint: t, key: .id, request: {path: '/u/{{ \(program) }}/x', query: {q: 1}}, records: .items}}\n"
        )
        bench.config["key"] = .text("S3cr3t/CANARY")
        let reading = try await bench.read(from: Script(.status(404)))
        #expect(reading.error?.message == "GET https://api.test/u/<redacted>/x was answered with 404")
    }

    @Test func givesTheKeyToTheNextPageOnce() async throws {
        let stream = "request: {path: /t}, records: .items, page: {next: .next}"
        let source = Script(
            .json(#"{"items":[{"id":1}],"next":"/t?page=2"}"#),
            .json(#"{"items":[{"id":2}],"next":"/t?page=3&k=old"}"#),
            Self.page
        )
        let bench = try Self.bench("{key: {in: query, name: k, value: \"{{ config.key }}\"}}", stream: stream)
        let states = MemoryStates()
        _ = try await bench.read(from: source, states, pages: 2)
        #expect(states.value()?["pass"]?["place"]?["url"]?.stringText == "https://api.test/t?page=3")
        _ = try await bench.read(from: source, states)
        #expect(
            source.urls == [
                "https://api.test/t?k=\(Self.encoded)", "https://api.test/t?page=2&k=\(Self.encoded)",
                "https://api.test/t?page=3&k=\(Self.encoded)",
            ]
        )
    }

    @Test func rendersVarsQueriesAndHeaders() async throws {
        var bench = try Bench(
            "config: {n: {type: integer, default: 3}, ids: {type: string}}\nvars: {a: \"v{{ config.n }}\", b: \"{{ vars.a }}!\"}\n"
                + "http: {base: \"https://api.test/{{ vars.a }}\", headers: {X-A: \"{{ vars.b }}\", Accept: text/json}}\n"
                + "streams: {things: {endpoint: t, key: .id, version: none, records: .items, request: {path: \"/t?fixed=1\", "
                + "query: {n: \"{{ config.n }}\", s: a b, none: \"{{ config.ids // null }}\", list: \"{{ [1,2] }}\", day: \"{{ now | time(\\\"date\\\") }}\"}, "
                + "headers: {X-B: \"{{ page.index }}\"}}}}\n"
        )
        bench.config["n"] = .integer(7)
        let source = Script(Self.page)
        _ = try await bench.read(from: source)
        #expect(source.urls == ["https://api.test/v7/t?fixed=1&n=7&s=a%20b&list=1&list=2&day=2026-11-21"])
        #expect(
            source.sent[0].headers == [
                HTTPHeader("X-A", "v7!"), HTTPHeader("Accept", "text/json"), HTTPHeader("X-B", "0"),
            ]
        )
    }

    @Test func refusesControlCharactersInHeaders() throws {
        var bench = try Self.bench("{bearer: {token: \"{{ config.key }}\"}}")
        bench.config["key"] = .text("a\r\nX-Evil: 1")
        #expect(throws: PlugError.self) { try bench.fetcher(Script(Self.page)) }
        var other = try Self.bench("none", http: ", headers: {X-User: \"{{ config.user }}\"}")
        other.config["user"] = .text("a\nb")
        #expect(throws: PlugError.self) { try other.fetcher(Script(Self.page)) }
    }

    @Test func saysWhatIsMissingBeforeTheFirstRequest() throws {
        var bench = try Self.bench("{bearer: {token: \"{{ config.key }}\"}}")
        bench.config["key"] = nil
        let missing = #expect(throws: PlugError.self) { try bench.fetcher(Script(Self.page)) }
        #expect(missing?.code == "template-undefined")
        bench.config["key"] = .text("")
        let empty = #expect(throws: PlugError.self) { try bench.fetcher(Script(Self.page)) }
        #expect(empty?.exit == .authorisation)
    }

    @Test(arguments: [("example.org", "https://example.org/t"), ("Example.org:8443", "https://example.org:8443/t")])
    func readsFromAHostThatThePersonConfigures(host: String, url: String) async throws {
        var bench = try Bench(
            "config: {instance: {type: host}}\nhttp: {base: \"https://{{ config.instance }}\"}\n"
                + "streams: {things: {endpoint: t, key: .id, version: none, records: .items, request: {path: /t}}}\n",
            hosts: "[\"{{ config.instance }}\"]"
        )
        bench.config["instance"] = .text(host)
        let source = Script(Self.page)
        #expect(try await bench.read(from: source).ids == [1])
        #expect(source.urls == [url])
        for bad in ["*.org", "a/b", "https://a.org", "user@a.org", ""] {
            bench.config["instance"] = .text(bad)
            #expect(throws: PlugError.self) { try bench.fetcher(source) }
        }
    }

    @Test("Beside other hosts, one that the person leaves open leads nowhere")
    func hostLeftOpen() async throws {
        let bench = try Bench(
            "config: {instance: {type: host}}\n"
                + "http: {base: '{{ if config.instance then \"https://\\(config.instance)\" else \"https://api.test\" end }}'}\n"
                + "streams: {things: {endpoint: t, key: .id, version: none, records: .items, request: {path: /t}}}\n",
            hosts: "[\"{{ config.instance }}\", api.test]"
        )
        let source = Script(Self.page)
        #expect(try await bench.read(from: source).ids == [1])
        #expect(source.urls == ["https://api.test/t"])
    }

    @Test func tellsOfRequestsWithoutTheirQuery() async throws {
        let bench = try Self.bench("none", stream: "request: {path: /t, query: {q: private}}, records: .items")
        _ = try await bench.read(from: Script(Self.page))
        let kind = FetchEvent.Kind.answered(
            method: "GET",
            url: "https://api.test/t",
            status: 200,
            bytes: 20,
            duration: .zero
        )
        #expect(bench.events.all == [FetchEvent(stream: "things", kind)])
    }

    @Test func knowsItsStreams() async throws {
        let bench = try Self.bench("none")
        #expect(try await bench.read("nothing", from: Script(Self.page)).error?.code == "unknown-stream")
    }
}
