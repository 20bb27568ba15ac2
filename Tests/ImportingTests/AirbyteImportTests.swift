import PlugCore
import PlugManifest
import Testing

@testable import Importing

@Suite("A manifest of Airbyte's language as a plug")
struct AirbyteImportTests {
    private let manifest = """
        version: 6.0.0
        type: DeclarativeSource
        check: {type: CheckStream, stream_names: [shelves]}
        definitions:
          requester:
            type: HttpRequester
            url_base: https://api.example.org/v1/
            authenticator:
              type: ApiKeyAuthenticator
              api_token: "Token {{ config['api_key'] }}"
              inject_into: {type: RequestOption, inject_into: header, field_name: Authorization}
            error_handler:
              type: DefaultErrorHandler
              response_filters:
                - {type: HttpResponseFilter, action: IGNORE, http_codes: [404]}
          shelves:
            type: DeclarativeStream
            name: shelves
            primary_key: id
            $parameters: {path: shelves}
            retriever:
              type: SimpleRetriever
              requester: {$ref: "#/definitions/requester"}
              record_selector: {type: RecordSelector, extractor: {type: DpathExtractor, field_path: [data]}}
        streams:
          - "#/definitions/shelves"
          - type: DeclarativeStream
            name: Loaned Books
            primary_key: [id, shelf]
            retriever:
              type: SimpleRetriever
              requester:
                $ref: "#/definitions/requester"
                path: "/shelves/{{ stream_partition['shelf'] }}/books"
                request_parameters: {order: asc}
              record_selector:
                type: RecordSelector
                extractor: {type: DpathExtractor, field_path: [data, books]}
                record_filter: {type: RecordFilter, condition: "{{ record.loaned }}"}
              paginator:
                type: DefaultPaginator
                page_token_option: {type: RequestOption, inject_into: request_parameter, field_name: after}
                page_size_option: {type: RequestOption, inject_into: request_parameter, field_name: limit}
                pagination_strategy:
                  type: CursorPagination
                  page_size: 50
                  cursor_value: "{{ response.meta.next }}"
                  stop_condition: "{{ not response.meta.next }}"
              partition_router:
                type: SubstreamPartitionRouter
                parent_stream_configs:
                  - {type: ParentStreamConfig, parent_key: id, partition_field: shelf, stream: "#/definitions/shelves"}
            incremental_sync:
              type: DatetimeBasedCursor
              cursor_field: updated_at
              datetime_format: "%Y-%m-%dT%H:%M:%SZ"
              start_datetime: {type: MinMaxDatetime, datetime: "{{ config['start_date'] }}", datetime_format: "%Y-%m-%d"}
              end_datetime: {type: MinMaxDatetime, datetime: "{{ now_utc().strftime('%Y-%m-%dT%H:%M:%SZ') }}"}
              start_time_option: {type: RequestOption, inject_into: request_parameter, field_name: from}
              end_time_option: {type: RequestOption, inject_into: request_parameter, field_name: to}
              step: P30D
              cursor_granularity: PT1S
              lookback_window: PT1H
            transformations:
              - type: AddFields
                fields: [{path: [shelf], value: "{{ stream_partition.shelf }}"}]
              - {type: RemoveFields, field_pointers: [[internal, note]]}
        spec:
          type: Spec
          connection_specification:
            type: object
            required: [api_key, start_date]
            properties:
              api_key: {type: string, title: API key, airbyte_secret: true}
              start_date: {type: string, title: From when, format: date}
              unused: {type: boolean}
        """

    @Test("A whole manifest: settings, authorisation, parents, pages, bounds, filters, transformations and rules")
    func whole() throws {
        let plug = try imported(manifest)
        #expect(plug.isWhole)
        #expect(plug.carried == ["shelves", "Loaned Books"])
        let text = plug.manifest ?? ""
        let start = text.firstRange(of: "config:\n")?.lowerBound ?? text.endIndex
        #expect(
            String(text[start...]) == """
                config:
                  api_key: {type: string, secret: true, title: API key}
                  start_date: {type: date, title: From when}

                auth: {key: {in: header, name: Authorization, value: "Token {{ config.api_key }}"}}
                check: {stream: shelves}
                http: {base: "https://api.example.org/v1"}
                streams:
                  shelves:
                    endpoint: shelves
                    request: {path: /shelves}
                    records: '.data // []'
                    key: .id
                    version: content
                    on: [{status: 404, do: skip}]
                  loaned-books:
                    endpoint: loaned-books
                    for_each: {in: shelves, as: shelf}
                    request: {path: "/shelves/{{ shelf.id }}/books", query: {order: asc}}
                    records: '.data.books // []'
                    page:
                      cursor:
                        from: '.meta.next | select(IN("", 0, {}, []) | not)'
                        param: after
                        size: 50
                        size_param: limit
                    since:
                      field: .updated_at
                      type: time
                      from: "{{ config.start_date }}"
                      send: {query: {from: "%Y-%m-%dT%H:%M:%SZ"}}
                      until: {query: {to: "%Y-%m-%dT%H:%M:%SZ"}}
                      overlap: 1h
                      window: 30d
                      granule: 1s
                    key: [.id, shelf.id]
                    version: .updated_at
                    drop_if: '(.loaned | IN(null, false, 0, "", [], {}, "False", "false", "0", "None") | not) | not'
                    map: '.shelf = shelf.id | del(.internal?.note?)'
                    on: [{status: 404, do: skip}]

                """
        )
    }

    @Test("What is written is valid")
    func valid() throws {
        let text = try imported(manifest).manifest ?? ""
        let result = ManifestReader.read(path: "plug.yaml", text: Array(text.utf8))
        #expect(result.diagnostics.map(\.message) == [])
    }

    @Test("A stream of which something is missing is left out, with the line and the reason; the others are there")
    func leftOut() throws {
        let plug = try imported(
            manifest.replacing("type: CursorPagination", with: "type: CustomPaginationStrategy")
        )
        #expect(plug.carried == ["shelves"])
        #expect(
            plug.findings == [
                ImportFinding(
                    line: 45,
                    reason: "the pagination 'CustomPaginationStrategy' has no counterpart",
                    stream: "Loaned Books",
                    leavesOut: true
                )
            ]
        )
        #expect(
            plug.manifest?.contains(
                "  # TODO line 45: the stream 'Loaned Books' is left out: "
                    + "the pagination 'CustomPaginationStrategy' has no counterpart\n"
            ) == true
        )
    }

    @Test("What reads a stream that is left out is left out, too")
    func orphans() throws {
        let plug = try imported(
            manifest.replacing(
                "type: DeclarativeStream\n    name: shelves",
                with: "type: CustomStream\n    name: shelves"
            )
        )
        #expect(plug.carried == [])
        #expect(plug.manifest == nil)
        #expect(plug.findings.map(\.stream) == ["Loaned Books", "shelves"])
    }

    @Test("A file that is no manifest is an error with the place")
    func unreadable() {
        func failure(_ text: String) -> PlugError? { #expect(throws: PlugError.self) { try imported(text) } }
        let foreign = failure("openapi: 3.0.0")
        #expect(foreign?.message == "manifest.yaml is not a declarative manifest: it has no 'streams'")
        #expect(failure("streams: [")?.message.hasPrefix("manifest.yaml:2:1: this is not YAML") == true)
        #expect(failure("")?.code == .importUnreadable)
    }

    @Test("References that lead to nothing, or in a circle, are errors of the stream that has them")
    func references() throws {
        var stream = OneStream()
        stream.selector = "{$ref: '#/definitions/nothing'}"
        #expect(try stream.reasons() == ["'$ref: #/definitions/nothing' refers to nothing"])
        stream.selector = "'#/streams/0/retriever/record_selector'"
        #expect(try stream.reasons() == ["'$ref' leads through too many references, or to itself"])
    }

    @Test("What has to be a list, and is none, is refused as the engine refuses it")
    func lists() throws {
        var stream = OneStream()
        stream.selector = "{type: RecordSelector, extractor: {type: DpathExtractor, field_path: books}}"
        #expect(try stream.reasons() == ["'field_path' is not a list"])
        stream = OneStream()
        stream.transformations = "{type: RemoveFields, field_pointers: [[a]]}"
        #expect(try stream.reasons() == ["'transformations' is not a list"])
    }

    @Test("Of a key that is written twice the last one counts, and a log-in that answers in XML is refused")
    func keysTwice() throws {
        var stream = OneStream()
        stream.requester = "{type: HttpRequester, url_base: 'https://api.example.org/v1', path: /shelves, path: /books}"
        #expect(try stream.lines().contains("request: {path: /books}"))
        stream.requester = """
            {type: HttpRequester, url_base: "https://api.example.org/v1", path: /books, authenticator: {type: SessionTokenAuthenticator,
            login_requester: {type: HttpRequester, url_base: "https://api.example.org/v1", path: /login}, session_token_path: [token],
            decoder: {type: XmlDecoder}, request_authentication: {type: Bearer}}}
            """.replacing("\n", with: " ")
        #expect(try stream.reasons() == ["a log-in whose answer is not JSON has no counterpart"])
    }

    @Test("Components within themselves, and references that stand for a million values, are errors of the stream too")
    func endlessComponents() throws {
        let tooDeep = "components are nested deeper than 200 levels: a '$ref' leads to a component that it is in"
        var stream = OneStream()
        stream.decoder = "{type: GzipDecoder, decoder: {$ref: '#/streams/0/retriever/decoder'}}"
        #expect(try stream.reasons() == [tooDeep])
        stream = OneStream()
        stream.requester = """
            {type: HttpRequester, url_base: "https://api.example.org", path: /books, error_handler: {type: CompositeErrorHandler,
            error_handlers: [{$ref: "#/streams/0/retriever/requester/error_handler"}]}}
            """.replacing("\n", with: " ")
        #expect(try stream.reasons() == [tooDeep])
        stream = OneStream()
        stream.router = """
            {type: SubstreamPartitionRouter, parent_stream_configs: [{stream: {$ref: "#/streams/0"}, parent_key: id, partition_field: p}]}
            """
        #expect(
            try stream.reasons() == ["its parent 'books' cannot be read: streams are read for streams more than 8 deep"]
        )
        stream = OneStream()
        stream.requester = """
            {type: HttpRequester, url_base: "https://api.example.org", path: /books, http_method: POST,
            request_body_json: {$ref: "#/definitions/d20"}}
            """.replacing("\n", with: " ")
        let doubled = (1...20).map {
            "  d\($0): {a: {$ref: '#/definitions/d\($0 - 1)'}, b: {$ref: '#/definitions/d\($0 - 1)'}}\n"
        }
        let text = stream.text + "\ndefinitions:\n  d0: {x: 1}\n" + doubled.joined()
        #expect(
            try imported(text).findings.map(\.reason) == [
                "the manifest's references stand for more than 1000000 values"
            ]
        )
    }

    @Test("A manifest without its specification asks for what its expressions use")
    func noSpecification() throws {
        let text = manifest[..<(manifest.firstRange(of: "spec:")?.lowerBound ?? manifest.endIndex)]
        let plug = try imported(String(text))
        #expect(
            plug.manifest?.contains("  api_key: {type: string, secret: true}\n  start_date: {type: string}\n") == true
        )
    }
}
