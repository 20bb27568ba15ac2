import CurlTransport
import LosslessJSON
import PlugCore
import Synchronization
import TestKit
import Testing

@testable import PlugFetch
@testable import PlugManifest

struct StatusTests {
    private static func yaml(_ http: String = "") -> String {
        "http: {base: \"https://api.test\"\(http)}\n"
            + "streams: {things: {endpoint: t, key: .id, version: none, request: {path: /things}, records: .items}}\n"
    }
    private static let page = Script.Reply.json(#"{"items":[{"id":1}]}"#)
    private static func after(_ value: String) -> HTTPHeader { HTTPHeader("Retry-After", value) }

    @Test(arguments: [429, 408, 425, 500, 502, 503, 504])
    func triesAgainWithFullJitter(status: Int) async throws {
        let bench = try Bench(Self.yaml())
        let source = Script(.status(status), .status(status), .status(status), Self.page)
        let reading = try await bench.read(from: source)
        #expect(reading.ids == [1])
        #expect(bench.clock.waits == [.milliseconds(500), .seconds(1), .seconds(2)])
        #expect(bench.events.waits == [.backoff, .backoff, .backoff])
        #expect(reading.pages[0].cost.requests == 4)
    }

    @Test(arguments: [
        (429, "7", 7.0), (503, "120", 120.0), (500, "1", 1.0), (429, "0", 0.0), (403, "30", 30.0),
        (429, "Sat, 21 Nov 2026 12:01:30 GMT", 90.0), (429, "Sat, 21 Nov 2020 12:01:30 GMT", 0.0),
    ])
    func comesBackWhenTheSourceSays(status: Int, value: String, seconds: Double) async throws {
        let bench = try Bench(Self.yaml())
        let reading = try await bench.read(from: Script(.status(status, Self.after(value)), Self.page))
        #expect(reading.ids == [1])
        #expect(bench.clock.waits == [.seconds(seconds)])
        #expect(bench.events.waits == [.retryAfter])
    }

    @Test func saysUntilWhenWhereTheWaitIsTooLong() async throws {
        let bench = try Bench(Self.yaml(", retry: {max_wait: 60s}"))
        let reading = try await bench.read(from: Script(.status(429, Self.after("3600"))))
        #expect(reading.error?.code == "rate-limited")
        #expect(reading.error?.exit == .tryLater)
        #expect(reading.error?.message.contains("2026-11-21T13:00:00Z") == true)
        #expect(bench.clock.waits == [])
    }

    @Test(arguments: [
        (429, 5, "rate-limited", PlugCore.ExitStatus.tryLater), (503, 5, "source-unavailable", .tryLater),
        (401, 1, "source-unauthorised", .authorisation), (403, 1, "source-unauthorised", .authorisation),
        (400, 1, "source-refused", .failed), (404, 1, "source-refused", .failed), (410, 1, "source-refused", .failed),
        (304, 1, "unexpected-not-modified", .data), (422, 1, "source-refused", .failed),
    ])
    func endsWithTheRightStatus(status: Int, requests: Int, code: String, exit: PlugCore.ExitStatus) async throws {
        let source = Script(.status(status))
        let reading = try await Bench(Self.yaml()).read(from: source)
        #expect(reading.error?.code.text == code)
        #expect(reading.error?.exit == exit)
        #expect(source.sent.count == requests)
    }

    @Test(arguments: [
        (HTTPError.Code.cannotConnect, 5, "source-unreachable", PlugCore.ExitStatus.unreachable),
        (.cannotResolve, 5, "source-unreachable", .unreachable), (.timedOut, 5, "source-unreachable", .unreachable),
        (.connectionLost, 5, "source-unreachable", .unreachable), (.truncated, 5, "page-truncated", .data),
        (.tls, 1, "source-unreachable", .unreachable), (.tooLarge, 1, "page-unreadable", .data),
        (.headerTooLarge, 1, "page-unreadable", .data),
        (.addressRefused, 1, "address-refused", .configuration), (.schemeRefused, 1, "address-refused", .configuration),
        (.metadataRefused, 1, "address-refused", .configuration),
    ])
    func triesAgainWhereItMayHelp(code: HTTPError.Code, requests: Int, error: String, exit: PlugCore.ExitStatus)
        async throws
    {
        let source = Script(.failure(code))
        let reading = try await Bench(Self.yaml()).read(from: source)
        #expect(reading.error?.code.text == error)
        #expect(reading.error?.exit == exit)
        #expect(source.sent.count == requests)
    }

    @Test func takes204ForAnEmptyPage() async throws {
        let reading = try await Bench(Self.yaml()).read(from: Script(.status(204, body: "")))
        #expect(reading.records == [] && reading.isComplete && reading.error == nil)
    }

    @Test func letsTheManifestsRulesWin() async throws {
        let rules =
            ", on: [{status: 404, if: '.error == \"none\"', do: skip}, {status: 404, do: fail}, "
            + "{status: 200, if: '.error', do: limit}, {status: 418, do: ok}, {status: 5xx, do: fail}, {status: 400, do: retry}]"
        func read(_ replies: Script.Reply...) async throws -> Reading {
            try await Bench(Self.yaml(rules)).read(from: Script { _, at in replies[min(at, replies.count - 1)] })
        }
        let skipped = try await read(.status(404, body: #"{"error":"none"}"#))
        #expect(skipped.isComplete && skipped.records == [] && skipped.error == nil)
        #expect(try await read(.status(404, body: "not JSON")).error?.code == "source-refused")
        #expect(try await read(.json(#"{"error":"slow down"}"#), Self.page).ids == [1])
        #expect(try await read(.status(418, body: #"{"items":[{"id":3}]}"#)).ids == [3])
        #expect(try await read(.status(503), Self.page).error?.code == "source-refused")
        #expect(try await read(.status(400), Self.page).ids == [1])
    }

    @Test func takesA403WithoutQuotaForALimit() async throws {
        let bench = try Bench(Self.yaml())
        let reset = HTTPHeader("x-ratelimit-reset", "\(bench.clock.now() / 1_000_000 + 42)")
        let spent = HTTPHeader("X-RateLimit-Remaining", "0")
        let reading = try await bench.read(from: Script(.status(403, spent, reset), Self.page))
        #expect(reading.ids == [1])
        #expect(bench.clock.waits == [.seconds(42)])
    }

    // MARK: - Redirects

    private static func redirect(_ status: Int, _ location: String) -> Script.Reply {
        .status(status, HTTPHeader("Location", location))
    }

    @Test(arguments: [301, 302, 303, 307, 308])
    func followsRedirectsWithinHosts(status: Int) async throws {
        let source = Script(Self.redirect(status, "/other?x=1"), Self.page)
        let reading = try await Bench(Self.yaml()).read(from: source)
        #expect(reading.ids == [1])
        #expect(source.urls == ["https://api.test/things", "https://api.test/other?x=1"])
    }

    @Test(arguments: [
        "https://evil.test/", "//evil.test/", "http://api.test/", "https://169.254.169.254/", "https://api.test:444/",
    ])
    func refusesRedirectsThatLeadOutside(location: String) async throws {
        let source = Script(Self.redirect(302, location), Self.page)
        let reading = try await Bench(Self.yaml()).read(from: source)
        #expect(reading.error?.code == "pagination-escape")
        #expect(source.sent.count == 1)
    }

    @Test func followsFiveRedirectsAndNotOneMore() async throws {
        let source = Script(Self.redirect(302, "/again"))
        let reading = try await Bench(Self.yaml()).read(from: source)
        #expect(reading.error?.code == "too-many-redirects")
        #expect(source.sent.count == 6)
    }

    @Test func followsNoRedirectOfAPost() async throws {
        let yaml =
            "http: {base: \"https://api.test\"}\n"
            + "streams: {things: {endpoint: t, key: .id, version: none, request: {method: POST, path: /s, json: {}}}}"
        let source = Script(Self.redirect(307, "/other"), Self.page)
        #expect(try await Bench(yaml).read(from: source).error?.code == "source-refused")
        #expect(source.sent.count == 1)
    }
}

/// Times in order.
final class Times: Sendable {
    private let times = Mutex<[Int64]>([])
    func note(_ time: Int64) { times.withLock { $0.append(time) } }
    var all: [Int64] { times.withLock { $0 } }
}
