import PlugCore
import Testing

@testable import PlugManifest

struct DiagnosticTests {
    @Test func tenMistakesGetTenPositionedFindings() {
        let text = """
            plug: My_Plug
            api: 2
            version: 1.0
            hosts: [https://api.example.org]
            application:
              info: {name: S, headline: S, description: {text: S}, termsUrl: "https://u.example", dataUsePurpose: p, supportContact: s}
            http: {base: https://api.example.org, timeout: 30}
            streams:
              things:
                endpoint: Things
                reqest: {path: /things}
                request: {path: "/things/{{ confg.user }}"}
                records: .items[
                page: {next: .next, link: next}
                for_each: {in: thngs}
                key: [.id]
                version: none
            """
        let result = Sample.read(text)
        #expect(result.manifest == nil)
        #expect(
            Sample.places(result) == [
                "1:7 bad-id", "2:6 out-of-range", "3:10 bad-version", "4:9 bad-host", "7:48 bad-duration",
                "10:15 bad-endpoint",
                "11:5 unknown-key", "12:33 unknown-root", "13:21 jq-syntax", "14:25 two-kinds", "15:20 unknown-stream",
            ]
        )
        let printed = Sample.print(result)
        #expect(printed.contains("plug.yaml:11:5: error: [unknown-key] 'reqest' is not a key of a stream\n"))
        #expect(printed.contains("        reqest: {path: /things}\n        ^~~~~~\n  help: did you mean 'request'?\n"))
        #expect(printed.contains("help: did you mean 'config'?"))
        #expect(printed.contains("help: did you mean 'things'?"))
    }

    @Test(arguments: [
        ("map: '{a: .b'", "14:17"), ("map: \"{a: .b)\"", "14:17"), ("map: |\n  {\n    a: .b,\n    c: )\n  }", "17:12"),
        ("map: >-\n  {a: .b,\n  c: )}", "16:10"), ("map: .a | ) | .b", "14:15"),
    ])
    func jqErrorsPointIntoTheManifest(lines: String, place: String) {
        let result = Sample.withStream(lines)
        #expect(Sample.places(result) == ["\(place) jq-syntax"], "\(Sample.print(result))")
    }

    @Test(
        arguments: [
            ("records: '[.[] | select(.a == page.x)]'", "root-unavailable"), ("map: '{a: now}'", "root-unavailable"),
            ("map: '{a: $since}'", "root-unavailable"), ("drop_if: parent.a", "root-unavailable"),
            ("page: {next: '.next + vars.x'}", "root-unavailable"), ("map: config.absent", "unknown-config"),
            ("map: '. as $page | $page.a'", nil), ("map: '{page: .page, now: .now, config}'", nil),
            ("map: 'def now: 1; now'", nil), ("fields: {a: time}", nil),
            ("map: '.a | time(\"date\") | minus(\"7d\") | sha256'", nil),
            ("map: '.page | base64 | base64d | plus(\"1h\")'", nil),
        ] as [(String, String?)]
    )
    func programsOverRecordsKnowTheirNames(line: String, code: String?) {
        #expect(Sample.codes(Sample.withStream(line)) == [code].compactMap(\.self))
    }

    @Test(arguments: [
        ("auth: {oauth1: {}}", ["missing-key", "sign-needs"]), ("auth: {oauth2: {}}", ["grant-needs", "missing-key"]),
        ("auth: {bearer: {token: a}, basic: {username: a, password: b}}", ["two-kinds"]),
        ("auth: nothing", ["wrong-type"]), ("auth: {}", ["missing-kind"]),
        ("auth: {bearer: {tokn: a}}", ["unknown-key"]),
        ("auth: {key: {in: body, name: a, value: b}}", ["body-missing"]),
        ("vars: {a: '{{ page.x }}'}", ["root-unavailable"]),
        ("vars: {a: '{{ vars.b }}', b: x}", ["unknown-var"]), ("config: {a: {type: text}}", ["wrong-value"]),
        ("config: {a: {type: boolean, default: yes}}", ["default-type"]),
        ("config: {a: {type: host, default: http://x}}", ["default-type"]),
        ("title: x", ["unknown-key"]), ("check: {}", ["missing-kind"]),
    ])
    func theTopLevelIsChecked(lines: String, codes: [String]) {
        #expect(Sample.codes(Sample.with(lines)).sorted() == codes)
    }

    @Test func aSecretStaysAwayFromRecords() {
        for line in [
            "map: '{k: config.k}'", "records: '.[config[\"k\"]]'", "drop_if: .a == $config.k", "key: [.id, config.k]",
        ] {
            let body = Sample.stream.replacing(
                "    key: [.id]\n",
                with: line.hasPrefix("key") ? "" : "    key: [.id]\n"
            )
            let text =
                Sample.header + Sample.http + "config: {k: {type: string, secret: true}}\n" + body + "    \(line)\n"
            #expect(Sample.codes(Sample.read(text)) == ["secret-in-program"], "\(line)")
        }
        let fine =
            Sample.header + Sample.http
            + "config: {k: {type: string, secret: true}}\nauth: {bearer: {token: '{{ config.k }}'}}\n"
        #expect(Sample.codes(Sample.read(fine + Sample.stream)) == [])
    }

    @Test func circlesOfStreamsAreNamed() {
        let text =
            Sample.header + Sample.http + """
                streams:
                  a: {request: {path: /a}, for_each: {in: b}}
                  b: {request: {path: /b}, for_each: {in: c}}
                  c: {request: {path: /c}, for_each: {in: a}}
                  d: {request: {path: /d}, for_each: {in: a}}
                """
        let result = Sample.read(text)
        #expect(Sample.codes(result) == ["stream-cycle"])
        #expect(result.diagnostics[0].message == "the streams depend on each other: a → b → c → a")
    }

    @Test func warningsDoNotStopAManifest() {
        let result = Sample.read(
            "plug: a\napi: 1\nversion: 1.0.0\nhosts: [x.org]\n"
                + "streams: {s: {endpoint: s, key: .id, request: {path: 'https://x.org/'}}}"
        )
        #expect(Sample.codes(result) == ["application-missing", "version-missing"])
        #expect(result.manifest != nil && !result.hasErrors)
        #expect(result.diagnostics.allSatisfy { $0.severity == .warning && $0.location != nil })
    }

    @Test func whatIsNoMappingIsSaid() {
        for text in ["[a]", "just text", "42"] { #expect(Sample.codes(Sample.read(text)) == ["wrong-type"], "\(text)") }
    }
}

/// Programs over answers see headers by their names in lower case.
struct HeaderNameTests {
    @Test func aNameWithCapitalsIsAnError() {
        let line = #"page: {number: {param: p}, more: 'headers["X-More"] == "true"'}"#
        let error = Sample.withStream(line).diagnostics.first { $0.severity == .error }
        #expect(error?.message == "'headers' has no 'X-More': names of headers are in lower case here")
        #expect(error?.help == #"write headers["x-more"]"#)
    }
}

/// What is said of bare names in programs over records.
struct BareNameTests {
    @Test(arguments: [
        ("drop_if: id", "write '.id' for a member"), ("map: '{a: (.b | uppercase)}'", "jq says 'ascii_upcase'"),
        ("map: '.b | len'", "jq says 'length'"), ("map: '.b | lenght'", "did you mean 'length'?"),
        ("map: '{a: title}'", "write '.title' for a member"),
    ])
    func theMemberOrTheFunctionIsNamed(line: String, help: String) {
        let error = Sample.withStream(line).diagnostics.first { $0.severity == .error }
        #expect(error?.code.text == "jq-syntax" && error?.help == help)
    }
}
