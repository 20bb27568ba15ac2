import LosslessJSON
import PlugCore
import TestKit
import Testing

@testable import PlugManifest

/// The keys of `since`: what they give, and each mistake with its place and what to do.
struct SinceKeysTests {
    private static func read(_ since: String, _ more: String = "") -> ManifestResult {
        Sample.withStream("since: \(since)\(more)")
    }
    private static let whole = "from: 2020-01-01, send: {query: {a: epoch}}, until: {query: {b: epoch}}"

    private func since(_ text: String) throws -> Since {
        try #require(try Sample.manifest(Self.read(text)).streams[0].since)
    }

    @Test(
        arguments: [
            ("window: 30d", .seconds(2_592_000), .seconds(1), .halfOpen),
            ("window: 30d, granule: 1d", .seconds(2_592_000), .seconds(86_400), .closed),
            ("window: 30d, granule: 1us, bounds: open", .seconds(2_592_000), .microseconds(1), .open),
            ("window: 1h, bounds: closed", .seconds(3600), .seconds(1), .closed),
        ] as [(String, Duration, Duration, Since.Bounds)]
    )
    func windowsHaveAGranule(keys: String, width: Duration, granule: Duration, bounds: Since.Bounds) throws {
        let since = try since("{field: .at, type: time, \(Self.whole), \(keys)}")
        #expect(
            since.window
                == Since.Window(
                    width: .duration(width),
                    granule: .duration(granule),
                    shown: .duration(.seconds(1)),
                    bounds: bounds
                )
        )
    }

    @Test(arguments: [
        ("date", "date", Duration.seconds(86_400)), ("time", "date", .seconds(86_400)),
        ("time", "epoch_ms", .milliseconds(1)),
        ("epoch_ms", "rfc3339", .milliseconds(1)), ("time", "rfc3339", .seconds(1)),
        ("epoch", "'%Y-%m-%d %H'", .seconds(3600)),
    ])
    func theGranuleFollowsFromTypeAndFormat(type: String, format: String, granule: Duration) throws {
        let since = try since(
            "{field: .at, type: \(type), from: 2020-01-01, send: {query: {a: epoch}}, until: {query: {b: \(format)}}, window: 9d}"
        )
        #expect(since.window?.granule == .duration(granule))
    }

    @Test func integersHaveWindowsOfNumbers() throws {
        let since = try since(
            "{field: .id, type: integer, from: 0, send: {query: {a: value}}, until: {query: {b: value}}, window: 1000, granule: 1}"
        )
        #expect(
            since.window
                == Since.Window(
                    width: .number(JSONNumber(Int64(1000))),
                    granule: .number(JSONNumber(Int64(1))),
                    shown: nil,
                    bounds: .closed
                )
        )
    }

    @Test func boundsMayBeInTemplatesInstead() {
        let text =
            Sample.header + Sample.http
            + Sample.stream.replacing(
                "{path: /things}",
                with: "{path: '/{{ since }}', query: {to: '{{ until | time(\"date\") }}'}}"
            )
            + "    since: {field: .at, type: time, from: 2020-01-01, window: 1h}\n"
        #expect(Sample.places(Sample.read(text)) == [])
    }

    @Test("a word that is no root does not send a bound")
    func wordsAreNoBounds() {
        let text =
            Sample.header + Sample.http
            + Sample.stream.replacing(
                "{path: /things}",
                with: "{path: /things, query: {from: '{{ config.since }}', to: '{{ \"until\" }}'}}"
            )
            + "    since: {field: .at, type: time, from: 2020-01-01, window: 1h}\n"
        #expect(Sample.places(Sample.read(text)).filter { $0.hasSuffix("window-not-sent") }.count == 1)
    }

    @Test("a day and a time of day may be two parameters")
    func splitBounds() throws {
        let since = try since(
            "{field: .at, type: time, from: 2020-01-01, send: {query: {a: '%F', b: '%T'}}, "
                + "until: {query: {c: '%Y-%m-%d', d: '%H:%M'}}, window: 9d}"
        )
        #expect(since.window?.shown == .duration(.seconds(60)))
    }

    @Test("'until' is still a function of jq")
    func untilOfJQ() throws {
        let result = Sample.withStream("map: '{id, n: (1 | until(. > 100; . * 2))}'")
        #expect(Sample.places(result) == [])
    }

    @Test(
        arguments: [
            (
                "{field: .a, type: opaque, window: 5}", "14:46 bad-window",
                "remove it: nobody knows how far apart opaque values are"
            ),
            (
                "{field: .a, type: time, granule: 1s}", "14:36 bad-window",
                "remove it, or write how long a window is: 'window: 30d'"
            ),
            (
                "{field: .a, type: time, bounds: open}", "14:36 bad-window",
                "remove it, or write how long a window is: 'window: 30d'"
            ),
            (
                "{field: .a, type: time, \(whole), window: 1000}", "14:117 bad-duration",
                "write a number and a unit: 30s, 15m, 1h or 7d"
            ),
            (
                "{field: .a, type: time, \(whole), window: 0}", "14:117 bad-window",
                "write how long a window is: 30d or 1mo"
            ),
            (
                "{field: .a, type: time, \(whole), window: 500ms}", "14:117 bad-window",
                "write a longer window, or a granule that is the smallest step of the field"
            ),
            (
                "{field: .a, type: time, \(whole), window: 60d, granule: 7d}", "14:131 bad-window",
                "write the smallest step of the field: 1s or 1d"
            ),
            (
                "{field: .a, type: time, \(whole), window: 60d, bounds: opne}", "14:130 wrong-value",
                "did you mean 'open'?"
            ),
            (
                "{field: .a, type: time, from: 2020-01-01, send: {query: {a: date}}, until: {query: {b: date}}, window: 9d, granule: 1s}",
                "14:128 bad-window", "write 'granule: 1d', or let 'until' write smaller steps"
            ),
            (
                "{field: .a, type: time, from: 2020-01-01, send: {query: {a: '%H:%M'}}, until: {query: {b: date}}, window: 9d}",
                "14:54 bad-time-pattern", "write the day, too: \"%Y-%m-%d\""
            ),
            ("{field: .a, type: time, \(whole), windw: 60d}", "14:109 unknown-key", "did you mean 'window'?"),
            (
                "{field: .a, type: time, settle: 5}", "14:44 bad-duration",
                "write a number and a unit: 500ms, 30s, 15m, 1h, 7d or 2w"
            ),
            (
                "{field: .a, type: integer, settle: 5m}", "14:47 bad-settle",
                "remove it, or write 'type: epoch' for numbers that are times"
            ),
            (
                "{field: .a, type: integer, to: '9'}", "14:43 bad-since",
                "remove it, or write 'type: epoch' for numbers that are times"
            ),
            (
                "{field: .a, type: time, send: {query: {a: date}}, to: 2020-01-01}", "14:66 bad-since",
                "add until: {query: {to: date}}, or use {{ until }} in 'request'"
            ),
            (
                "{field: .a, type: time, \(whole), to: soon}", "14:113 bad-since",
                "write a value such as 2020-01-01"
            ),
            ("{field: .a, type: time, order: desk}", "14:43 wrong-value", "did you mean 'desc'?"),
            (
                "{field: .a, type: time, stop: known}", "14:42 stop-needs-order",
                "write 'order: desc' if the service promises the newest records first; remove 'stop' otherwise"
            ),
            (
                "{field: .a, type: opaque, order: desc, stop: known}", "14:57 stop-needs-order",
                "remove it: opaque values have no order"
            ),
            ("{field: .a, type: time, send: {query: {a: epoc}}}", "14:54 wrong-value", "did you mean 'epoch'?"),
            (
                "{field: .a, type: integer, send: {query: {a: '%Y'}}}", "14:57 wrong-value",
                "the values are value, integer and opaque"
            ),
            (
                "{field: .a, type: time, send: {query: {a: '%%'}}}", "14:54 bad-time-pattern",
                "write a pattern such as %Y-%m-%d %H:%M:%S"
            ),
            (
                "{field: .a, type: time, send: {path: {a: date}}}", "14:43 unknown-key",
                "write {{ since }} or {{ until }} in the path itself: '/days/{{ since | time(\"date\") }}'"
            ),
            (
                "{field: .a, type: time, send: {json: {a: date}}}", "14:43 json-needs-post",
                "write 'method: POST' in 'request', and no other body"
            ),
            (
                "{field: .a, type: time, send: {header: {a b: date}}}", "14:52 header-name",
                "use letters, digits and hyphens, such as X-Api-Key"
            ),
            ("{field: [], type: time}", "14:20 bad-since", "name one, such as .updated_at"),
            ("{field: [.a, .b[], type: time}", nil, nil),
        ] as [(String, String?, String?)]
    )
    func mistakesAreToldWithWhatToDo(since: String, place: String?, help: String?) {
        let result = Self.read(since)
        guard let place else {
            #expect(result.manifest == nil)
            return
        }
        #expect(Sample.places(result) == [place])
        #expect(result.diagnostics.first?.help == help)
    }

    @Test("a window needs a start, and a service that is told of both bounds")
    func whatWindowsNeed() {
        let result = Self.read("{field: .a, type: time, window: 1h}")
        #expect(
            Sample.places(result) == ["14:36 window-needs-start", "14:36 window-not-sent"]
        )
        #expect(
            result.diagnostics.map(\.help) == [
                "write 'from: \"2020-01-01\"', or wherever the first pass begins",
                "write 'send: {query: {…}}', or use {{ since }} in 'request'",
            ]
        )
    }

    @Test("a request that names a whole period needs no upper bound, and others are warned")
    func oneBoundMayNameAPeriod() {
        let result = Self.read("{field: .a, type: date, from: 2026-01-01, window: 1d, send: {query: {day: date}}}")
        #expect(result.diagnostics.map { "\($0.severity) \($0.code)" } == ["warning window-not-sent"])
        #expect(result.manifest != nil)
    }

    @Test("'stop' ends a pass where windows would go on")
    func stopAndWindow() {
        let result = Self.read("{field: .a, type: time, order: desc, stop: known, window: 1h, \(Self.whole)}")
        #expect(Sample.codes(result) == ["two-kinds"])
    }

    @Test(arguments: [("epoch_us", "1795262400500000"), ("%d.%m.%Y %H:%M:%S.%L", #""21.11.2026 12:00:00.500""#)])
    func templatesWriteTimesByPatternsToo(format: String, text: String) throws {
        let result = Sample.with("vars: {a: '{{ \"2026-11-21T12:00:00.5Z\" | time(\"\(format)\") }}'}")
        let template = try #require(try Sample.manifest(result).vars.first?.value)
        #expect(try template.render(TemplateRoots()).compactText == text)
    }
}
