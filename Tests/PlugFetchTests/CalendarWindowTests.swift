import LosslessJSON
import PlugCore
import Testing

@testable import PlugFetch
@testable import PlugManifest

/// Windows of months and years of the calendar.
struct CalendarWindowTests {
    private static func time(_ text: String) throws -> SinceValue { .moment(try #require(Timestamp(text))) }

    private static func windows(
        _ months: Int,
        from: String,
        to: String,
        granule: Since.Step = .duration(.seconds(1)),
        shown: Since.Step? = nil,
        _ bounds: Since.Bounds = .halfOpen,
        align: Since.Align = .calendar
    ) throws -> [String] {
        let windows = SinceWindows(
            Since.Window(width: .months(months), granule: granule, shown: shown, bounds: bounds, align: align),
            .time
        )
        let end = try time(to)
        var window: SinceWindow? = windows.first(from: try time(from), end: end)
        var all: [String] = []
        while let current = window, all.count < 50 {
            all.append("\(current.from.json(.time).stringText ?? "") \(current.to?.json(.time).stringText ?? "")")
            window = windows.next(after: current, end: end)
        }
        return all
    }

    @Test func monthsBeginOnTheirFirstDay() throws {
        #expect(
            try Self.windows(1, from: "2023-12-15T10:30:00Z", to: "2024-03-10T00:00:00Z") == [
                "2023-12-15T10:30:00Z 2024-01-01T00:00:00Z", "2024-01-01T00:00:00Z 2024-02-01T00:00:00Z",
                "2024-02-01T00:00:00Z 2024-03-01T00:00:00Z", "2024-03-01T00:00:00Z 2024-03-10T00:00:00Z",
            ]
        )
    }

    @Test func monthsFromWhereTheReadingBeginsEndOnTheSameDay() throws {
        #expect(
            try Self.windows(1, from: "2023-12-31T10:30:00Z", to: "2024-04-10T00:00:00Z", align: .begin) == [
                "2023-12-31T10:30:00Z 2024-01-31T10:30:00Z", "2024-01-31T10:30:00Z 2024-02-29T10:30:00Z",
                "2024-02-29T10:30:00Z 2024-03-29T10:30:00Z", "2024-03-29T10:30:00Z 2024-04-10T00:00:00Z",
            ]
        )
        let day = Since.Step.duration(.seconds(86_400))
        #expect(
            try Self.windows(
                12,
                from: "1968-02-29T00:00:00Z",
                to: "1970-06-01T00:00:00Z",
                granule: day,
                shown: day,
                .closed,
                align: .begin
            ) == [
                "1968-02-29T00:00:00Z 1969-02-27T00:00:00Z", "1969-02-28T00:00:00Z 1970-02-27T00:00:00Z",
                "1970-02-28T00:00:00Z 1970-06-01T00:00:00Z",
            ]
        )
    }

    @Test func aGranuleEndsAMonthOnItsLastDay() throws {
        let day = Since.Step.duration(.seconds(86_400))
        #expect(
            try Self.windows(
                3,
                from: "2024-01-31T00:00:00Z",
                to: "2024-08-10T00:00:00Z",
                granule: day,
                shown: day,
                .closed
            ) == [
                "2024-01-31T00:00:00Z 2024-03-31T00:00:00Z", "2024-04-01T00:00:00Z 2024-06-30T00:00:00Z",
                "2024-07-01T00:00:00Z 2024-08-10T00:00:00Z",
            ]
        )
    }

    @Test func yearsBeforeTheEpochAreYearsToo() throws {
        #expect(
            try Self.windows(12, from: "1968-02-29T00:00:00Z", to: "1970-06-01T00:00:00Z") == [
                "1968-02-29T00:00:00Z 1969-02-01T00:00:00Z", "1969-02-01T00:00:00Z 1970-02-01T00:00:00Z",
                "1970-02-01T00:00:00Z 1970-06-01T00:00:00Z",
            ]
        )
    }

    @Test(arguments: [("1mo", 1), ("3mo", 3), ("1y", 12), ("100y", 1200), ("1200mo", 1200)])
    func theManifestNamesMonthsAndYears(text: String, months: Int) throws {
        let bench = try Bench(Self.yaml(text, type: "time"))
        #expect(bench.manifest.stream("things")?.since?.window?.width == .months(months))
    }

    @Test(arguments: [("null", "30d"), ("7", "7d"), (#""1mo""#, nil), ("0", nil)])
    func aTemplateGivesTheLengthOfWindows(days: String, length: String?) throws {
        let yaml = "config: {days: {type: integer}}\n" + Self.yaml(#""{{ config.days // 30 }}d""#, type: "time")
        let manifest = try Bench(yaml).manifest
        let config = JSONValue.members(("days", try JSONValue(parsing: days))).object ?? JSONObject()
        let roots = try TemplateRoots(of: manifest, config: days == "null" ? JSONObject() : config, now: 0)
        let stream = try #require(manifest.stream("things"))
        guard let length else {
            #expect(throws: PlugError.self) { try stream.measured(roots) }
            return
        }
        #expect(try stream.measured(roots).since?.window?.width == Since.Step(length: length))
    }

    @Test(arguments: [("null", "30d"), ("7", "7d"), ("0", "0"), (#""1mo""#, nil), ("-1", nil)])
    func aTemplateGivesTheOverlap(days: String, length: String?) throws {
        let yaml =
            "config: {days: {type: integer}}\n"
            + Self.yaml(#"1mo, overlap: "{{ config.days // 30 }}d""#, type: "time")
        let manifest = try Bench(yaml).manifest
        let config = JSONValue.members(("days", try JSONValue(parsing: days))).object ?? JSONObject()
        let roots = try TemplateRoots(of: manifest, config: days == "null" ? JSONObject() : config, now: 0)
        let stream = try #require(manifest.stream("things"))
        guard let length else {
            #expect(throws: PlugError.self) { try stream.measured(roots) }
            return
        }
        #expect(try stream.measured(roots).since?.overlap == HumanDuration.parse(length).map { .duration($0) })
    }

    @Test func onlyMonthsAreAligned() throws {
        let bench = try Bench(Self.yaml("1mo, align: begin", type: "time"))
        #expect(bench.manifest.stream("things")?.since?.window?.align == .begin)
    }

    @Test(
        arguments: [
            ("30d, align: begin", "time", "bad-window"),
            ("0mo", "time", "bad-duration"), ("101y", "time", "bad-duration"), ("-1mo", "time", "bad-duration"),
            ("1mo", "integer", "bad-window"), ("1y", "opaque", "bad-window"),
        ]
    )
    func nothingElseHasMonths(text: String, type: String, code: String) {
        let head = "plug: test\napi: 1\nversion: 1.0.0\nhosts: [api.test]\n"
        let result = ManifestReader.read(path: "plug.yaml", text: Array((head + Self.yaml(text, type: type)).utf8))
        let errors = result.diagnostics.filter { $0.severity == .error }
        #expect(errors.map(\.code.text) == [code])
    }

    private static func yaml(_ window: String, type: String) -> String {
        "http: {base: \"https://api.test\"}\nstreams: {things: {endpoint: t, key: .id, version: none, request: {path: /t}, "
            + "since: {field: .at, type: \(type), from: \"2020\", send: {query: {a: \(type == "time" ? "date" : "value")}}, "
            + "until: {query: {b: \(type == "time" ? "date" : "value")}}, window: \(window)}}}\n"
    }
}
