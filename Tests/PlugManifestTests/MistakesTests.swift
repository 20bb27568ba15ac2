import PlugCore
import TestKit
import Testing

@testable import PlugManifest

/// Mistakes as authors make them: every one is told, once, where it is, and with what to do.
struct MistakesTests {
    @Test func oneMistakeInAStreamHidesNoOther() {
        let result = Sample.withStream(
            """
            records: .items[
            map: '{id: .id'
            fields: {at: tme, count: int}
            tests: [{inn: 1, out: 2}]
            every: 15
            """
        )
        #expect(
            Sample.places(result) == [
                "14:21 jq-syntax", "15:19 jq-syntax", "16:18 wrong-value", "16:30 wrong-value", "17:14 unknown-key",
                "18:12 bad-duration",
            ]
        )
        #expect(result.diagnostics[2].help == "did you mean 'time'?")
        #expect(result.diagnostics[4].help == "did you mean 'in'?")
    }

    @Test func aMisspeltKeyHidesNothingBelowIt() {
        let result = Sample.read(
            Sample.header + Sample.http + """
                strems:
                  a: {endpoint: a, reqest: {pth: /a}, key: [.id], version: none, recrds: '.items['}

                """
        )
        #expect(
            result.diagnostics.map { "\($0.code.text) \($0.help ?? "")" } == [
                "unknown-key did you mean 'streams'?", "unknown-key did you mean 'request'?",
                "unknown-key did you mean 'path'?", "unknown-key did you mean 'records'?",
            ]
        )
    }

    @Test(
        "what would be sent otherwise than it is written is refused",
        arguments: [
            ("request: {path: \"/a#b\"}", "bad-path", "write it as %23, or remove what follows it"),
            (
                "request: {path: /a, method: POST, json: {zip: 01234}}", "wrong-type",
                "write \"01234\" for the text, or 1234 for the number"
            ),
            (
                "request: {path: /a, method: POST, json: {tel: [+49]}}", "wrong-type",
                "write \"+49\" for the text, or 49 for the number"
            ),
            ("request: {path: /a, headers: {X-A: 'Token {{ now }} '}}", "header-control", "remove them"),
        ]
    )
    func whatWouldBeCut(keys: String, code: String, help: String) {
        let text =
            Sample.header + Sample.http + "streams:\n  a:\n    endpoint: a\n    \(keys)\n"
            + "    records: .items\n    key: [.id]\n    version: none\n"
        #expect(Sample.read(text).diagnostics.map { "\($0.code.text): \($0.help ?? "")" } == ["\(code): \(help)"])
    }

    @Test(
        arguments: [
            ("page: {cursor: .next}", "wrong-type", "write {from: .next}"),
            ("decode: cvs", "wrong-type", "did you mean 'csv'?"),
            ("for_each: boards", "wrong-type", "write {in: boards}"),
            ("deletes: '.status == \"a, b\"'", "wrong-type", "write {field: '.status == \"a, b\"'}"),
            ("page: {next: .n, max_pages: 5}", "unknown-key", "did you mean 'pages' or 'max'?"),
            (
                "decode: csv\npage: {cursor: {from: .meta.next, param: after}}", "page-decoded",
                "with 'decode', programs of 'page' see {records: N, last: {…}} and headers: write '.last.meta' for the last "
                    + "record's, or headers[\"…\"]"
            ),
        ]
    )
    func whatWasMeantIsSaid(keys: String, code: String, help: String) {
        let result = Sample.withStream(keys)
        #expect(result.diagnostics.map(\.code.text).contains(code))
        #expect(result.diagnostics.compactMap(\.help).contains(help))
    }

    @Test func theMembersOfAPageAreKnown() {
        let result = Sample.read(
            Sample.header + Sample.http
                + "streams:\n  a: {endpoint: a, key: .id, version: none, page: {cursor: {from: .next}}, "
                + "request: {path: /a, query: {after: '{{ page.cursr // null }}'}}}\n"
        )
        let told = result.diagnostics.map { "\($0.message): \($0.help ?? "")" }
        #expect(told.contains("there is no 'page.cursr': did you mean 'cursor'?"))
    }

    @Test func whatTheProgramsOfPagesSeeOfADecodedAnswerIsFine() {
        let page =
            "page: {cursor: {from: '.meta.next // .last.id', param: after}, more: '.records == 100', total: 'headers[\"x-n\"] | tonumber'}"
        #expect(Sample.print(Sample.withStream("decode: csv\n\(page)")) == "")
    }

    @Test func aWordThatHoldsTheRightOneLeadsToIt() {
        #expect(
            MessageText.help(for: "authorization_code", in: ["code", "device_code"], called: "grants")
                == "did you mean 'code'?"
        )
    }

    @Test func anUnquotedTemplateIsOneMistakeWithItsOwnText() {
        let result = Sample.with(
            """
            config: {u: {type: string}}
            vars: {a: {{ config.u }}}
            auth: {basic: {username: {{ config.u }}, password: {{ config.u | ltrimstr('x') }}}}
            """
        )
        #expect(
            Sample.places(result) == [
                "9:11 unquoted-template", "10:26 unquoted-template", "10:52 unquoted-template",
            ]
        )
        #expect(
            result.diagnostics.map(\.help) == [
                "put quotes around it: '{{ config.u }}'", "put quotes around it: '{{ config.u }}'",
                "put quotes around it: '{{ config.u | ltrimstr(''x'') }}'",
            ]
        )
        #expect(result.diagnostics.map { $0.location?.length } == [14, 14, 30])
    }

    @Test func aStreamThatWaitsForItselfIsToldSo() {
        let result = Sample.withStream("for_each: {in: things}")
        #expect(result.diagnostics.map(\.message) == ["the stream depends on itself"])
        #expect(result.diagnostics.map(\.help) == ["name the stream whose records are the parents"])
    }

    @Test func aKeyWithNothingBelowItSaysWhereItsKeysBelong() {
        let result = Sample.read(Sample.header + Sample.http + "streams:\n  a:\n    request:\n")
        #expect(Sample.places(result) == ["10:13 wrong-type"])
        #expect(result.diagnostics.map(\.help) == ["indent its keys beneath it"])
    }

    @Test func anUnknownNameInATemplateNamesWhatThereIs() {
        let result = Sample.with("vars: {a: '{{ record.id }}'}")
        #expect(result.diagnostics.map(\.message) == ["record/0 is not defined"])
        #expect(result.diagnostics.map(\.help) == ["what can be used here: config, vars and now"])
    }

    @Test func aBackslashThatYAMLTookIsToldOf() {
        let result = Sample.with(#"vars: {a: "{{ config.u | test(\"\\d\") }}"}"#)
        #expect(result.diagnostics.map(\.message) == [#"unknown escape '\d'"#])
        #expect(
            result.diagnostics.map(\.help) == [
                #"a jq string has \\ for a backslash; write the program in '…', because YAML's "…" removes one of them"#
            ]
        )
    }

    @Test func anUnquotedTemplateThatGoesOnIsQuotedWhole() {
        let result = Sample.with("vars: {b: 1}\nx: {{ vars.b }}/c")
        #expect(result.diagnostics.map(\.help) == ["put quotes around it: '{{ vars.b }}/c'"])
    }

    @Test func aMisspeltKeyIsNotMissingAsWell() {
        let result = Sample.read(
            Sample.header.replacing("plug:", with: "plgu:")
                + "http: {base: https://api.example.org, on: [{status: 404, doo: skip}]}\n"
                + Sample.stream.replacing("request:", with: "requets:")
        )
        #expect(Sample.places(result) == ["1:1 unknown-key", "7:58 unknown-key", "11:5 unknown-key"])
        #expect(
            result.diagnostics.map(\.help) == [
                "did you mean 'plug'?", "did you mean 'do'?", "did you mean 'request'?",
            ]
        )
    }

    @Test func whatIsMissingIsToldInOneSentence() {
        let result = Sample.read("api: 1\n" + Sample.http + Sample.stream)
        let missing = result.diagnostics.filter { $0.code == "missing-key" }
        #expect(
            missing.map(\.message) == [
                "'plug' is missing in a manifest", "'version' is missing in a manifest",
                "'hosts' is missing in a manifest",
            ]
        )
        #expect(missing.allSatisfy { $0.help?.hasSuffix(".") == false })
    }

    @Test func aMethodThatIsWrongIsNotAGetAsWell() {
        let result = Sample.read(
            Sample.header + Sample.http
                + Sample.stream.replacing("path: /things", with: "method: MOVE, path: /things, json: {}")
        )
        #expect(Sample.places(result) == ["11:23 wrong-value"])
    }

    @Test func aNameThatIsWrongHidesNothingBelowIt() {
        let result = Sample.with("config: {api-key: {type: string, secret: true, default: abc}}")
        #expect(Sample.places(result) == ["8:10 bad-name", "8:48 secret-default"])
    }

    @Test func aWordOfOtherLettersIsNotSuggested() {
        let result = Sample.with("config: {c: {type: string}}\nvars: {a: '{{ config.x }}'}")
        #expect(result.diagnostics.map(\.help) == ["the config keys are c"])
    }

    @Test func aValueOfAnotherTypeSaysWhatWasMeant() {
        let result = Sample.withStream("map: {id: .id}\nrecords: [.a]\nevery: 0s")
        #expect(Sample.places(result) == ["14:10 wrong-type", "15:14 wrong-type", "16:12 bad-duration"])
        let help = "YAML reads the brackets as a collection: put quotes around the program, or write it below '|'"
        #expect(result.diagnostics.map(\.help).prefix(2) == [help, help])
        #expect(result.diagnostics[2].message == "'0s' is too short: 'every' must be longer than zero")
        let hosts = Sample.read(
            (Sample.header + Sample.http + Sample.stream).replacing("[api.example.org]", with: "api.example.org")
                .replacing("api: 1", with: "api: \"1\"")
        )
        #expect(
            hosts.diagnostics.map(\.help) == ["write it without quotes", "write it in brackets: [api.example.org]"]
        )
    }

    @Test(arguments: [
        ("a:\n\tb: 1", "2:1", "a tab cannot indent a line", "YAML is indented with spaces, not tabs"),
        ("a: 1\nb: \"x\nc: 2\n", "2:4", "this quote is not closed", "close it with \""),
        ("a: 1\nb: 'x\nc: 2\n", "2:4", "this quote is not closed", "inside '…' write '' for a '"),
        ("a: 1\nb: [x, y\nc: 2\n", "2:4", "this '[' is not closed", "close it with ']'"),
        ("a: {b: 1\nc: 2\n", "1:4", "this '{' is not closed", "close it with '}'"),
        (
            "a:\n b: 1\n  c: 2\n", "3:4", "a ':' is not allowed here",
            "is the line indented too far, or does a text with ': ' need quotes?"
        ),
        (
            "s:\n  a:\n    b: 1\n   c: 2\n", "4:4", "no line above has this indentation",
            "the keys of a mapping begin in the same column"
        ),
        ("a: 'x 'it''s' y'\n", "1:8", "text follows a closing quote", "inside '…' write '' for a '"),
        ("a: @me\n", "1:4", "a value cannot begin with '@'", "put quotes around the value"),
        (
            "a: \"x\\d\"\n", "1:6", "this is not a known escape",
            "in \"…\" write \\\\ for a backslash; in '…' write it as it is"
        ),
        ("a: - b\n", "1:4", "a '-' is not allowed here", "begin the list on a new line below its key"),
        (
            "a: 1\nfoo\nb: 2\n", "2:1", "a key without ':'",
            "write 'key: value'; a text of several lines needs '|' or quotes"
        ),
    ])
    func whatIsNotYAMLIsToldWhereItIsToBeMended(text: String, place: String, message: String, help: String) {
        let result = Sample.read(text)
        #expect(Sample.places(result) == ["\(place) yaml-syntax"])
        #expect(result.diagnostics.map(\.message) == ["this is not YAML: \(message)"])
        #expect(result.diagnostics.map(\.help) == [help])
    }

    @Test(arguments: [
        (
            "DELETE",
            "plughost reads from a service and changes nothing there: it does not send this method"
        ),
        ("delete", "plughost reads from a service and changes nothing there: it does not send this method"),
        ("MOVE", "plughost reads from a service and changes nothing there: it does not send this method"),
        ("HEAD", "the answers to this method hold no records: write GET"), ("post", "did you mean 'POST'?"),
        ("PROPFIN", "did you mean 'PROPFIND'?"),
    ])
    func aMethodThatReadsNothingIsRefused(method: String, help: String) {
        let result = Sample.read(
            Sample.header + Sample.http
                + Sample.stream.replacing("{path: /things}", with: "{path: /things, method: \(method)}")
        )
        #expect(Sample.codes(result) == ["wrong-value"])
        #expect(result.diagnostics.map(\.help) == [help])
    }

    @Test(
        "a base that is missing, wrong or misspelt is one mistake",
        arguments: [
            ("", "base-missing"), ("http: {timeout: 5s}\n", "base-missing"),
            ("http: {base_url: https://api.example.org}\n", "unknown-key"),
            ("http: {bse: https://api.example.org}\n", "unknown-key"),
            ("htp: {base: https://api.example.org}\n", "unknown-key"), ("http: {base: [1]}\n", "wrong-type"),
            ("http: {base: '{{ config.x }}'}\n", "unknown-config"), ("http: https://api.example.org\n", "wrong-type"),
        ]
    )
    func aMissingBaseIsOneMistake(http: String, code: String) {
        let second = "  others: {endpoint: o, request: {path: /o}, key: .id, version: none}\n"
        let check = "check: {request: {path: /me}}\n"
        #expect(Sample.codes(Sample.read(Sample.header + http + check + Sample.stream + second)) == [code])
    }

    @Test(arguments: [
        ("[1]", "after", "the JSON body is a list, not a mapping: nothing can be put at 'after'"),
        ("{f: x}", "f.after", "'f' in the body is a text, not a mapping: nothing can be put at 'f.after'"),
        ("{f: {g: [1]}}", "f.g.after", "'f.g' in the body is a list, not a mapping: nothing can be put at 'f.g.after'"),
        ("{f: ['{{ now }}']}", "f.after", "'f' in the body is a list, not a mapping: nothing can be put at 'f.after'"),
        ("{f: {}}", "f.g.after", ""), ("{f: '{{ config.x // null }}'}", "f.after", ""),
    ])
    func aParameterNeedsAMappingInTheBody(json: String, name: String, message: String) {
        for keys in [
            "page: {cursor: {from: .next, param: \(name)}, in: json}",
            "since: {field: .at, type: time, send: {json: {\(name): epoch}}}",
        ] {
            let result = Sample.read(
                Sample.header + "config: {x: {type: string}}\n" + Sample.http
                    + Sample.stream.replacing("{path: /things}", with: "{path: /things, method: POST, json: \(json)}")
                    + "    \(keys)\n"
            )
            #expect(result.diagnostics.map(\.message) == (message.isEmpty ? [] : [message]))
            #expect(Set(Sample.codes(result)) == (message.isEmpty ? [] : ["body-missing"]))
        }
    }

    @Test func contentsAreComparedWithoutAWarningWhereTheManifestSaysSo() throws {
        let bare = Sample.stream.replacing("    version: none\n", with: "")
        #expect(Sample.codes(Sample.read(Sample.header + Sample.http + bare)) == ["version-missing"])
        let result = Sample.read(Sample.header + Sample.http + bare + "    version: content\n")
        #expect(Sample.print(result) == "")
        let stream = try #require(Sample.manifest(result).streams.first)
        #expect(!stream.declaresVersion && stream.version == nil && stream.identityMarks == .none)
    }

    @Test(arguments: [
        ("identity: off", "leave 'identity' on"),
        ("deletes: {field: .gone}", "remove 'deletes.field', or write 'equal: one'"),
    ])
    func whatCountsEqualRecordsNamesNothingElse(line: String, help: String) {
        let result = Sample.read(
            Sample.header + Sample.http + Sample.stream.replacing("version: none", with: "version: .v")
                + "    equal: count\n    \(line)\n"
        )
        let error = result.diagnostics.first { $0.code == "equal-excludes" }
        #expect(error?.location?.line == 14 && error?.help == help)
    }

    @Test(arguments: [
        ("{remaining: X-Left}", ""), ("{used: X-Calls}", ""),
        ("{used: X-Calls, limit: X-Most, periods: [15m, 1d]}", ""),
        ("{reset: X-Next}", "quota_headers does not say which kind it is"),
        ("{remaining: X-Left, used: X-Calls}", "'used' and 'remaining' cannot be used together in quota_headers"),
        ("{remaining: X-Left, limit: X-Most}", "'limit' and 'remaining' cannot be used together in quota_headers"),
        ("{used: X-Calls, wait: 2d}", "a wait for a quota is at most a day"),
        ("{used: X-Calls, periods: [1d, 2d]}", "a wait for a quota is at most a day"),
        ("{used: X-Calls, periods: []}", "'periods' is empty"),
        ("{used: 'X Calls'}", "'X Calls' is not a header's name"),
        ("{used: X-Calls, wait: 1s, periods: [1d]}", "'periods' and 'wait' cannot be used together in quota_headers"),
    ])
    func quotaHeadersAreChecked(headers: String, message: String) {
        let http = Sample.http.replacing("}", with: ", quota_headers: \(headers)}")
        let result = Sample.read(Sample.header + http + Sample.stream)
        #expect(result.diagnostics.map(\.message) == (message.isEmpty ? [] : [message]))
    }

    @Test(arguments: [
        (".a || .b", 11, "unexpected '|'", "jq says 'or'; a default is written '//'"),
        (".a && .b", 10, "unexpected character '&'", "jq says 'and'"),
        ("!.a", 7, "unexpected character '!'", "jq says '. | not'"),
        (".a | selct(.b)", 12, "selct/1 is not defined", "did you mean 'select'?"),
        (".items[", 14, "the program ends too early", nil),
        ("{id: .id", 15, "expected '}' to close '{', found the end of the program", nil),
    ])
    func whatIsNotJQIsToldWhereItIs(program: String, column: Int, message: String, help: String?) {
        let result = Sample.withStream("map: |-\n  \(program)")
        #expect(Sample.places(result) == ["15:\(column) jq-syntax"])
        #expect(result.diagnostics.map(\.message) == [message])
        #expect(result.diagnostics.map(\.help) == [help])
    }
}
