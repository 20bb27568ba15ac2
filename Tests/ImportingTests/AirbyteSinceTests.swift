import Testing

@testable import Importing

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

    @Test("Seconds since 1970; windows without an upper bound are none")
    func epochs() throws {
        let since = try importedLine("since") { $0.cursor = cursor(", step: P30D, cursor_granularity: PT1S") }
        #expect(since == "since: {field: .at, type: epoch, from: \"{{ config.start }}\", send: {query: {p: epoch}}}")
    }

    @Test("A cursor of creation says nothing of changes")
    func created() throws {
        #expect(try importedLine("version") { $0.cursor = cursor("") } == "version: content")
    }

    @Test("A configured overlap is taken off what is sent")
    func overlap() throws {
        var stream = OneStream()
        stream.properties = "{size: {type: integer, default: 7}, start: {type: string}}"
        stream.cursor = cursor(", lookback_window: \"P{{ config.get('size', 3) }}D\"")
        let program =
            #"(config.size // 3) as $back | [((config.start) | time("time")), (since | minus("\($back)d"))] | max | time("epoch")"#
        let lines = try stream.lines()
        #expect(lines.filter { $0.contains(program) }.count == 1, "\(lines)")
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
}
