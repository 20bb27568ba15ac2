import JQ
import LosslessJSON
import Testing

/// What the manual of 1.8 says, and what is this engine's own.
struct ManualTests {
    @Test(arguments: [
        ("[1,2,3,4,5] | (.[] | select(. > 2)) |= empty", "[1,2]"), ("[1,[2,3]] | .[1][0] |= empty", "[1,[3]]"),
        ("{\"a\":1} | map_values(empty)", "{}"), ("\"abc\" | reverse", "\"cba\""),
        ("[5] | to_entries | from_entries", "{\"0\":5}"), ("try error(null) catch .", "null"),
        ("1 | [limit(3; repeat(. * 2))]", "[2,2,2]"), ("1 | [repeat(. * 2, error)?]", "[2]"),
        ("\"a\" | @base32, (@base32 | @base32d)", "\"ME======\" \"a\""),
        ("[1,2] | .[1.7]", "2"), ("\"aa\" | [match(\"\"; \"g\").offset]", "[0,1,2]"),
        ("try path(tostring) catch 1", "1"),
        ("\"ab\" | gsub(\"\"; \"-\")", "\"-a-b-\""), ("\"aXb\" | gsub(\"(?<l>[a-z])\"; \"<\\(.l)>\")", "\"<a>X<b>\""),
        ("{\"a\":[1,2]} | pick(.a[1])", "{\"a\":[null,2]}"), ("-1.10 | abs", "1.10"), ("1 | toarray", "[1]"),
        ("\" a \" | trim, ltrim, rtrim", "\"a\" \"a \" \" a\""), ("have_literal_numbers", "true"),
        ("if false then 1 end", "null"), ("{a: 1 + 2}", "{\"a\":3}"), ("{if: 1, and: 2} | .if, .and", "1 2"),
        ("[limit(0; 1, 2)]", "[]"), ("try ((try 1) | error(\"x\")) catch .", "\"x\""),
        ("[.[]?, ((1, 2) | try error catch . + 1)]", "[2,3]"), ("(try 1 catch 2) as $x | $x", "1"),
        ("[[3]] | .[] as [$a] ?// [$b] | if $a != null then error(\"x\") else {$a, $b} end", "{\"a\":null,\"b\":3}"),
        ("[nan] | tojson, (.[0] | isnan), sort", "\"[null]\" true [null]"), ("[1, nan] | sort", "[null,1]"),
        (
            "9007199254740993, 12345678901234567890.123, 1.10, 1e1000, -0",
            "9007199254740993 12345678901234567890.123 1.10 1e1000 -0"
        ),
        ("9007199254740993 + 1", "9007199254740994"), ("9223372036854775807 + 0", "9223372036854775807"),
        ("9007199254740993 == 9007199254740992", "false"), ("[1.0, 1, 1.00] | unique", "[1.0]"),
        ("\"1.10\" | tonumber", "1.10"),
        (
            "12345678901234567890 | tojson, tostring, @csv \"\\([.])\"",
            "\"12345678901234567890\" \"12345678901234567890\" \"12345678901234567890\""
        ),
        ("1e1000 + 1", "1.7976931348623157e+308"), ("def f($a; g): $a + g + a; f(1; 2)", "4"),
        ("first(range(10; infinite))", "10"), ("[label $a | label $b | 1, break $a, 2]", "[1]"),
        ("{} | .a += 1 | .b //= 2 | .c |= 3", "{\"a\":1,\"b\":2,\"c\":3}"), ("[1,2] | .[1:] |= map(. + 1)", "[1,3]"),
        ("\"x\" as $x | \"a\\($x)b\" | ascii_upcase", "\"AXB\""), ("[1,2,3] | .[1:][0] = 9", "[1,9,3]"),
        ("{\"a\":1} | has(\"a\", \"b\")", "true false"), ("null | not", "true"), ("\"é\" | @uri", "\"%C3%A9\""),
        ("try ([limit(nan; 1, 2)]) catch .", "\"number (null) number required\""), ("\"\" * 5", "\"\""),
        ("try (\"\" | tonumber) catch .", "\"string (\\\"\\\") cannot be parsed as a number\""),
        ("[\"+5\", \".5\", \"5.\", \"0012\", \"-007.10\", \"1.e2\"] | map(tonumber)", "[5,0.5,5,12,-7.10,1e2]"),
        (
            "[\"\", \" \", \" 1\", \"1 \", \"-\", \".\", \"1e\", \"1 2\", \"0x1\"] | map(try tonumber catch 0) | add",
            "0"
        ),
        ("\"9999-12-31T23:59:59Z\" | fromdate", "253402300799"),
        ("\"0001-01-01T00:00:00Z\" | fromdate", "-62135596800"),
        ("253402300799, 1700000000123 | todate", "\"9999-12-31T23:59:59Z\" \"55840-11-08T22:15:23Z\""),
        (
            "try (1e300, nan | todate) catch .",
            "\"error converting number of seconds since epoch to datetime\""
        ),
        ("\"b\" | capture(\"(?<a>a)|(?<b>b)\")", "{\"a\":null,\"b\":\"b\"}"),
        ("[\"12ab\" | scan(\"(\\\\d+)|([a-z]+)\")]", "[[\"12\",null],[null,\"ab\"]]"),
        ("\"b\" | match(\"(a)?(b)\").captures[0]", "{\"offset\":-1,\"string\":null,\"length\":0,\"name\":null}"),
        ("\"1a\" | gsub(\"(?<x>\\\\d)|(?<y>[a-z])\"; \"<\\(.x // .y)>\")", "\"<1><a>\""),
        ("[\"a,b;c\" | splits(\"(,)|(;)\")]", "[\"a\",\"b\",\"c\"]"),
        ("-1.5 | lgamma_r | .[1]", "1"), ("-0.5 | lgamma_r | .[1]", "-1"), ("2 | pow10", "100"),
        ("3 | gamma | . * 1e6 | round", "693147"),
        ("\"99999999999\" | strptime(\"%s\") | mktime", "99999999999"), ("[1,2] | .[1000000000000]", "null"),
        ("[1,2] | .[-1000000000000]", "null"), ("builtins | map(select(startswith(\"_\")))", "[]"),
    ])
    func theManualHolds(_ source: String, _ expected: String) throws {
        #expect(try JQProgram(source).run(.null).map(\.compactText).joined(separator: " ") == expected, "\(source)")
    }

    @Test func globalsAreFunctionsAndVariables() throws {
        let program = try JQProgram("config.user, $page, map(config.user)[0]", globals: ["config", "page", "now"])
        #expect(program.usedGlobals == ["config", "page"])
        let outputs = try program.run(
            .array([.null]),
            globals: [try JSONValue(parsing: #"{"user":"ann"}"#), .integer(2), .null]
        )
        #expect(outputs == [.text("ann"), .integer(2), .text("ann")])
    }

    @Test func functionsOfTheHostMeetEveryCombination() throws {
        let join = JQFunction("glue", arity: 2) { (input, arguments) throws(JQError) in
            .text((input.stringText ?? "") + arguments.map { $0.stringText ?? "" }.joined())
        }
        let fails = JQFunction("fails", arity: 0) { (_, _) throws(JQError) in throw JQError("no") }
        let program = try JQProgram("glue(\"a\", \"b\"; \"c\", \"d\"), (try fails catch .)", functions: [join, fails])
        #expect(try program.run(.text("-")).map(\.stringText) == ["-ac", "-bc", "-ad", "-bd", "no"])
    }

    @Test(
        arguments: [
            ("sleect(.a)", 0..<10, "sleect/1 is not defined", "did you mean 'select'?"),
            (".a | now", 5..<8, "now is not available: a program sees only its input", nil),
            ("$ENV.x", 0..<4, "$ENV is not available: a program sees only its input", nil),
            ("[1, 2", 5..<5, "expected ']' to close '[', found the end of the program", nil),
            (".a |", 4..<4, "the program ends too early", nil),
            ("1 as $x | $y", 10..<12, "$y is not defined", "did you mean '$x'?"),
            ("_indices(1)", 0..<11, "_indices/1 is not defined", "did you mean 'indices'?"),
            ("\"é\" | )", 6..<7, "unexpected ')'", nil),
            (
                ".a | .Empfänger.x", 10..<11, "unexpected character 'ä'",
                "a name with other letters than a to z needs quotes: .\"Empfänger\""
            ),
        ] as [(String, Range<Int>, String, String?)]
    )
    func syntaxErrorsSayWhere(_ source: String, _ range: Range<Int>, _ message: String, _ help: String?) {
        #expect(throws: JQSyntaxError(message, at: range, help: help)) { try JQProgram(source) }
    }

    @Test func errorsSayWhere() throws {
        let error = #expect(throws: JQError.self) {
            _ = try JQProgram(".a | .b.c").run(try JSONValue(parsing: #"{"a":{"b":5}}"#))
        }
        #expect(error?.message == "Cannot index number with string (\"c\")")
        #expect(error?.kind == .thrown(.text("Cannot index number with string (\"c\")")))
        #expect(error?.offset == 5)
    }

    @Test func outputsComeAsTheyAreProducedAndAnErrorOfTheReaderEndsTheRun() throws {
        struct Enough: Error {}
        var seen = 0
        #expect(throws: Enough.self) {
            try JQProgram("repeat(.)").forEach(.null) { _ in
                seen += 1
                if seen == 3 { throw Enough() }
            }
        }
        #expect(seen == 3)
    }

    @Test func everyFunctionOfThePreludeCompiles() throws {
        for name in try JQProgram("builtins[]").run(.null).compactMap(\.stringText) {
            let parts = name.split(separator: "/")
            let arguments = Array(repeating: ".", count: Int(parts[1]) ?? 0).joined(separator: "; ")
            _ = try JQProgram(arguments.isEmpty ? String(parts[0]) : "\(parts[0])(\(arguments))")
        }
    }

    @Test func randomProgramsEndWithoutACrash() throws {
        var random = SplitMix(state: 7)
        let words =
            OracleCases.filters + [
                "|", ",", "(", ")", "[", "]", "//", "as $x |", "|= ", "reduce .[] as $x (0;", "?", "+", "path(",
                "first(",
            ]
        let input = try JSONValue(parsing: OracleCases.inputs[7])
        var ran = 0
        for _ in 0..<2_000 {
            let source = (0..<Int.random(in: 1...6, using: &random)).map { _ in
                words.randomElement(using: &random) ?? "."
            }.joined(separator: " | ")
            guard let program = try? JQProgram(source.replacing("| | |", with: "|")) else { continue }
            ran += 1
            _ = try? program.run(input, limits: JQLimits(steps: 20_000, bytes: 1 << 20))
        }
        #expect(ran > 500)
    }
}

struct SplitMix: RandomNumberGenerator {
    var state: UInt64
    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var z = state
        z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
        z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
        return z ^ (z >> 31)
    }
}
