import JQ
import LosslessJSON
import Testing

@testable import Importing
@testable import PlugManifest

/// What an outsider found that an imported plug read otherwise than the engine, without a word.
@Suite("What an imported plug once read otherwise than the engine")
struct AirbyteDifferencesTests {
    private static func child(_ cursor: String) throws -> String? {
        try importedLine("for_each") {
            $0.router = """
                {type: SubstreamPartitionRouter, parent_stream_configs: [{type: ParentStreamConfig, parent_key: id,
                    partition_field: shelf, incremental_dependency: true, stream: {type: DeclarativeStream, name: shelves,
                    primary_key: id, retriever: {type: SimpleRetriever,
                    requester: {type: HttpRequester, url_base: "https://api.example.org/v1", path: /shelves},
                    record_selector: {type: RecordSelector, extractor: {type: DpathExtractor, field_path: []}}},
                    incremental_sync: {type: DatetimeBasedCursor, cursor_field: at, datetime_format: "%s", start_datetime: "0",
                    start_time_option: {type: RequestOption, inject_into: request_parameter, field_name: p}}}}]}
                """
            $0.cursor = cursor
        }
    }

    @Test("Only a stream with a cursor keeps that of its parents: without one, all parents are read each time")
    func parentsOfAStreamWithoutACursor() throws {
        #expect(try Self.child("null") == "for_each: {in: shelves-parent, as: shelf}")
        let cursor = """
            {type: DatetimeBasedCursor, cursor_field: at, datetime_format: "%s", start_datetime: "0",
                start_time_option: {type: RequestOption, inject_into: request_parameter, field_name: p}}
            """
        #expect(try Self.child(cursor) == "for_each: {in: shelves-parent, as: shelf, only: changed}")
    }

    @Test(
        "A start in milliseconds is none in seconds",
        arguments: [
            ("'1704067200123'", "2024-01-01T00:00:00.123Z"), ("\"{{ config['start'] }}\"", "2024-01-01T00:00:00.123Z"),
            ("\"{{ timestamp('2024-01-02')|int * 1000 }}\"", "2024-01-02T00:00:00Z"),
        ]
    )
    func milliseconds(start: String, time: String) throws {
        let lines = try importedLines {
            $0.cursor = """
                {type: DatetimeBasedCursor, cursor_field: at, datetime_format: "%ms", start_datetime: \(start),
                    start_time_option: {type: RequestOption, inject_into: request_parameter, field_name: since}}
                """
        }
        let from = try #require(lines.first { $0.contains("from:") })
        let text = try #require(from.split(separator: "{{ ", maxSplits: 1).last?.split(separator: " }}").first)
        let program = try JQProgram(String(text), globals: ["config"], functions: NativeFunctions.all)
        let config = try JSONValue(parsing: #"{"start":"1704067200123"}"#)
        #expect(try program.run(.null, globals: [config]) == [.text(time)])
    }

    @Test("The name of a parameter with a default is the default: the engine tells an option none of the parameters")
    func nameWithADefault() throws {
        func paginator(_ name: String) throws -> [String] {
            try importedLines {
                $0.paginator = """
                    {type: DefaultPaginator, $parameters: {size_name: sz}, pagination_strategy: {type: OffsetIncrement, page_size: 2},
                        page_token_option: {type: RequestOption, inject_into: request_parameter, field_name: "\(name)"}}
                    """
            }
        }
        #expect(try paginator("{{ parameters['size_name'] or 'count' }}").contains { $0.contains("param: count") })
        #expect(try paginator("{{ 'first' or 'count' }}").contains { $0.contains("param: first") })
    }

    @Test("A field of a form whose name an expression makes is refused, or written out if that is a constant")
    func fieldNames() throws {
        var stream = OneStream()
        stream.requester = """
            {type: HttpRequester, url_base: "https://api.example.org/v1", path: /books, http_method: POST,
                request_body_data: {"{{ config['user'] }}": x}}
            """
        #expect(try stream.reasons() == ["a field of a body whose name is not a constant has no counterpart"])
    }

    @Test("A text that the engine parses and sends as a form is refused, and one that it does not is sent")
    func bodiesThatAreParsed() throws {
        func reasons(_ body: String) throws -> [String] {
            var stream = OneStream()
            stream.properties = "{user: {type: string}}"
            stream.requester = """
                {type: HttpRequester, url_base: "https://api.example.org/v1", path: /books, http_method: POST,
                    request_body_data: '\(body)'}
                """
            return try stream.reasons()
        }
        #expect(
            try reasons(#"{"ids": [1], "x": "{{ config.user }}"}"#)
                == ["an object as a text with expressions in it, sent as a form, has no counterpart"]
        )
        #expect(try reasons(#"{"all": true, "x": "{{ config.user }}"}"#) == [])
    }

    @Test("A parameter that comes to nothing is left out, and so is one of which a parent's record lacks the value")
    func parametersOfNothing() throws {
        let lines = try importedLines {
            $0.requester = """
                {type: HttpRequester, url_base: "https://api.example.org/v1", path: /books,
                    request_parameters: {p: "{% if config['user'] %}x{% endif %}", q: "{{ stream_partition.shelf.deep }}"}}
                """
            $0.router = """
                {type: SubstreamPartitionRouter, parent_stream_configs: [{type: ParentStreamConfig, parent_key: id,
                    partition_field: shelf, stream: {type: DeclarativeStream, name: shelves, primary_key: id,
                    retriever: {type: SimpleRetriever,
                    requester: {type: HttpRequester, url_base: "https://api.example.org/v1", path: /shelves},
                    record_selector: {type: RecordSelector, extractor: {type: DpathExtractor, field_path: []}}}}}]}
                """
        }
        let p =
            #"p: '{{ ((if (config.user | IN(null, false, 0, "", [], {}) | not) then "x" else "" end)) | "#
            + #"if . == "" then null else . end }}'"#
        #expect(lines.contains { $0.hasSuffix(p) })
        #expect(lines.contains { $0.hasSuffix(#"q: "{{ shelf.id.deep // null }}""#) })
    }

    @Test(
        "Numbers as Python reads and divides them",
        arguments: [
            ("record['v']|int", "true", "1"), ("record['v']|int", "\" 5 \"", "5"), ("record['v']|int", "\"x\"", "0"),
            ("record['v']|int", "null", "0"), ("record['v']|float", "true", "1"), ("record['v']|int", "2.9", "2"),
            ("record['v']|int", "12345678901234567890", "12345678901234567890"), ("record['v'] % 3", "-7", "2"),
            ("record['v'] % 3", "7", "1"), ("record['v'] % 1", "2.5", "0.5"),
        ]
    )
    func numbers(jinja: String, value: String, result: String) throws {
        let program = try JQProgram(try overRecord(jinja), functions: NativeFunctions.all)
        let record = try JSONValue(parsing: #"{"v":\#(value)}"#)
        #expect(try program.run(record) == [try JSONValue(parsing: result)])
    }

    @Test(
        "A record that a filter cannot calculate with is kept, as the engine keeps it",
        arguments: [
            ("record['n'] - 1 > 0", #"{"n":null}"#, true), ("record['n'] - 1 > 0", #"{"n":3}"#, true),
            ("record['n'] - 1 > 0", #"{"n":1}"#, false), ("record['n'] % 2 == 0", #"{"n":null}"#, true),
            ("record['n'] < record['m']", #"{"n":null,"m":null}"#, true),
            ("record['n']|abs > 1", #"{"n":null}"#, true), ("record['n']|abs > 1", #"{"n":-1}"#, false),
            // A value of another type has no such method, which makes the whole condition false.
            ("record['s'].lower() == 'on'", #"{"s":"ON"}"#, true),
            ("record['s'].lower() == 'on'", #"{"s":null}"#, false),
            ("record['s'].lower() == 'on'", #"{"s":7}"#, false),
            ("not record['s'].startswith('o')", #"{"s":null}"#, false),
            ("record['s'].strip().endswith('n')", #"{"s":" on "}"#, true),
            ("'a' in record['s'].keys()", #"{"s":1}"#, false),
            // A member of a text, a number or a list is undefined, and so is one of null.
            ("record['o']['id'] != 1", #"{"o":"text"}"#, true), ("record['o']['id'] != 1", #"{"o":[1]}"#, true),
            ("record['o']['id'] != 1", #"{"o":null}"#, true), ("record['o']['id'] != 1", #"{"o":{"id":1}}"#, false),
            ("record['o']['id'] != 1", "{}", false), ("record['o']['id'] == 1", #"{"o":"text"}"#, false),
        ]
    )
    func filters(jinja: String, record: String, isKept: Bool) throws {
        let program = try JQProgram(try condition(jinja), functions: NativeFunctions.all)
        #expect(try program.run(try JSONValue(parsing: record)) == [.bool(isKept)])
    }

    @Test("A parameter takes the place of any member that is missing or empty, and has no effect inside it")
    func parametersOfAllMembers() throws {
        var stream = OneStream()
        stream.selector = "{type: RecordSelector, extractor: {type: DpathExtractor, field_path: [books]}}"
        stream.paginator = "{}"
        stream.transformations = "[]"
        let text = stream.text.replacing(
            "    primary_key: id\n",
            with: """
                    primary_key: id
                    $parameters:
                      record_filter: {type: RecordFilter, condition: "{{ record.n > 2 }}"}
                      transformations: [{type: RemoveFields, field_pointers: [[secret]]}]
                      paginator:
                        type: DefaultPaginator
                        page_token_option: {type: RequestOption, inject_into: request_parameter, field_name: page}
                        pagination_strategy: {type: PageIncrement}
                      page_size: 5

                """
        )
        let lines = (try imported(text).manifest ?? "").split(separator: "\n").map { $0.drop { $0 == " " } }
        #expect(lines.contains("page: {number: {param: page, from: 0, omit_first: true, size: 5}}"), "\(lines)")
        #expect(lines.contains("map: 'del(.secret?)'"), "\(lines)")
        #expect(lines.contains { $0.hasPrefix("drop_if: ") && $0.contains(". > 2") }, "\(lines)")
    }
}
