import JQ
import LosslessJSON
import Testing

@testable import Importing

@Suite("Single components of Airbyte's language")
struct AirbytePartsTests {
    private let option = "{type: RequestOption, inject_into: request_parameter, field_name: p}"

    // MARK: - What is sent and added as it is there

    @Test("A member that is missing is an empty text, and one that is null is null")
    func missing() throws {
        #expect(
            try importedLine("map") {
                $0.transformations = """
                    [{type: AddFields, fields: [{path: [a], value: "{{ record.x }}"}, {path: [b], value: "{{ record['y']['z'] }}"}]}]
                    """
            } == """
                map: '.a = (if has("x") then .x else "" end) | .b = (.y | if type == "object" and has("z") then .z else "" end)'
                """
        )
    }

    @Test("Quotes around a whole text are none of it, nor is the end of its last line")
    func quotes() throws {
        #expect(
            try importedLines {
                $0.requester = """
                    {type: HttpRequester, url_base: 'https://api.example.org/v1', path: /, request_parameters: {
                        filter: "'[{{ config['size'] }}]'", name: "\\"{{ config['user'] }}\\"", note: "it's\\n", plain: "'x'"},
                        request_headers: {Accept-Encoding: gzip}}
                    """
            }
            .starts(with: [
                "endpoint: books", "request:", "  path: /v1",
                #"  query: {filter: "[{{ config.size }}]", name: "{{ config.user // null }}", note: "it's", plain: x}"#,
            ])
        )
    }

    @Test("The path of an extractor names the elements of XML")
    func elements() throws {
        func stream(_ path: String) -> OneStream {
            var stream = OneStream()
            stream.decoder = "{type: XmlDecoder}"
            stream.selector = "{type: RecordSelector, extractor: {type: DpathExtractor, field_path: \(path)}}"
            return stream
        }
        let lines = try stream("[Response, Books, Book]").lines()
        #expect(lines.contains("decode: {xml: {records: /Response/Books/Book}}"))
        let text = try #require(lines.first { $0.hasPrefix("records: ") })
        let program = try JQProgram(String(text.dropFirst("records: '".count).dropLast()).replacing("''", with: "'"))
        // As xmltodict 0.14 reads '<Book id=" 1 " x=""><A/><B> b </B><C>1</C><C> </C><D y="2"> d<E/></D></Book>'.
        let element = try JSONValue(
            parsing: ##"{"@id":" 1 ","@x":"","A":"","B":" b ","C":["1"," "],"D":{"@y":"2","#text":" d","E":""}}"##
        )
        #expect(
            try program.run(element).map(\.compactText) == [
                ##"{"@id":" 1 ","@x":"","A":null,"B":"b","C":["1",null],"D":{"@y":"2","#text":"d","E":null}}"##
            ]
        )
        let reason = "an extractor that does not name the elements of XML has no counterpart"
        for path in ["[]", "[Response, '*', Book]", "['{{ config.token }}']", "['a b']"] {
            #expect(try stream(path).reasons() == [reason])
        }
    }

    @Test("Members of a body that are nothing are left out")
    func nothing() throws {
        #expect(
            try importedLines {
                $0.requester = """
                    {type: HttpRequester, url_base: 'https://api.example.org/v1', path: /books, http_method: POST,
                        request_body_json: {a: null, b: {c: null, d: 1}, e: "[{{ config['size'] }}]"}}
                    """
            }.contains(#"  json: {b: {d: 1}, e: '{{ "[" + (config.size | tostring) + "]" | fromjson? // . }}'}"#)
        )
    }

    @Test("Slashes that a path's conditions make are not encoded")
    func conditionalPath() throws {
        let imported = try importedLines {
            $0.properties = "{team: {type: string}}"
            $0.requester = """
                {type: HttpRequester, url_base: 'https://api.example.org/v1',
                    path: "{% if config['team'] %}teams/{{ config['team'] }}/{% endif %}items"}
                """
        }
        let line = try #require(imported.first { $0.contains("path: '{{") })
        let program = try #require(line.split(separator: "'{{ ").last?.split(separator: " }}'").first)
        func path(_ config: String) throws -> [JSONValue] {
            let config = try JSONValue(parsing: config)
            return try JQProgram(String(program), globals: ["config"]).run(.null, globals: [config])
        }
        #expect(try path(#"{"team":"red"}"#) == [.text("https://api.example.org/v1/teams/red/items")])
        #expect(try path("{}") == [.text("https://api.example.org/v1/items")])
    }

    @Test("A name in a body that an expression makes is refused")
    func bodyName() throws {
        var stream = OneStream()
        stream.properties = "{mode: {type: string}}"
        stream.requester = """
            {type: HttpRequester, url_base: 'https://api.example.org/v1', path: /books, http_method: POST,
                request_body_json: {"{{ config['mode'] }}": 1}}
            """
        #expect(try stream.reasons() == ["a member of a body whose name is not a constant has no counterpart"])
    }

    @Test("A member '_id' is renamed, and still the key, after names have changed")
    func identityAfterRenaming() throws {
        let lines = try importedLines {
            $0.key = "_id"
            $0.transformations = "[{type: KeysToSnakeCase}]"
        }
        func run(_ key: String) throws -> [JSONValue] {
            let line = try #require(lines.first { $0.hasPrefix("\(key): '") })
            let program = line.dropFirst("\(key): '".count).dropLast().replacing("''", with: "'")
            return try JQProgram(String(program)).run(try JSONValue(parsing: #"{"_id":"x","userName":"u"}"#))
        }
        #expect(try run("key") == [.text("x")])
        #expect(try run("map") == [try JSONValue(parsing: #"{"user_name":"u","source_id":"x"}"#)])
    }

    @Test("Members that are no objects are left as they are where others are flattened")
    func flattenedText() throws {
        let imported = try importedLine("map") {
            $0.transformations = "[{type: DpathFlattenFields, field_path: [attrs, inner]}]"
        }
        let line = try #require(imported)
        let program = try JQProgram(String(line.dropFirst("map: '".count).dropLast()))
        for record in [#"{"attrs":"text"}"#, #"{"attrs":[1]}"#, "{}"] {
            let record = try JSONValue(parsing: record)
            #expect(try program.run(record) == [record])
        }
    }

    @Test("Bounds of a request in a key are a part of it")
    func boundsInKey() throws {
        let lines = try importedLines {
            $0.key = "[id, from]"
            $0.transformations = "[{type: AddFields, fields: [{path: [from], value: '{{ stream_slice.start_time }}'}]}]"
            $0.cursor = """
                {type: DatetimeBasedCursor, cursor_field: at, datetime_format: "%Y-%m-%d", start_datetime: "2024-01-01",
                    start_time_option: \(option)}
                """
        }
        #expect(
            lines.contains(#"key: [.id, 'since | time("date")']"#) && lines.contains("version: content"),
            "\(lines)"
        )
        #expect(lines.contains(#"map: '.from = (since | time("date"))'"#))
    }

    @Test("A member of a key whose name contains that of a bound is none", arguments: ["valid_until", "member_since"])
    func boundInName(name: String) throws {
        let lines = try importedLines {
            $0.key = name
            $0.cursor = """
                {type: DatetimeBasedCursor, cursor_field: updated_at,
                    datetime_format: "%Y-%m-%dT%H:%M:%SZ", start_datetime: "2024-01-01T00:00:00Z", start_time_option: \(option)}
                """
        }
        #expect(lines.contains("key: .\(name)") && lines.contains("version: .updated_at"), "\(lines)")
    }

    @Test("What is added from such a member still tells records without a key apart")
    func keylessBoundInName() throws {
        let key = try importedLine("key") {
            $0.key = "[]"
            $0.transformations = "[{type: AddFields, fields: [{path: [end], value: '{{ record.valid_until }}'}]}]"
        }
        #expect(key?.contains(".end = ") == true, "\(key ?? "none")")
    }

    @Test("The path of an address that begins with a setting is one")
    func settingsAsAddresses() throws {
        let request = try importedLine("request") {
            $0.properties = "{url: {type: string}}"
            $0.requester = "{type: HttpRequester, url: \"{{ config['url'] }}/api/books\"}"
        }
        #expect(request == "request: {path: /api/books}")
    }

    @Test(
        "A setting that is left open is nothing within a text, and empty for a filter; a parameter that is empty is not sent",
        arguments: [
            ("{{ config['q'] }}", #""{{ config.q // null }}""#),
            ("in:{{ config['q'] }}", #"'in:{{ config.q // "" }}'"#),
            (
                "{{ config['labels'] | join(',') }}",
                #"'{{ ((config.labels // []) | map(tostring) | join(",")) | if . == "" then null else . end }}'"#
            ),
            (
                "{{ config['q'] | replace('a', 'b') }}",
                #"'{{ ((config.q // "") | split("a") | join("b")) | if . == "" then null else . end }}'"#
            ),
            (
                "{{ format_datetime(config['q'], '%Y-%m-%d') }}",
                #"'{{ if config.q == null then null else config.q | time("date") end }}'"#
            ),
            // What has to be given needs no default.
            ("in:{{ config['token'] }}", #""in:{{ config.token }}""#),
        ]
    )
    func openSettings(_ expression: String, _ template: String) throws {
        let lines = try importedLines {
            $0.properties = "{token: {type: string}, q: {type: string}, labels: {type: array, items: {type: string}}}"
            $0.requester = """
                {type: HttpRequester, url_base: 'https://api.example.org/v1', path: /books, request_parameters: {p: "\(expression)"}}
                """
        }
        #expect(lines.contains { $0.contains("{p: \(template)}") || $0 == "    p: \(template)" }, "\(lines)")
    }

    // MARK: - Requests

    @Test("A member of a body that may be nothing is left out then")
    func membersThatMayBeNothing() throws {
        let lines = try importedLines {
            $0.properties = "{token: {type: string}, size: {type: integer}}"
            $0.requester = """
                {type: HttpRequester, url_base: 'https://api.example.org/v1', path: /books, http_method: POST, request_body_json: {
                    a: "{{ config.token }}", b: "{{ config.size }}", c: "", d: "{{ config.size or 5 }}", e: "-{{ config.size }}", f: -1}}
                """
        }
        #expect(
            lines.filter { $0.hasPrefix("    ") } == [
                #"    a: "{{ config.token }}""#,
                #"    b: '{{ config.size | if IN(null, "") then empty else . end }}'"#,
                #"    d: '{{ (config.size | select(IN(null, false, 0, "", [], {}) | not)) // 5 }}'"#,
                #"    e: '-{{ config.size // "" }}'"#, "    f: -1",
            ]
        )
    }

    @Test("A GET request keeps its body, and one that pages go into has one")
    func getWithBody() throws {
        let requester = "type: HttpRequester, url_base: 'https://a.org', path: /b"
        let body = try importedLine("request") { $0.requester = "{\(requester), request_body_json: {a: 1}}" }
        #expect(body == "request: {method: GET, path: /b, json: {a: 1}}")
        let pages = try importedLine("request") {
            $0.requester = "{\(requester)}"
            $0.paginator = """
                {type: DefaultPaginator, page_token_option: {type: RequestOption, inject_into: body_json, field_name: p},
                        pagination_strategy: {type: PageIncrement, inject_on_first_request: true}}
                """
        }
        #expect(pages == "request: {method: GET, path: /b, json: {}}")
    }

    // MARK: - Records

    @Test("A member that a PDA has for itself gets another name")
    func identities() throws {
        let lines = try importedLines { $0.key = "_id" }
        #expect(
            lines.suffix(3) == [
                "key: ._id", "version: content", "map: 'if has(\"_id\") then .source_id = ._id | del(._id) else . end'",
            ]
        )
    }

    @Test("Records in lists of lists")
    func wildcards() throws {
        let records = try importedLine("records") {
            $0.selector = "{type: RecordSelector, extractor: {type: DpathExtractor, field_path: [days, '*', items]}}"
        }
        #expect(records == "records: '[.days[]?.items? // empty]'")
    }

    @Test("What nothing identifies is what it says")
    func keyless() throws {
        #expect(try importedLine("key") { $0.key = "[]" } == "key: '. | tojson | sha256'")
        #expect(try importedLine("version") { $0.key = "[]" } == "version: none")
    }

    @Test("Without a key, what is added tells records apart, too")
    func keylessChildren() throws {
        let change: (inout OneStream) -> Void = {
            $0.key = "[]"
            $0.router = "{type: ListPartitionRouter, cursor_field: kind, values: [a, b]}"
            $0.transformations = "[{type: AddFields, fields: [{path: [kind], value: '{{ stream_partition.kind }}'}]}]"
        }
        #expect(try importedLine("key", change) == "key: '.kind = kind | tojson | sha256'")
    }

    @Test("A key that is made of the clock is no key")
    func madeUp() throws {
        let change: (inout OneStream) -> Void = {
            $0.key = "uuid"
            $0.transformations = "[{type: AddFields, fields: [{path: [uuid], value: '{{ now_utc() }}'}]}]"
        }
        #expect(try importedLine("key", change) == "key: '. | tojson | sha256'")
        #expect(try importedLine("map", change) == nil)
    }

    @Test("The time of the reading is what a stream is read for")
    func clock() throws {
        let change: (inout OneStream) -> Void = {
            $0.transformations =
                "[{type: AddFields, fields: [{path: [at], value: \"{{ now_utc().strftime('%Y-%m-%d') }}\"}]}]"
        }
        #expect(try importedLine("for_each", change) == "for_each: {list: \"{{ [now] }}\", as: reading_time}")
        #expect(try importedLine("map", change) == "map: '.at = (reading_time | time(\"date\"))'")
    }

    @Test("Constants that read as numbers are numbers")
    func typed() throws {
        let map = try importedLine("map") {
            $0.transformations = "[{type: AddFields, fields: [{path: [a], value: '5'}, {path: [b, c], value: 'x'}]}]"
        }
        #expect(map == "map: '.a = 5 | .b.c = \"x\"'")
    }

    @Test(
        "Names of members are changed, and members flattened",
        arguments: [
            ("{type: KeysToLower}", "with_entries(.key |= ascii_downcase)"),
            (
                "{type: KeysReplace, old: ' ', new: _}",
                #"(" " as $old | "_" as $new | def renamed: with_entries((.key |= (split($old) | join($new))) "#
                    + #"| if .value | type == "object" then .value |= renamed else . end); renamed)"#
            ),
            (
                "{type: DpathFlattenFields, field_path: [data], delete_origin_value: true}",
                #"if (.data)? // null | type == "object" then . as $all | .data as $inner | if any($inner | keys[]; . as $key | $all | has($key)) "#
                    + "then . else del(.data) + $inner end else . end"
            ),
            (
                "{type: DpathFlattenFields, field_path: [data], replace_record: true}",
                #"if (.data)? // null | type == "object" then . as $all | .data as $inner | if $inner == {} then . else $inner end else . end"#
            ),
        ]
    )
    func names(_ transformation: String, _ map: String) throws {
        #expect(try importedLine("map") { $0.transformations = "[\(transformation)]" } == "map: '\(map)'")
    }

    @Test("A number in a path is a place in a list")
    func places() throws {
        let records = try importedLine("records") {
            $0.selector = "{type: RecordSelector, extractor: {type: DpathExtractor, field_path: [data, '0', items]}}"
        }
        #expect(records == #"records: '(.data | if type == "array" then .[0] else null end).items // []'"#)
    }

    // MARK: - Authorisation

    private func auth(_ authenticator: String) throws -> String? {
        var stream = OneStream()
        stream.properties = "{user: {type: string}, token: {type: string, airbyte_secret: true}}"
        stream.requester = """
            {type: HttpRequester, url_base: "https://api.example.org/v1", path: /books, authenticator: \(authenticator)}
            """
        return try imported(stream.text).manifest?.split(separator: "\n").first { $0.hasPrefix("auth:") }.map(
            String.init
        )
    }

    @Test("Tokens, passwords and keys")
    func simple() throws {
        #expect(
            try auth("{type: BearerAuthenticator, api_token: \"{{ config['token'] }}\"}")
                == "auth: {bearer: {token: \"{{ config.token }}\"}}"
        )
        #expect(
            try auth("{type: BasicHttpAuthenticator, username: \"{{ config['token'] }}\"}")
                == "auth: {basic: {username: \"{{ config.token }}\", password: \"\"}}"
        )
        // A password that nobody has to answer is an empty one.
        #expect(
            try auth(
                "{type: BasicHttpAuthenticator, username: \"{{ config['token'] }}\", password: \"{{ config['user'] }}\"}"
            )
                == "auth: {basic: {username: \"{{ config.token }}\", password: '{{ config.user // \"\" }}'}}"
        )
        #expect(
            try auth("{type: ApiKeyAuthenticator, header: X-Key, api_token: \"{{ config['token'] }}\"}")
                == "auth: {key: {in: header, name: X-Key, value: \"{{ config.token }}\"}}"
        )
        #expect(try auth("{type: NoAuth}") == "auth: none")
    }

    @Test(
        "Components that have no counterpart say so",
        arguments: [
            (
                "requester", "{type: CustomRequester, class_name: a.B}",
                "the requester 'CustomRequester' has no counterpart"
            ),
            (
                "requester",
                "{type: HttpRequester, url_base: 'https://a.org', path: /b, authenticator: {type: JwtAuthenticator}}",
                "the authenticator 'JwtAuthenticator' has no counterpart"
            ),
            (
                "selector", "{type: RecordSelector, extractor: {type: CustomRecordExtractor}}",
                "the extractor 'CustomRecordExtractor' has no counterpart"
            ),
            (
                "router", "{type: CustomPartitionRouter}",
                "the partition router 'CustomPartitionRouter' has no counterpart"
            ),
            ("cursor", "{type: IncrementingCountCursor}", "the cursor 'IncrementingCountCursor' has no counterpart"),
            (
                "transformations", "[{type: AddFields, fields: [{path: [a, '0'], value: x}]}]",
                "a number in the path of a member that is added has no counterpart"
            ),
            (
                "transformations", "[{type: RemoveFields, field_pointers: [[a, '0']]}]",
                "a number in the path of a member that is removed has no counterpart"
            ),
            (
                "transformations", "[{type: AddFields, fields: [{path: [a], value: '{{ record.n ** 2 }}'}]}]",
                "the power of a number ('**') has no counterpart"
            ),
            ("decoder", "{type: CompositeRawDecoder}", "the decoder 'CompositeRawDecoder' has no counterpart"),
        ]
    )
    func refused(_ part: String, _ component: String, _ reason: String) throws {
        var stream = OneStream()
        switch part {
        case "requester": stream.requester = component
        case "selector": stream.selector = component
        case "router": stream.router = component
        case "cursor": stream.cursor = component
        case "transformations": stream.transformations = component
        default: stream.decoder = component
        }
        #expect(try stream.reasons() == [reason])
    }
}
