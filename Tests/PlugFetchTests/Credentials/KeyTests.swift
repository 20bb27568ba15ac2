import LosslessJSON
import PlugCore
import PlugFetch
import PlugManifest
import TestKit
import Testing

/// Keys in headers, query, body and cookies, of a plug and of its streams: what goes over the wire, and what no message shows.
@Suite(.fewAtATime)
struct KeyTests {
    private static let key = "S3cr3t/CANARY"

    /// A plug for a server, with `auth` and the rest of the only stream.
    private func bench(
        _ server: SourceServer,
        auth: String,
        request: String = "{path: /t}",
        stream: String = ""
    ) throws -> Bench {
        var bench = try Bench(
            "config: {key: {type: string, secret: true}, app: {type: string, default: app-1}}\nauth: \(auth)\n"
                + "http: {base: \"http://127.0.0.1:\(server.port)\", retry: {tries: 2}}\n"
                + "streams: {things: {endpoint: t, key: .id, version: none, request: \(request), records: .\(stream)}}\n",
            hosts: "[\"127.0.0.1:\(server.port)\"]"
        )
        bench.config = ["key": .text(Self.key)]
        return bench
    }

    /// The one request of a run.
    private func asked(auth: String, request: String = "{path: /t}", stream: String = "") async throws
        -> SourceServer.Request
    {
        let server = try SourceServer { _, _ in .json("[]") }
        let reading = try await bench(server, auth: auth, request: request, stream: stream).readOverSockets()
        #expect(reading.error == nil)
        return try #require(server.asked.first)
    }

    @Test func severalKeysGoWithOneRequest() async throws {
        let request = try await asked(
            auth:
                "{key: [{in: header, name: X-Api-Key, value: '{{ config.key }}'}, {in: header, name: X-App-Id, value: "
                + "'{{ config.app }}'}, {in: query, name: k, value: 'v {{ config.app }}'}]}"
        )
        #expect(request.header("X-Api-Key") == Self.key && request.header("X-App-Id") == "app-1")
        #expect(request.target == "/t?k=v%20app-1")
    }

    @Test func aKeyGoesIntoAFormInThePlaceOfOneOfItsName() async throws {
        let request = try await asked(
            auth: "{key: {in: body, name: api key, value: '{{ config.key }}'}}",
            request: "{path: /t, method: POST, form: {a: '1', 'api key': none, b: 'x y'}}"
        )
        #expect(String(decoding: request.body, as: UTF8.self) == "a=1&api+key=S3cr3t%2FCANARY&b=x+y")
        #expect(request.header("Content-Type") == "application/x-www-form-urlencoded")
    }

    @Test func aKeyGoesIntoAJSONBodyAtItsPathAndNumbersKeepTheirDigits() async throws {
        let request = try await asked(
            auth: "{key: [{in: body, name: auth.key, value: '{{ config.key }}'}, {in: body, name: app, value: a}]}",
            request: "{path: /t, method: POST, json: {n: 1.10, auth: {user: ann}}}"
        )
        #expect(
            String(decoding: request.body, as: UTF8.self)
                == #"{"n":1.10,"auth":{"user":"ann","key":"S3cr3t/CANARY"},"app":"a"}"#
        )
    }

    @Test func aBodyThatIsNoMappingHasNoPlaceForAKey() async throws {
        let server = try SourceServer { _, _ in .json("[]") }
        let bench = try bench(
            server,
            auth: "{key: {in: body, name: k, value: '{{ config.key }}'}}",
            request: "{path: /t, method: POST, json: [1]}"
        )
        let error = try await bench.readOverSockets().error
        #expect(error?.code == "body-not-object" && server.asked.isEmpty)
        #expect(
            error?.message
                == "'k' of 'auth' goes into the body, and the request has neither a form nor a JSON body with a mapping there"
        )
    }

    @Test func aKeyInACookieStandsBesideOtherCookies() async throws {
        let request = try await asked(
            auth: "{key: [{in: cookie, name: sid, value: '{{ config.key }}'}, {in: cookie, name: v, value: '2'}]}",
            request: "{path: /t, headers: {Cookie: 'lang=en; sid=old'}}"
        )
        #expect(request.headers(named: "Cookie") == ["lang=en; sid=S3cr3t/CANARY; v=2"])
    }

    @Test func aSemicolonEndsNoCookie() async throws {
        let server = try SourceServer { _, _ in .json("[]") }
        var bench = try bench(server, auth: "{key: {in: cookie, name: sid, value: '{{ config.key }}'}}")
        bench.config = ["key": .text("a; admin=1")]
        #expect(try await bench.readOverSockets().error?.code == "credential-unreadable")
        #expect(server.asked.isEmpty)
    }

    @Test func aSecondTryHasTheKeyOnce() async throws {
        let server = try SourceServer { _, at in at == 0 ? .status(503) : .json("[]") }
        let bench = try bench(
            server,
            auth: "{key: [{in: body, name: k, value: '{{ config.key }}'}, {in: cookie, name: c, value: d}]}",
            request: "{path: /t, method: POST, form: {a: b}}"
        )
        #expect(try await bench.readOverSockets().error == nil)
        #expect(
            server.asked.map { String(decoding: $0.body, as: UTF8.self) } == [
                "a=b&k=S3cr3t%2FCANARY", "a=b&k=S3cr3t%2FCANARY",
            ]
        )
        #expect(server.asked.map { $0.headers(named: "Cookie") } == [["c=d"], ["c=d"]])
    }

    @Test func aKeyGoesToTheBaseAloneAndNotWhereALinkLeads() async throws {
        let other = try SourceServer { _, _ in .json("[]") }
        let server = try SourceServer { _, _ in .status(302, "Location: http://127.0.0.1:\(other.port)/x") }
        var bench = try Bench(
            "auth: {key: [{in: cookie, name: sid, value: s}, {in: query, name: k, value: v}]}\n"
                + "http: {base: \"http://127.0.0.1:\(server.port)\"}\n"
                + "streams: {things: {endpoint: t, key: .id, version: none, request: {path: /t}, records: .}}\n",
            hosts: "[\"127.0.0.1:\(server.port)\", \"127.0.0.1:\(other.port)\"]"
        )
        bench.config = [:]
        #expect(try await bench.readOverSockets().error == nil)
        #expect(server.asked[0].header("Cookie") == "sid=s" && server.asked[0].target == "/t?k=v")
        #expect(other.asked[0].header("Cookie") == nil && other.asked[0].target == "/x")
    }

    @Test(
        "what the service says of a key shows none",
        arguments: [
            "{key: {in: cookie, name: c, value: 'pre-{{ config.key }}'}}",
            "{key: [{in: header, name: A, value: lit-12345}, {in: body, name: b, value: '{{ config.key | @base64 }}'}]}",
        ]
    )
    func redaction(auth: String) async throws {
        let says = "no key S3cr3t/CANARY, S3cr3t%2FCANARY, pre-S3cr3t/CANARY, lit-12345, UzNjcjN0L0NBTkFSWQ== is known"
        let server = try SourceServer { _, _ in
            SourceServer.Answer(status: 403, body: JSONValue.members(("message", .text(says))).compactText)
        }
        let bench = try bench(server, auth: auth, request: "{path: /t, method: POST, form: {a: b}}")
        let message = try #require(try await bench.readOverSockets().error?.message)
        #expect(!message.contains("S3cr3t"))
        #expect(auth.contains("lit-") == !message.contains("lit-12345"))
        #expect(!message.contains("UzNj"))
    }

    // MARK: - The auth of a stream

    @Test func aStreamAuthenticatesInItsOwnWayOrNotAtAll() async throws {
        let key = "{bearer: {token: '{{ config.key }}'}}"
        #expect(try await asked(auth: key).header("Authorization") == "Bearer S3cr3t/CANARY")
        #expect(try await asked(auth: key, stream: ", auth: none").header("Authorization") == nil)
        let own = try await asked(auth: key, stream: ", auth: {key: {in: header, name: X-Key, value: own-key}}")
        #expect(own.header("Authorization") == nil && own.header("X-Key") == "own-key")
    }

    @Test func aStreamsOwnKeyIsHiddenAndLeavesLinksWithoutIt() async throws {
        let server = try SourceServer { request, _ in
            request.parameter("page") == nil
                ? .json(#"{"items": [], "next": "/t?k=own-key-1&page=2"}"#)
                : SourceServer.Answer(status: 403, body: #"{"message": "own-key-1 may not read S3cr3t/CANARY"}"#)
        }
        let bench = try Bench(
            "auth: {bearer: {token: other}}\nhttp: {base: \"http://127.0.0.1:\(server.port)\"}\n"
                + "streams: {things: {endpoint: t, key: .id, version: none, request: {path: /t}, records: .items, page: "
                + "{next: .next}, auth: {key: {in: query, name: k, value: own-key-1}}}}\n",
            hosts: "[\"127.0.0.1:\(server.port)\"]"
        )
        let states = MemoryStates()
        let reading = try await bench.readOverSockets("things", states)
        #expect(server.asked.map(\.target) == ["/t?k=own-key-1", "/t?page=2&k=own-key-1"])
        #expect(server.asked.allSatisfy { $0.header("Authorization") == nil })
        #expect(reading.error?.code == "source-unauthorised" && reading.error?.message.contains("own-key") == false)
        #expect(states.text()?.contains("own-key") == false)
    }

    // MARK: - One of several

    @Test func theConfigurationChooses() async throws {
        for (kind, header) in [
            ("pat", "Bearer S3cr3t/CANARY"), ("app", "Basic YW5uOlMzY3IzdC9DQU5BUlk="), ("open", nil),
        ] {
            let server = try SourceServer { _, _ in .json("[]") }
            var bench = try bench(
                server,
                auth: "{any_of: {by: '{{ config.app }}', of: {pat: {bearer: {token: '{{ config.key }}'}}, app: {basic: "
                    + "{username: ann, password: '{{ config.key }}'}}, open: none}}}"
            )
            bench.config["app"] = .text(kind)
            #expect(try await bench.readOverSockets().error == nil)
            #expect(server.asked.map { $0.header("Authorization") } == [header])
        }
    }
}
