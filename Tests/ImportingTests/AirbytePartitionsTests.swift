import Testing

@testable import Importing

@Suite("What an imported stream is read for")
struct AirbytePartitionsTests {
    @Test("A list of constants, and one that is a setting")
    func lists() throws {
        let list = try importedLine("for_each") {
            $0.router =
                "{type: ListPartitionRouter, cursor_field: kind, values: [a, b], request_option: {type: RequestOption, inject_into: request_parameter, field_name: p}}"
        }
        #expect(list == "for_each: {list: [a, b], as: kind}")
        let setting = try importedLine("for_each") {
            $0.router = "{type: ListPartitionRouter, cursor_field: id, values: \"{{ config['ids'] }}\"}"
        }
        #expect(setting == "for_each: {list: \"{{ config.ids }}\", as: id}")
    }

    @Test("A parent's member that a transformation makes is made of the source's record")
    func parents() throws {
        let parent = """
            {type: DeclarativeStream, name: shelves, primary_key: uri, retriever: {type: SimpleRetriever,
                requester: {type: HttpRequester, url_base: "https://api.example.org/v1", path: /shelves},
                record_selector: {type: RecordSelector, extractor: {type: DpathExtractor, field_path: []}}},
                transformations: [{type: AddFields, fields: [{path: [id], value: "{{ record.uri.split('/')[-1] }}"}]}]}
            """
        func query(_ key: String) throws -> String? {
            try importedLine("request") {
                $0.requester = """
                    {type: HttpRequester, url_base: 'https://api.example.org/v1', path: /books,
                        request_parameters: {shelf: "{{ stream_partition.shelf }}"}}
                    """
                $0.router = """
                    {type: SubstreamPartitionRouter, parent_stream_configs: [{type: ParentStreamConfig, parent_key: \(key),
                        partition_field: shelf, stream: \(parent)}]}
                    """
            }
        }
        #expect(try query("uri") == "request: {path: /books, query: {shelf: \"{{ shelf.uri }}\"}}")
        #expect(
            try query("id")
                == "request: {path: /books, query: {shelf: '{{ (shelf | .id = (.uri | split(\"/\"))[-1] | .id) }}'}}"
        )
    }

    @Test("A record that its stream leaves out behind the transformations is no parent")
    func droppedParents() throws {
        let each = try importedLines {
            $0.router = """
                {type: SubstreamPartitionRouter, parent_stream_configs: [{type: ParentStreamConfig, parent_key: id, partition_field: shelf,
                    stream: {type: DeclarativeStream, name: shelves, primary_key: id, retriever: {type: SimpleRetriever,
                    requester: {type: HttpRequester, url_base: "https://api.example.org/v1", path: /shelves},
                    record_selector: {type: RecordSelector, transform_before_filtering: true,
                        record_filter: {type: RecordFilter, condition: "{{ record.kind == 'a' }}"},
                        extractor: {type: DpathExtractor, field_path: []}}}}}]}
                """
        }
        #expect(
            each.contains { $0.contains(#"skip_if: '([select((.kind == "a")) | .id] | first) == null'"#) },
            "\(each)"
        )
    }

    @Test("A record without the member that a stream is read for is left out")
    func parentsWithoutMember() throws {
        func each(_ key: String) throws -> String? {
            try importedLine("for_each") {
                $0.router = """
                    {type: SubstreamPartitionRouter, parent_stream_configs: [{type: ParentStreamConfig, parent_key: \(key), partition_field: shelf,
                        stream: {type: DeclarativeStream, name: shelves, primary_key: id, retriever: {type: SimpleRetriever,
                        requester: {type: HttpRequester, url_base: "https://api.example.org/v1", path: /shelves},
                        record_selector: {type: RecordSelector, extractor: {type: DpathExtractor, field_path: []}}}}}]}
                    """
            }
        }
        #expect(try each("id") == "for_each: {in: shelves-parent, as: shelf}")
        #expect(
            try each("owner/id") == "for_each: {in: shelves-parent, as: shelf, skip_if: '.owner.id == null'}"
        )
    }

    @Test("A setting that is a list of objects is none that anybody can be asked for")
    func listsOfObjects() throws {
        let reasons = try {
            var stream = OneStream()
            stream.properties = "{rows: {type: array, items: {type: object, properties: {id: {type: string}}}}}"
            stream.router = "{type: ListPartitionRouter, cursor_field: row, values: \"{{ config['rows'] }}\"}"
            return try stream.reasons()
        }()
        #expect(reasons == ["the setting 'rows' is a list of objects or lists, which a plug cannot ask for"])
    }

    @Test("A parent's program with nested objects does not end the template that it stands in")
    func nestedParents() throws {
        var stream = OneStream()
        stream.requester =
            "{type: HttpRequester, url_base: 'https://api.example.org/v1', path: \"/shelves/{{ stream_partition.shelf }}\"}"
        stream.router = """
            {type: SubstreamPartitionRouter, parent_stream_configs: [{type: ParentStreamConfig, parent_key: id, partition_field: shelf,
                stream: {type: DeclarativeStream, name: shelves, primary_key: uri,
                schema_loader: {type: InlineSchemaLoader, schema: {properties: {a: {properties: {b: {type: integer}}}}}},
                transformations: [{type: AddFields, fields: [{path: [id], value: "{{ record.uri }}"}]}],
                retriever: {type: SimpleRetriever, requester: {type: HttpRequester, url_base: "https://api.example.org/v1", path: /shelves},
                record_selector: {type: RecordSelector, schema_normalization: Default, extractor: {type: DpathExtractor, field_path: []}}}}}]}
            """
        #expect(try stream.reasons() == [])
    }

    @Test("A parent's own parent keeps its value where both go by one name")
    func nestedParentNames() throws {
        func parent(_ name: String, _ path: String, router: String = "") -> String {
            """
            {type: ParentStreamConfig, parent_key: id, partition_field: parent_id, stream: {type: DeclarativeStream, name: \(name),
                primary_key: id, retriever: {type: SimpleRetriever,\(router)
                requester: {type: HttpRequester, url_base: "https://api.example.org/v1", path: "\(path)"},
                record_selector: {type: RecordSelector, extractor: {type: DpathExtractor, field_path: []}}}}}
            """
        }
        func router(_ parent: String) -> String {
            "{type: SubstreamPartitionRouter, parent_stream_configs: [\(parent)]}"
        }
        let path = "/b/{{ stream_slice.parent_id }}/{{ stream_slice.parent_slice.parent_id }}"
        let lines = try importedLines {
            $0.requester = "{type: HttpRequester, url_base: 'https://api.example.org/v1', path: \"\(path)\"}"
            let rooms = router(parent("rooms", "/rooms"))
            $0.router = router(
                parent(
                    "shelves",
                    "/rooms/{{ stream_partition.parent_id }}/shelves",
                    router: "partition_router: \(rooms),"
                )
            )
        }
        #expect(
            lines.filter { $0.hasPrefix("for_each") || $0.hasPrefix("request") } == [
                "for_each: {in: shelves-parent, as: parent_id_}",
                "request: {path: \"/b/{{ parent_id_.id }}/{{ parent_id.id }}\"}",
                "request: {path: /rooms}",
                "for_each: {in: rooms-parent, as: parent_id}",
                "request: {path: \"/rooms/{{ parent_id.id }}/shelves\"}",
            ]
        )
    }
}
