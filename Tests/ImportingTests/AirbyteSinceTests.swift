import JQ
import LosslessJSON
import Testing

@testable import Importing
@testable import PlugManifest

@Suite("The cursors of Airbyte's language")
struct AirbyteSinceTests {
    private let option = "{type: RequestOption, inject_into: request_parameter, field_name: p}"

    private func cursor(_ more: String) -> String {
        """
        {type: DatetimeBasedCursor, cursor_field: at, datetime_format: "%s",
              start_datetime: "{{ config['start'] }}", start_time_option: \(option)\(more)}
        """
    }

    @Test("Where reading begins is read in the format in which it is written")
    func begin() throws {
        func since(_ format: String) throws -> String? {
            try importedLines {
                $0.cursor = """
                    {type: DatetimeBasedCursor, cursor_field: updated_at, datetime_format: "%Y-%m-%dT%H:%M:%SZ", is_client_side_incremental: true,
                        start_datetime: {type: MinMaxDatetime, datetime: "{{ config['start'] }}", datetime_format: "\(format)"}}
                    """
            }.first { $0.contains("from:") }
        }
        #expect(try since("%Y-%m-%d")?.contains(#"from: "{{ config.start }}""#) == true)
        #expect(
            try since("%Y%m%d")
                == #"  from: '{{ config.start | tostring | strptime("%Y%m%d") | mktime | todate }}'"#
        )
    }

    @Test("An end that only the engine compares leaves out later records, unless it is the present or later")
    func comparedEnd() throws {
        func dropIf(_ end: String) throws -> String? {
            try importedLine("drop_if") {
                $0.properties = "{end: {type: string}}"
                $0.cursor = """
                    {type: DatetimeBasedCursor, cursor_field: updated_at, datetime_format: "%Y-%m-%d", is_client_side_incremental: true,
                        start_datetime: "2024-01-01", end_datetime: "{{ \(end) }}"}
                    """
            }
        }
        #expect(try dropIf("day_delta(1, format='%Y-%m-%d')") == nil)
        let line = try #require(try dropIf("config.get('end', day_delta(1, format='%Y-%m-%d'))"))
        let text = String(line.dropFirst("drop_if: '".count).dropLast())
        let program = try JQProgram(text, globals: ["config"], functions: NativeFunctions.all)
        func drops(_ time: String, _ config: String) throws -> [JSONValue] {
            let record = try JSONValue(parsing: #"{"updated_at":\#(time)}"#)
            return try program.run(record, globals: [try JSONValue(parsing: config)])
        }
        #expect(try drops(#""2026-02-01""#, #"{"end":"2026-01-31"}"#) == [.bool(true)])
        #expect(try drops(#""2026-01-31T00:00:00Z""#, #"{"end":"2026-01-31"}"#) == [.bool(false)])
        #expect(try drops(#""2026-02-01""#, "{}") == [.bool(false)])
        #expect(try drops("null", #"{"end":"2026-01-31"}"#) == [.bool(false)])
    }

    @Test("A cursor that no request sends, and no filter compares, is none")
    func idleCursor() throws {
        func since(_ more: String) throws -> String? {
            try importedLine("since") {
                $0.cursor = """
                    {type: DatetimeBasedCursor, cursor_field: updated_at, datetime_format: "%Y-%m-%dT%H:%M:%SZ", start_datetime: "2024-01-01T00:00:00Z"\(more)}
                    """
            }
        }
        #expect(try since("") == nil)
        #expect(try since(", is_client_side_incremental: true")?.hasSuffix("filter: true}") == true)
    }

    @Test("Seconds since 1970")
    func epochs() throws {
        let since = try importedLine("since") { $0.cursor = cursor("") }
        #expect(since == "since: {field: .at, type: epoch, from: \"{{ config.start }}\", send: {query: {p: epoch}}}")
    }

    @Test(
        "Windows are kept where only their beginnings are sent, and are none where no request says which one it wants"
    )
    func openWindows() throws {
        func windows(_ option: String, path: String = "/books") throws -> [String] {
            try importedLines {
                $0.requester = "{type: HttpRequester, url_base: 'https://api.example.org/v1', path: \"\(path)\"}"
                $0.cursor = """
                    {type: DatetimeBasedCursor, cursor_field: at, datetime_format: "%Y-%m-%d", start_datetime: "2024-01-01",
                        step: P1D, cursor_granularity: P1D\(option)}
                    """
            }.filter { $0.contains("since:") || $0.contains("window:") }
        }
        let kept = "since: {field: .at, type: date, from: \"2024-01-01\", window: 1d, granule: 1d}"
        #expect(try windows("", path: "/days/{{ stream_interval.start_time }}") == [kept])
        #expect(
            try windows(", start_time_option: \(option)")
                == [
                    "since: {field: .at, type: date, from: \"2024-01-01\", send: {query: {p: date}}, window: 1d, granule: 1d}"
                ]
        )
        #expect(try windows("") == [])
    }

    @Test(
        "A time is read in its own format, or in the cursor's",
        arguments: [
            (#""20260901""#, #"'{{ "20260901" | strptime("%Y%m%d") | mktime | todate }}'"#),
            (
                #"{type: MinMaxDatetime, datetime: "01/09/2026", datetime_format: "%d/%m/%Y"}"#,
                #"'{{ "01/09/2026" | strptime("%d/%m/%Y") | mktime | todate }}'"#
            ),
            (
                #"{type: MinMaxDatetime, datetime: "{{ config['start'] }}"}"#,
                #"'{{ config.start | tostring | strptime("%Y%m%d") | mktime | todate }}'"#
            ),
            (
                #""{{ (now_utc() - duration('P2D')).strftime('%Y%m%d') }}""#,
                #"'{{ ((now | minus("2d")) | time("%Y%m%d")) | tostring | strptime("%Y%m%d") | mktime | todate }}'"#
            ),
            (#""{{ format_datetime(config['start'], '%Y%m%d') }}""#, #""{{ config.start }}""#),
            (#"{type: MinMaxDatetime, datetime: "2026-09-01", datetime_format: "%Y-%m-%d"}"#, #""2026-09-01""#),
        ]
    )
    func ownFormat(_ start: String, _ from: String) throws {
        let line = try importedLines {
            $0.cursor = """
                {type: DatetimeBasedCursor, cursor_field: at, datetime_format: "%Y%m%d", start_datetime: \(start),
                    start_time_option: \(option), end_time_option: \(option.replacing("p}", with: "q}"))}
                """
        }.first { $0.contains("from: ") }
        #expect(line?.contains("from: \(from)") == true, "\(line ?? "")")
    }

    @Test("A constant end is read once")
    func constantEnd() throws {
        let to = try importedLines {
            $0.cursor = """
                {type: DatetimeBasedCursor, cursor_field: at, datetime_format: "%Y%m%d", start_datetime: "20240101", end_datetime: "20260901",
                    start_time_option: \(option), end_time_option: \(option.replacing("p}", with: "q}"))}
                """
        }.first { $0.contains("to: ") }
        #expect(to == #"  to: '{{ "20260901" | strptime("%Y%m%d") | mktime | todate }}'"#)
    }

    @Test("Today, in any format, is now where reading ends")
    func today() throws {
        let to = try importedLines {
            $0.cursor = """
                {type: DatetimeBasedCursor, cursor_field: at, datetime_format: "%Y%m%d", start_datetime: "20240101", start_time_option: \(option),
                    end_datetime: "{{ now_utc().strftime('%Y%m%d') }}", end_time_option: \(option.replacing("p}", with: "q}"))}
                """
        }.first { $0.contains("to:") }
        #expect(to == nil)
    }

    @Test(
        "A field is read in each of its formats",
        arguments: [
            (["%Y%m%d"], #"field: '.at | strings, numbers | tostring | strptime("%Y%m%d") | mktime'"#, "epoch"),
            (
                ["%d/%m/%Y", "%Y-%m-%d"],
                #"field: '.at | strings, numbers | tostring | (strptime("%d/%m/%Y") | mktime | todate)? // .'"#, "time"
            ),
            (
                ["%Y-%m-%dT%H:%M:%SZ", "%s"],
                "field: '.at | strings, numbers | tostring | (tonumber | todate)? // .'", "time"
            ),
            (["%Y-%m-%dT%H:%M:%SZ", "%Y-%m-%d"], "field: .at", "time"), (["%Y-%m-%d"], "field: .at", "date"),
        ]
    )
    func fieldFormats(_ formats: [String], _ field: String, _ type: String) throws {
        let lines = try importedLines {
            $0.cursor = """
                {type: DatetimeBasedCursor, cursor_field: at, datetime_format: "%Y-%m-%d", start_datetime: "2024-01-01",
                    start_time_option: \(option), cursor_datetime_formats: ['\(formats.joined(separator: "', '"))']}
                """
        }.joined(separator: "\n")
        #expect(lines.contains(field) && lines.contains("type: \(type)"), "\(lines)")
    }

    @Test("A cursor of creation says nothing of changes")
    func created() throws {
        #expect(try importedLine("version") { $0.cursor = cursor("") } == "version: content")
    }

    @Test("A configured overlap is a template")
    func overlap() throws {
        var stream = OneStream()
        stream.properties = "{size: {type: integer, default: 7}, start: {type: string}}"
        stream.cursor = cursor(", lookback_window: \"P{{ config.get('size', 3) }}D\"")
        #expect(try stream.lines().contains(#"  overlap: "{{ config.size // 3 }}d""#))
    }

    @Test(
        "Reading ends where the manifest ends it, where a request says so",
        arguments: [
            (#""{{ config['size'] }}""#, #""{{ config.size // null }}""#), (#""2026-01-31""#, #""2026-01-31""#),
            (#""{{ now_utc().strftime('%Y-%m-%dT%H:%M:%SZ') }}""#, nil), (#""{{ now_utc() }}""#, nil),
            (#""{{ today_utc() }}""#, nil),
            (#""{{ now_utc().isoformat('T', 'seconds') }}""#, nil),
            (
                #""{{ config['size'] or now_utc() }}""#,
                #"'{{ (config.size | select(IN(null, false, 0, "", [], {}) | not)) // now }}'"#
            ),
            (
                #"{type: MinMaxDatetime, datetime: "{{ config['size'] }}", datetime_format: "%Y-%m"}"#,
                #"'{{ config.size // null | if . == null or . == "" then null else tostring | strptime("%Y-%m") | mktime | todate end }}'"#
            ),
            (
                #""{{ (now_utc() - duration('P2D')).strftime('%Y-%m-%dT%H:%M:%SZ') }}""#,
                #"'{{ (now | minus("2d")) | time("%Y-%m-%dT%H:%M:%SZ") }}'"#
            ),
        ]
    )
    func end(_ end: String, _ to: String?) throws {
        var stream = OneStream()
        stream.properties = "{size: {type: string}, start: {type: string}}"
        stream.cursor = cursor(
            ", end_datetime: \(end), end_time_option: {type: RequestOption, inject_into: request_parameter, field_name: q}"
        )
        let lines = try stream.lines()
        #expect(lines.contains { $0.contains("until: {query: {q: epoch}}") }, "\(lines)")
        #expect(lines.first { $0.contains("to: ") }.map { $0.dropFirst(6) } ?? nil == to.map { $0[...] }, "\(lines)")
        // What no request sends ends nothing there.
        stream.cursor = cursor(", end_datetime: \(end)")
        #expect(try stream.lines().contains { $0.contains(" to:") } == false)
    }

    @Test("Windows that are moved have no counterpart")
    func clamping() throws {
        var stream = OneStream()
        stream.properties = "{start: {type: string}}"
        stream.cursor = cursor(", clamping: {target: WEEK}")
        let left = try imported(stream.text).findings.map(\.reason)
        #expect(left.contains { $0.contains("'clamping' of windows has no counterpart") }, "\(left)")
    }

    @Test("The later of a start and its least value counts")
    func leastStart() throws {
        var stream = OneStream()
        stream.properties = "{start: {type: string}}"
        stream.cursor = """
            {type: DatetimeBasedCursor, cursor_field: at, datetime_format: "%s", start_time_option: \(option),
                  start_datetime: {type: MinMaxDatetime, datetime: "{{ config['start'] }}", min_datetime: "2013-01-01"}}
            """
        let from = #"{{ [(config.start | time("time")), ("2013-01-01" | time("time"))] | max }}"#
        #expect(try stream.lines().filter { $0.contains(from) }.count == 1)
    }

    @Test("The length of a window is a setting where it is one there")
    func window() throws {
        func window(_ properties: String) throws -> String? {
            var stream = OneStream()
            stream.properties = properties
            stream.cursor = cursor(
                ", end_time_option: \(option.replacing("p}", with: "q}")), step: \"P{{ config.get('days', 30) }}D\", cursor_granularity: PT1S"
            )
            #expect(try stream.reasons() == [])
            return try stream.lines().first { $0.hasPrefix("  window:") }
        }
        #expect(
            try window("{start: {type: string}, days: {type: integer}}") == #"  window: "{{ config.days // 30 }}d""#
        )
        // What nobody is asked for has the default.
        #expect(try window("{start: {type: string}}") == "  window: 30d")
    }

    @Test("A setting that is a whole duration is written as durations are here")
    func configuredDuration() throws {
        var stream = OneStream()
        stream.properties = "{start: {type: string}, step: {type: string}}"
        stream.cursor = cursor(
            ", end_time_option: \(option.replacing("p}", with: "q}")), step: \"{{ config['step'] }}\", cursor_granularity: PT1S"
        )
        let line = try #require(try stream.lines().first { $0.hasPrefix("  window:") })
        let program = try #require(line.split(separator: "{{ config.step | ").last?.split(separator: " }}").first)
        for (iso, length) in [("P30D", "30d"), ("P1M", "1mo"), ("PT1M", "1m"), ("P1Y", "1y"), ("PT12H", "12h")] {
            let given = try JQProgram(String(program)).run(.text(iso))
            #expect(given == [.text(length)])
        }
    }

    @Test("A cursor that is a bound of the request moves no watermark")
    func boundAsField() throws {
        var stream = OneStream()
        stream.properties = "{start: {type: string}}"
        stream.transformations = #"[{type: AddFields, fields: [{path: [at], value: "{{ stream_slice.start_time }}"}]}]"#
        stream.cursor = cursor("")
        let lines = try stream.lines()
        #expect(lines.contains { $0.hasPrefix("since: {field: config.start, type: time,") }, "\(lines)")
        #expect(lines.contains("version: content"), "\(lines)")
    }
}
