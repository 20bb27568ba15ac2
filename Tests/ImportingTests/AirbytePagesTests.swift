import Testing

@testable import Importing

@Suite("How an imported stream finds its pages")
struct AirbytePagesTests {
    private let option = "{type: RequestOption, inject_into: request_parameter, field_name: p}"

    @Test("Page numbers begin where the manifest says, else at 0")
    func numbers() throws {
        let pages = try importedLine("page") {
            $0.paginator =
                "{type: DefaultPaginator, page_token_option: \(option), pagination_strategy: {type: PageIncrement, page_size: 20, inject_on_first_request: true}}"
        }
        #expect(pages == "page: {number: {param: p, from: 0, size: 20}}")
    }

    @Test("The first page is asked for without its number, unless the manifest injects it")
    func firstPages() throws {
        let pages = try importedLine("page") {
            $0.paginator =
                "{type: DefaultPaginator, page_token_option: \(option), pagination_strategy: {type: PageIncrement, start_from_page: 1}}"
        }
        #expect(pages == "page: {number: {param: p, from: 1, omit_first: true}}")
    }

    @Test("An offset without a size grows by the records of a page")
    func offsets() throws {
        let pages = try importedLine("page") {
            $0.paginator =
                "{type: DefaultPaginator, page_token_option: \(option), pagination_strategy: {type: OffsetIncrement}}"
        }
        #expect(pages == "page: {offset: {param: p, omit_first: true, size: 1}}")
    }

    @Test("A token that is an address, or the Link header")
    func addresses() throws {
        func page(_ token: String, _ stop: String = "") throws -> String? {
            try importedLine("page") {
                $0.paginator = """
                    {type: DefaultPaginator, page_token_option: {type: RequestPath},
                            pagination_strategy: {type: CursorPagination, cursor_value: "\(token)"\(stop)}}
                    """
            }
        }
        #expect(try page("{{ headers['link']['next']['url'] }}") == "page: {link: next}")
        #expect(
            try page("{{ headers.link.next.url }}", ", stop_condition: \"{{ 'next' not in headers.link }}\"")
                == "page: {link: next}"
        )
        #expect(try page("{{ response.next }}") == "page: {next: '.next | select(IN(\"\", 0, {}, []) | not)'}")
    }

    @Test("An address gets the parameters of the request that it lacks")
    func addressesWithParameters() throws {
        func page(_ requester: String, _ change: (inout OneStream) -> Void = { _ in }) throws -> String? {
            try importedLine("page") {
                $0.requester = "{type: HttpRequester, url_base: 'https://a.org', path: /b\(requester)}"
                $0.paginator = """
                    {type: DefaultPaginator, page_token_option: {type: RequestPath}, page_size_option: {type: RequestOption,
                        inject_into: header, field_name: size}, pagination_strategy: {type: CursorPagination, page_size: 5,
                        cursor_value: "{{ headers.link.next.url }}"}}
                    """
                change(&$0)
            }
        }
        #expect(try page("") == "page: {link: next}")
        #expect(try page(", request_parameters: {a: b}") == "page: {link: next, add_query: true}")
        let cursor = """
            {type: DatetimeBasedCursor, cursor_field: at, datetime_format: "%s", start_datetime: "2024-01-01", start_time_option: \(option)}
            """
        #expect(try page("") { $0.cursor = cursor } == "page: {link: next, add_query: true}")
        #expect(
            try page("") { stream in
                stream.cursor = cursor
                stream.router =
                    "{type: ListPartitionRouter, cursor_field: kind, values: [a], request_option: \(option.replacing(": p", with: ": k"))}"
                stream.paginator += "\n      ignore_stream_slicer_parameters_on_paginated_requests: true"
            } == "page: {link: next, add_query: true, only_first: [since, k]}"
        )
    }

    @Test("A page that the path names is asked for there, the first without a token unless it is injected")
    func pathTokens() throws {
        func lines(_ strategy: String) throws -> [String] {
            try importedLines {
                $0.requester = """
                    {type: HttpRequester, url_base: 'https://api.example.org/v1',
                        path: "/books/{{ next_page_token['next_page_token'] if next_page_token else 'first' }}"}
                    """
                $0.paginator = "{type: DefaultPaginator, pagination_strategy: \(strategy)}"
            }.filter { $0.hasPrefix("page:") || $0.contains("path:") }
        }
        #expect(
            try lines("{type: PageIncrement, page_size: 2, start_from_page: 1}") == [
                "  path: '/books/{{ if (if (if page.number == 1 then null else page.number end) == null then null else true end) "
                    + "then (if page.number == 1 then null else page.number end) else \"first\" end }}'",
                "page: {number: {from: 1, size: 2}}",
            ]
        )
        #expect(
            try lines("{type: OffsetIncrement, page_size: 2, inject_on_first_request: true}") == [
                "  path: '/books/{{ if (if page.offset == null then null else true end) then page.offset else \"first\" end }}'",
                "page: {offset: {size: 2}}",
            ]
        )
        #expect(
            try lines("{type: CursorPagination, cursor_value: '{{ response.next }}'}").last
                == #"page: {cursor: {from: '.next | select(IN("", 0, {}, []) | not)'}}"#
        )
    }

    @Test("Paginators see records behind the filter and the transformations")
    func seenRecords() throws {
        func page(_ transformations: String, _ value: String, _ filter: String = "") throws -> String? {
            try importedLines {
                $0.selector = "{type: RecordSelector, extractor: {type: DpathExtractor, field_path: [books]}\(filter)}"
                $0.transformations = transformations
                $0.schema = "{type: InlineSchemaLoader, schema: {properties: {id: {type: ['null', number]}}}}"
                $0.paginator = """
                    {type: DefaultPaginator, page_token_option: \(option), pagination_strategy: {type: CursorPagination, cursor_value: "\(value)"}}
                    """
            }.first { $0.contains("from:") }
        }
        let filter = ", record_filter: {type: RecordFilter, condition: '{{ record.ok == 1 }}'}"
        let added = "[{type: AddFields, fields: [{path: [at], value: '{{ record.id ~ 1 }}'}]}]"
        func sees(_ transformations: String, _ value: String, _ filter: String, _ program: String) throws -> Bool {
            let line = try page(transformations, value, filter) ?? ""
            return line.contains("from: '\(program) | select(IN(\"\", 0, {}, []) | not)'")
        }
        let kept = "((.books // []) | map(select((.ok | IN(true, 1)))))"
        #expect(try sees("[]", "{{ last_record.id }}", "", "((.books // []) | last | .id)"))
        #expect(try sees(added, "{{ last_record.id }}", "", "((.books // []) | last | .id)"))
        #expect(try sees("[]", "{{ last_record.id }}", filter, "(\(kept) | last | .id)"))
        #expect(try sees("[]", "{{ last_page_size }}", filter, "(\(kept) | length)"))
        #expect(
            try sees(
                "[{type: KeysToLower}]",
                "{{ last_record.id }}",
                "",
                "(((.books // []) | map(with_entries(.key |= ascii_downcase))) | last | .id)"
            )
        )
        #expect(try page(added, "{{ last_record.at }}")?.contains("((.books // []) | map(.at = ") == true)
        #expect(
            try sees(
                "[]",
                "{{ last_record.id }}",
                ", schema_normalization: Default",
                "((.books // []) | last | if type == \"object\" and has(\"id\") then .id | (if . == null then . else "
                    + "if type == \"string\" then (tonumber? // .) elif type == \"boolean\" then (if . then 1 else 0 end) "
                    + "else . end end) else null end)"
            )
        )
    }

    @Test("A token that fails where the condition has ended the list is none")
    func guardedTokens() throws {
        let page = try importedLines {
            $0.paginator = """
                {type: DefaultPaginator, page_token_option: {type: RequestPath}, pagination_strategy: {type: CursorPagination,
                    cursor_value: "{{ headers.get('Link').split(';')[0][1:-1] }}", stop_condition: "{{ not headers.get('Link') }}"}}
                """
        }.first { $0.contains("next:") }
        #expect(page == #"  next: '((headers["link"] | split(";"))[0][1:-1])? | select(IN("", 0, {}, []) | not)'"#)
    }

    @Test("A condition over headers counts where the answer is a list")
    func listsWithHeaders() throws {
        let lines = try importedLines {
            $0.selector = "{type: RecordSelector, extractor: {type: DpathExtractor, field_path: []}}"
            $0.paginator = """
                {type: DefaultPaginator, page_token_option: \(option), pagination_strategy: {type: CursorPagination,
                    cursor_value: "{{ headers['x-next'] }}", stop_condition: "{{ not headers['x-more'] }}"}}
                """
        }
        let more = try #require(lines.first { $0.contains("more:") })
        #expect(!more.contains("if type") && more.contains(#"headers["x-more"]"#))
    }

    @Test("A condition that looks at something else than the token stays")
    func stops() throws {
        var stream = OneStream()
        stream.paginator = """
            {type: DefaultPaginator, page_token_option: \(option),
                    pagination_strategy: {type: CursorPagination, cursor_value: "{{ response.next }}", stop_condition: "{{ not response.more }}"}}
            """
        let lines = try stream.lines()
        let start = try #require(lines.firstIndex(of: "page:"))
        #expect(
            lines[start...].prefix(3) == [
                "page:", "  cursor: {from: '.next | select(IN(\"\", 0, {}, []) | not)', param: p}",
                "  more: '(((.more | IN(null, false, 0, \"\", [], {}) | not) | not) | not) and any(.next | select(IN(\"\", 0, {}, []) | not); . != null)'",
            ]
        )
    }

    @Test("Pages that no request asks for are told of")
    func silentPages() throws {
        var stream = OneStream()
        stream.paginator = "{type: DefaultPaginator, pagination_strategy: {type: PageIncrement, page_size: 20}}"
        let plug = try imported(stream.text)
        let reason =
            "Airbyte's requests do not say which page they want, so all pages are the same one; the plug reads it once"
        #expect(
            plug.findings == [ImportFinding(line: 12, reason: reason, stream: "books", leavesOut: false, isNote: true)]
        )
        #expect(plug.isWhole)
        #expect(plug.manifest?.contains("  # NOTE line 12: \(reason)\n  books:\n") == true)
        #expect(try stream.lines().first { $0.hasPrefix("request:") } == "request: {path: /books}")
    }
}
