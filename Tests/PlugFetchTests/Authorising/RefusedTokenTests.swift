import CurlTransport
import LosslessJSON
import OAuth
import PlugCore
import PlugFetch
import Synchronization
import TestKit
import Testing

/// Requests that are refused: when that renews the token, and where tokens go at all.
struct RefusedTokenTests {
    private static let client = ["test": ClientIdentity(id: "client", secret: Secret("s3cr3t"))]
    private static let oauth = "auth: {oauth2: {grant: client_credentials, token: {url: \"https://api.test/token\"}}}\n"

    @Test func oneThingThatNobodyMayReadKeepsNoDeadTokenAlive() async throws {
        var bench = try Bench(
            Self.oauth + "http: {base: \"https://api.test\", limits: [{concurrency: 1}]}\nstreams:\n"
                + "  list: {request: {path: /things}, key: .id}\n"
                + "  details: {endpoint: d, key: .id, version: none, for_each: {in: list, as: thing}, "
                + "request: {path: \"/things/{{ thing.id }}\"}}\n"
        )
        bench.options.clients = Self.client
        let newest = Mutex((token: 0, isAlive: true))
        let source = Script { request, _ in
            newest.withLock { newest in
                if request.path == "/token" {
                    newest = (newest.token + 1, true)
                    return .json("{\"access_token\":\"token-\(newest.token)\"}")
                }
                guard newest.isAlive, request.header("Authorization") == "Bearer token-\(newest.token)" else {
                    return .status(401)
                }
                switch request.path {
                case "/things": return .json(#"[{"id":1},{"id":2},{"id":3},{"id":4}]"#)
                case "/things/1": return .status(401)
                case "/things/2":
                    // The last request that this token is good for.
                    newest.isAlive = false
                    return .json(#"{"id":2}"#)
                default: return .json("{\"id\":\(request.path.split(separator: "/").last ?? "")}")
                }
            }
        }
        let reading = try await bench.read("details", from: source)
        #expect(reading.ids == [2, 3, 4])
        #expect(source.sent.count { $0.path == "/token" } == 3)
    }

    /// Some services say with 200 that a token is dead.
    @Test(arguments: [true, false]) func aRuleSaysThatATokenIsDead(isAcceptedLater: Bool) async throws {
        var bench = try Bench(
            Self.oauth
                + "http: {base: \"https://api.test\", on: [{status: 200, if: '.status == 401', do: reauth}]}\nstreams:\n"
                + "  things: {endpoint: d, key: .id, version: none, request: {path: /things}, records: .items}\n"
        )
        bench.options.clients = Self.client
        let tokens = Mutex(0)
        let source = Script { request, _ in
            if request.path == "/token" {
                return .json("{\"access_token\":\"token-\(tokens.withLock { $0 += 1; return $0 })\"}")
            }
            let isAccepted = isAcceptedLater && request.header("Authorization") == "Bearer token-2"
            return .json(isAccepted ? #"{"status":0,"items":[{"id":1}]}"# : #"{"status":401}"#)
        }
        let reading = try await bench.read(from: source)
        #expect(source.sent.map(\.path) == ["/token", "/things", "/token", "/things"])
        #expect(reading.ids == (isAcceptedLater ? [1] : []))
        #expect(reading.error?.exit == (isAcceptedLater ? nil : .authorisation))
    }

    @Test func aGivenTokenIsTriedOnce() async throws {
        var bench = try Bench(
            Self.oauth + "http: {base: \"https://api.test\"}\nstreams:\n"
                + "  things: {endpoint: d, key: .id, version: none, request: {path: /things}}\n"
        )
        bench.options.accessToken = Secret("given")
        let source = Script(.status(401))
        let error = try await bench.read(from: source).error
        #expect(error?.code == "source-unauthorised" && source.sent.count == 1)
        #expect(error?.advice == "check what the account, or the scopes, allow to read")
    }

    @Test func thingsThatNobodyMayReadCostFewTokens() async throws {
        var bench = try Bench(
            Self.oauth + "http: {base: \"https://api.test\", limits: [{concurrency: 1}]}\nstreams:\n"
                + "  list: {request: {path: /things}, key: .id}\n"
                + "  details: {endpoint: d, key: .id, version: none, for_each: {in: list, as: thing}, "
                + "request: {path: \"/things/{{ thing.id }}\"}}\n"
        )
        bench.options.clients = Self.client
        let source = Script { request, at in
            if request.path == "/token" { return .json("{\"access_token\":\"token-\(at)\"}") }
            if request.path == "/things" {
                return .json("[" + (1...40).map { "{\"id\":\($0)}" }.joined(separator: ",") + "]")
            }
            let id = request.path.split(separator: "/").last.flatMap { Int($0) } ?? 0
            return id % 2 == 0 ? .status(401) : .json("{\"id\":\(id)}")
        }
        #expect(try await bench.read("details", from: source).ids == Array(stride(from: 1, to: 40, by: 2)))
        #expect(source.sent.count { $0.path == "/token" } == 1 + 3)
    }

    /// Lets the first requests through once there are so many of them, so that all go with the same token.
    final class Gathering: HTTPSending {
        private let source: Script
        private let size: Int
        private let waiting = Mutex<(count: Int, tasks: [CheckedContinuation<Void, Never>])>((0, []))

        init(_ size: Int, before source: Script) { (self.size, self.source) = (size, source) }

        func send(_ request: HTTPRequest) async throws(HTTPError) -> HTTPResponse {
            if request.path != "/token" { await gather() }
            return try await source.send(request)
        }

        private func gather() async {
            await withCheckedContinuation { task in
                let ready = waiting.withLock { waiting -> [CheckedContinuation<Void, Never>] in
                    waiting.count += 1
                    guard waiting.count <= size else { return [task] }
                    waiting.tasks.append(task)
                    guard waiting.count == size else { return [] }
                    defer { waiting.tasks = [] }
                    return waiting.tasks
                }
                for task in ready { task.resume() }
            }
        }
    }

    @Test func aServiceThatGivesTheSameTokenAgainIsAskedOnceForAll() async throws {
        let names = (1...6).map { "s\($0)" }
        var bench = try Bench(
            Self.oauth + "http: {base: \"https://api.test\", limits: [{concurrency: 6}]}\nstreams:\n"
                + names.map { "  \($0): {endpoint: \($0), key: .id, version: none, request: {path: /\($0)}}\n" }
                .joined()
        )
        bench.options.clients = Self.client
        let source = Script { request, _ in
            request.path == "/token" ? .json(#"{"access_token":"always-the-same"}"#) : .status(401)
        }
        let fetcher = try bench.fetcher(Gathering(names.count, before: source))
        await withTaskGroup(of: Void.self) { group in
            for name in names {
                group.addTask {
                    let error = await #expect(throws: PlugError.self) {
                        _ = try await fetcher.withReader(of: name, from: MemoryStates()) { try await $0.next() }
                    }
                    #expect(error?.advice?.contains("renewed and is refused again") == true)
                }
            }
        }
        #expect(source.sent.count { $0.path == "/token" } == 2)
        #expect(source.sent.count { $0.path != "/token" } == 12)
    }

    // MARK: - Where credentials go

    private static func hosts(_ streams: String) throws -> Bench {
        var bench = try Bench(
            "config: {key: {type: string, secret: true}, inst: {type: host}}\n"
                + "auth: {bearer: {token: \"{{ config.key }}\"}}\nhttp: {base: \"https://api.test\"}\nstreams:\n"
                + streams,
            hosts: "[api.test, files.test, \"*.cells.test\", \"{{ config.inst }}\"]"
        )
        bench.config = ["key": .text("s3cret"), "inst": .text("mine.test")]
        return bench
    }

    @Test func aConfiguredHostOfOneStreamOpensNoOtherHost() async throws {
        let bench = try Self.hosts(
            "  things: {endpoint: t, key: .id, version: none, request: {path: /t}}\n"
                + "  others: {endpoint: o, key: .id, version: none, request: {path: \"https://{{ config.inst }}/t\"}}\n"
        )
        let source = Script { request, _ in
            request.url == "https://api.test/t"
                ? .status(302, HTTPHeader("Location", "https://files.test/t")) : .json(#"[{"id":1}]"#)
        }
        for stream in ["things", "others"] { #expect(try await bench.read(stream, from: source).ids == [1]) }
        #expect(source.urls == ["https://api.test/t", "https://files.test/t", "https://mine.test/t"])
        #expect(source.sent.map { $0.header("Authorization") } == ["Bearer s3cret", nil, "Bearer s3cret"])
    }

    @Test func aStreamThatNamesItsHostByAParentHasCredentialsThere() async throws {
        let bench = try Self.hosts(
            "  list: {request: {path: /cells}, key: .id}\n"
                + "  things: {endpoint: t, key: .id, version: none, for_each: {in: list, as: cell}, "
                + "request: {path: \"https://{{ cell.id }}.cells.test/t\"}, records: .items, page: {next: .next}}\n"
        )
        let source = Script { request, _ in
            switch request.url {
            case "https://api.test/cells": .json(#"[{"id":"a"},{"id":"b"}]"#)
            case "https://a.cells.test/t":
                .json(#"{"items":[{"id":1}],"next":"https://a.cells.test/t?page=2"}"#)
            case "https://b.cells.test/t": .json(#"{"items":[{"id":3}],"next":"https://files.test/t"}"#)
            default: .json(#"{"items":[{"id":2}]}"#)
            }
        }
        #expect(try await bench.read(from: source).ids == [1, 2, 3, 2])
        let proofs = Dictionary(grouping: source.sent) { $0.url }.mapValues { $0.map { $0.header("Authorization") } }
        #expect(
            proofs == [
                "https://api.test/cells": ["Bearer s3cret"], "https://a.cells.test/t": ["Bearer s3cret"],
                "https://a.cells.test/t?page=2": ["Bearer s3cret"], "https://b.cells.test/t": ["Bearer s3cret"],
                "https://files.test/t": [nil],
            ]
        )
    }

    @Test func aRefusalWithoutCredentialsSaysSo() async throws {
        var bench = try Bench(
            Self.oauth + "http: {base: \"https://api.test\"}\n"
                + "streams: {things: {endpoint: t, key: .id, version: none, request: {path: /t}}}\n",
            hosts: "[api.test, files.test]"
        )
        bench.options.clients = Self.client
        let source = Script { request, _ in
            switch request.url {
            case "https://api.test/token": .json(#"{"access_token":"a-token"}"#)
            case "https://api.test/t": .status(302, HTTPHeader("Location", "https://files.test/t"))
            default: .status(401)
            }
        }
        let error = try await bench.read(from: source).error
        #expect(error?.code == "source-unauthorised" && error?.message.contains("was sent without credentials") == true)
        #expect(
            error?.message.contains("leads to files.test, which") == true && error?.advice?.contains("renewed") == false
        )
        #expect(source.sent.map(\.path) == ["/token", "/t", "/t"])
    }

    @Test func aLoginElsewhereGetsNoHeadersOfThePlug() async throws {
        var bench = try Bench(
            "config: {key: {type: string, secret: true}}\n"
                + "auth: {login: {request: {path: \"https://sso.other/login\", headers: {X-App: me}, form: {u: ann}}, "
                + "token: .t}}\nhttp: {base: \"https://api.test\", headers: {X-Tok: \"{{ config.key }}\"}}\n"
                + "streams: {things: {endpoint: t, key: .id, version: none, request: {path: /t}}}\n"
        )
        bench.config = ["key": .text("s3cret")]
        let source = Script { request, _ in
            request.path == "/login" ? .json(#"{"t":"session"}"#) : .json(#"[{"id":1}]"#)
        }
        #expect(try await bench.read(from: source).ids == [1])
        #expect(source.sent.map { $0.header("X-Tok") } == [nil, "s3cret"])
        #expect(source.sent.map { $0.header("X-App") } == ["me", nil])
    }
}
