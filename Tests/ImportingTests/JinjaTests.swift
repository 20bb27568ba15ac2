import Testing

@testable import Importing

@Suite("Expressions of Jinja as jq")
struct JinjaTests {
    @Test("Settings, also nested ones, are keys of config")
    func settings() throws {
        #expect(try template("{{ config['user'] }}") == "{{ config.user }}")
        #expect(try template("{{ config.deep.one }}") == "{{ config.deep_one }}")
        #expect(try template("{{config[\"deep\"]['one']}}") == "{{ config.deep_one }}")
        #expect(try template("Token {{ config.token }}") == "Token {{ config.token }}")
    }

    @Test("A default counts where nothing is configured")
    func defaults() throws {
        #expect(try template("{{ config.get('size', 50) }}") == "{{ config.size // 50 }}")
        #expect(try template("{{ config['user'] | default('me') }}") == "{{ config.user // \"me\" }}")
    }

    @Test("'or' passes over what is empty, which jq's // does not")
    func either() throws {
        #expect(
            try template("{{ config.user or 'me' }}")
                == "{{ (config.user | select(IN(null, false, 0, \"\", [], {}) | not)) // \"me\" }}"
        )
    }

    @Test("Constants are parts of the text")
    func constants() throws {
        #expect(try template("/{{ 'books' }}/{{ config.user }}") == "/books/{{ config.user }}")
    }

    @Test("Values of a request are written as the other system's client writes them")
    func wire() throws {
        #expect(try template("{{ config.all }}") == "{{ if config.all then \"True\" else \"False\" end }}")
    }

    @Test("What a stream is read for, and the bounds of a request")
    func slices() throws {
        #expect(try template("{{ stream_partition.board }}") == "{{ board.id }}")
        #expect(try template("{{ stream_slice['board'] }}") == "{{ board.id }}")
        #expect(try template("{{ stream_interval.start_time }}") == "{{ since | time(\"date\") }}")
        #expect(try template("{{ stream_slice['end_time'] }}") == "{{ until | time(\"date\") }}")
        #expect(try template("{{ next_page_token['next_page_token'] }}") == "{{ page.cursor }}")
    }

    @Test("Times, and what is taken off them")
    func times() throws {
        #expect(try template("{{ now_utc().strftime('%s') }}") == "{{ now | time(\"epoch\") }}")
        #expect(
            try template("{{ day_delta(-7, format='%Y-%m-%d') }}") == "{{ (now | minus(\"7d\")) | time(\"date\") }}"
        )
        #expect(
            try template("{{ (now_utc() - duration('P30D')).strftime('%Y-%m-%dT%H:%M:%SZ') }}")
                == "{{ (now | minus(\"30d\")) | time(\"%Y-%m-%dT%H:%M:%SZ\") }}"
        )
        #expect(
            try template("{{ format_datetime(config.user, '%ms') }}")
                == "{{ if config.user == null then null else config.user | time(\"epoch_ms\") end }}"
        )
        #expect(
            try overRecord("format_datetime(record.d, '%Y-%m-%d', '%d/%m/%Y')")
                == #"(.d | tostring | strptime("%d/%m/%Y") | mktime) | time("date")"#
        )
        #expect(
            try overRecord("format_datetime(record.d, '%s', input_format='%Y-%m-%dT%H:%M:%S')")
                == #".d | time("epoch")"#
        )
        #expect(throws: Unsayable.self) { try overRecord("format_datetime(record.d, '%s', '%d.%m.%Y %H:%M:%S.%f')") }
    }

    @Test("Members of records and answers, also with odd names")
    func members() throws {
        #expect(try overRecord("record['id']") == ".id")
        #expect(try overRecord("record.a['b-c']") == ".a[\"b-c\"]")
        #expect(try overRecord("record['@id']") == ".[\"@id\"]")
        #expect(try overPage("response.get('meta', {}).get('next')") == ".meta.next")
        #expect(try overPage("last_record['id']") == "((.items) | last | .id)")
        #expect(try overPage("last_page_size") == "((.items) | length)")
        #expect(try overPage("headers['X-Next']") == "headers[\"x-next\"]")
    }

    @Test("What is missing is not encoded for an address")
    func encoding() throws {
        #expect(try overRecord("record.a | urlencode") == "(.a | values | @uri | gsub(\"%2F\"; \"/\")) // null")
    }

    @Test("A default of a member counts where it is missing, and not where it is null")
    func missing() throws {
        #expect(
            try overRecord("record.get('a', 'x')")
                == "\"x\" as $d | . | if type == \"object\" and has(\"a\") then .a else $d end"
        )
    }

    @Test("What counts as false in Jinja counts as false here")
    func truth() throws {
        #expect(
            try condition("record.name")
                == "(.name | IN(null, false, 0, \"\", [], {}, \"False\", \"false\", \"0\", \"None\") | not)"
        )
        #expect(try condition("not record.closed") == "((.closed | IN(null, false, 0, \"\", [], {}) | not) | not)")
        #expect(try condition("config.all") == "(config.all // false)")
    }

    @Test("Missing is undefined, and not none; what .get() does not find is none")
    func nothing() throws {
        #expect(try condition("record.a is defined") == "(. | type == \"object\" and has(\"a\"))")
        #expect(try condition("record.a is none") == "((. | type == \"object\" and has(\"a\")) and .a == null)")
        #expect(try condition("record.get('a') is none") == "(.a == null)")
    }

    @Test("Comparisons, 'in', 'and', and conditions")
    func conditions() throws {
        #expect(
            try condition("record.type == 'a' and record.n > 3")
                == "(try ((.type == \"a\") and (if (. | type == \"object\" and has(\"n\")) then "
                + "(.n | if type == \"number\" then . > 3 else error(true) end) else error(false) end)) catch (. == true))"
        )
        #expect(try condition("record.type in ['a', 'b']") == "(.type | IN(\"a\", \"b\"))")
        #expect(try condition("'a' in 'abc'") == "(\"a\" as $n | \"abc\" | contains($n))")
        #expect(try overRecord("record.a if record.b == 1 else none") == "if (.b | IN(true, 1)) then .a else null end")
    }

    @Test("Filters and methods")
    func functions() throws {
        #expect(try overRecord("record.url.split('/')[-1]") == "(.url | split(\"/\"))[-1]")
        #expect(try overRecord("record.id | string") == ".id | if type == \"string\" then . else tojson end")
        #expect(try overRecord("record.name | lower") == "\(text("name")) | ascii_downcase")
        #expect(
            try overRecord("record.tags | map(attribute='id') | join(',')")
                == "((.tags // []) | map(.id)) | map(tostring) | join(\",\")"
        )
        #expect(try overRecord("record.id | hash('sha256')") == "\(text("id")) | sha256")
        #expect(
            try overRecord("record.rows | selectattr('kind', 'equalto', 'a') | list")
                == "\"a\" as $o | (.rows // []) | map(select(.kind == $o))"
        )
    }

    @Test("Texts are joined, also where a part is no text")
    func joined() throws {
        #expect(
            try overRecord("record.a ~ '-' ~ record.b") == "(\(text("a")) + \"-\") + \(text("b"))"
        )
        #expect(try overRecord("'x' + config.user") == "\"x\" + config.user")
    }

    @Test("Operators bind as in Jinja: a filter before a comparison, 'not' before 'and'")
    func precedence() throws {
        #expect(try condition("record.get('a') | length == 0") == "((.a | length) == 0)")
        #expect(try condition("not record.a == 1 and record.b == 2") == "(((.a | IN(true, 1)) | not) and (.b == 2))")
    }

    @Test("{% if %} and {% set %} are values")
    func statements() throws {
        #expect(
            try template("https://{% if config.all %}a{% else %}b{% endif %}.example.org")
                == "https://{{ (if (config.all // false) then \"a\" else \"b\" end) }}.example.org"
        )
        #expect(try template("{% set x = config.user %}{{ x }}") == "{{ config.user }}")
    }

    @Test(
        "What has no counterpart is an error that says so",
        arguments: [
            ("{% for x in y %}{% endfor %}", "'{% for %}' has no counterpart"),
            ("{{ generate_uuid() }}", "the function 'generate_uuid' has no counterpart"),
            ("{{ record.x }}", "'record.x' has no counterpart here"),
            ("{{ config.user | wordcount }}", "the filter 'wordcount' has no counterpart"),
            ("{{ config.user | int(5) }}", "the filter 'int' with an argument has no counterpart"),
            (
                "{{ config.user | replace('a', 'b', 1) }}",
                "the filter 'replace' with such arguments has no counterpart"
            ),
            ("{{ config.user | sort(reverse=true) }}", "the argument 'reverse' of a filter has no counterpart"),
            ("{{ config.user | join(',', attribute='k') }}", "the argument 'attribute' of a filter has no counterpart"),
            (
                "{{ config.user | map(attribute='k', default=1) }}",
                "the argument 'default' of a filter has no counterpart"
            ),
            ("{{ config.user.title() }}", "the method 'title' has no counterpart"),
            ("{{ config.user", "'{{' is not closed"),
            ("{{ config.user ) }}", "the expression has ')' where nothing in Jinja fits"),
        ]
    )
    func unsayable(_ text: String, _ reason: String) throws {
        let error = #expect(throws: Unsayable.self) { try template(text) }
        #expect(error?.reason == reason)
    }

    @Test("An expression that is nested without end is refused")
    func nesting() throws {
        let text = "{{ \(String(repeating: "(", count: 100))1\(String(repeating: ")", count: 100)) }}"
        #expect(throws: Unsayable.self) { try template(text) }
    }

    @Test("Programs over records see no secret")
    func secrets() throws {
        let error = #expect(throws: Unsayable.self) { try overRecord("config.token") }
        #expect(error?.reason == "programs over records and answers cannot see the secret 'token'")
    }

    /// A member of a record as a text.
    private func text(_ name: String) -> String {
        "(.\(name) | if type == \"boolean\" then (if . then \"True\" else \"False\" end) elif . == null then \"\" else tostring end)"
    }
}
