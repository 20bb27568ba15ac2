import Foundation
import JQ
import LosslessJSON
import Synchronization
import Testing

/// No program may use up the native stack, the steps or the bytes.
struct BoundsTests {
    private func outputs(_ source: String, _ limits: JQLimits = JQLimits()) throws -> [String] {
        try JQProgram(source).run(.null, limits: limits).map(\.compactText)
    }

    @Test(
        arguments: [
            ("def f: if . >= 30000 then . else .+1|f end; 0|f", "30000"),
            ("[recurse(if . < 30000 then .+1 else empty end)]|length", "30001"),
            ("last(range(10000))", "9999"),
            ("reduce range(10000) as $i (0;.+$i)", "49995000"),
            // Copied each time, these would take more steps than there are.
            ("reduce range(10000) as $i ([]; . + [$i]) | length", "10000"),
            ("reduce range(10000) as $i ([]; .[$i] = $i) | length", "10000"),
            ("reduce range(10000) as $i ({}; .[\"k\\($i)\"] = $i) | length", "10000"),
            ("[range(10000)] | map_values(. + 1) | add", "50005000"),
            ("first(range(1000000000))", "0"),
            ("[limit(3; repeat(1))]", "[1,1,1]"),
            ("def f: def g: if . == 0 then 0 else (. - 1 | g) + 1 end; g; 20000 | f", "20000"),
            ("[limit(5; def f: 1, f; f)]", "[1,1,1,1,1]"),
            ("try (def f: 1 + f; f) catch 5", nil),
            ("\"x\" * 1000000000", nil), ("[range(1000000000)]", nil), ("def f: f; f", nil),
            ("reduce range(100000) as $i (0; [.])", nil), ("last(repeat(1))", nil),
            ("reduce range(60) as $i (1; [., .]) | tojson", nil), ("reduce range(60) as $i (1; [., .])", nil),
            ("reduce range(60) as $i (\"x\"; . + .)", nil), ("null | .[400000000] = 1", nil),
            ("(\"a\" * 50000) | index(\"a\" * 20000 + \"b\")", nil),
            ("(\"a\" * 50000) | split(\"a\" * 20000 + \"b\")", nil),
            ("(\"a\" * 50000) | contains(\"a\" * 20000 + \"b\")", nil),
            ("[range(2000) | 0] | . as $x | $x + $x | index($x + [1])", nil), ("[recurse([.])] | length", nil),
            ("[limit(100000; path(recurse(.a)))] | length", nil),
        ] as [(String, String?)]
    )
    func longProgramsEndWithAnAnswerOrALimit(_ source: String, _ expected: String?) throws {
        if let expected {
            #expect(try outputs(source) == [expected])
        } else {
            let error = #expect(throws: JQError.self) {
                _ = try outputs(source, JQLimits(steps: 100_000, bytes: 2 << 20))
            }
            switch error?.kind {
            case .steps, .bytes, .depth: break
            default: Issue.record("\(source): \(String(describing: error))")
            }
        }
    }

    /// Programs that would run for hours, each with work that is not the machine's own.
    static let endless = [
        "last(range(1e15))", "last(repeat(1))", "[range(1e9)]|sort", #"("a" * 100000 + "!") | test("(a+)+$|b")"#,
        #"[range(1e9) | tostring] | join(",")"#, "reduce range(1e9) as $i (1; try error([.]) catch .[0])",
    ]

    @Test(arguments: endless)
    func aCancelledTaskEndsItsProgram(_ source: String) async throws {
        let program = try JQProgram(source)
        let error = await Task {
            withUnsafeCurrentTask { $0?.cancel() }
            let limits = JQLimits(steps: .max, bytes: .max / 4, time: .seconds(1_000_000))
            return #expect(throws: JQError.self) { _ = try program.run(.null, limits: limits) }
        }.value
        #expect(error?.kind == .cancelled)
    }

    @Test(arguments: endless)
    func aProgramEndsWhenItsTimeIsOver(_ source: String) throws {
        // Each look at this clock takes a second.
        let ticks = Mutex(0)
        let clock: @Sendable () -> Duration = {
            ticks.withLock {
                $0 += 1
                return .seconds($0)
            }
        }
        let limits = JQLimits(steps: .max, bytes: .max / 4, time: .seconds(1), clock: clock)
        let program = try JQProgram(source)
        let error = #expect(throws: JQError.self) { _ = try program.run(.null, limits: limits) }
        #expect(error?.kind == .time)
        #expect(error?.message.hasPrefix("the program ran for more than 1.0 seconds, the limit") == true)
        #expect(ticks.withLock { $0 } <= 3)
    }

    @Test func processorTimeGrows() {
        let before = JQLimits.processorTime()
        #expect(before >= .zero)
        #expect(JQLimits.processorTime() >= before)
    }

    /// Nothing that a function does for itself is free: each program takes more than the limit, and soon.
    @Test(arguments: [
        #"(" " * 200000 + "x") | test("\\s+$")"#, #"(" " * 200000 + "x") | sub("\\s+$"; "")"#,
        #"("a" * 20000 + "!") | test("[a-z]+$")"#, #"("a" * 20000) | test("(a*)*b|c")"#,
        #"("ab" * 20000) | [match("(?=.*x)|b"; "g")]"#, #"("a" * 30) | test("^(a|aa)+$.")"#,
        #"("a" * 20000) | test("(?:(?=a*+b)|.)*+[^a]")"#, #"("a" * 200000) as $x | range(1000) | $x + "b" | length"#,
        #"("a" * 200000) as $x | range(1000) | $x | length"#, "[range(5000)] as $x | range(1000) | $x | sort",
        "[range(5000)] as $x | range(1000) | $x + [1] | .[0]", "[range(5000)] as $x | range(1000) | $x | .[0] = 1",
        "[range(5000)] as $x | range(1000) | $x | .[0] |= 1", "[range(5000)] as $x | range(1000) | $x | reverse",
        "[range(5000)] as $x | range(1000) | $x[1:] | length", "[range(5000)] as $x | range(1000) | $x | del(.[0])",
        #"([range(3000) | {key: "k\(.)", value: 1}] | from_entries) as $x | range(1000) | $x | keys"#,
        #"([range(3000) | {key: "k\(.)", value: 1}] | from_entries) as $x | range(1000) | $x | .k1 = 2"#,
        #"([range(3000) | {key: "k\(.)", value: 1}] | from_entries) as $x | range(1000) | $x == $x"#,
        #"("a" * 200000) as $x | range(1000) | $x | @base64"#, #"("a" * 200000) as $x | range(1000) | $x | @uri"#,
        #"("a" * 200000) as $x | range(1000) | [$x] | @csv"#, #"("a" * 200000) as $x | range(1000) | [$x] | @sh"#,
        #"("a" * 200000) as $x | range(1000) | $x | ascii_upcase"#, #"("a" * 200000) as $x | range(1000) | "-\($x)""#,
        #"("a" * 200000) as $x | range(1000) | $x | trim"#, #"("a" * 200000) as $x | range(1000) | $x | ltrimstr("a")"#,
        #"("a" * 200000) as $x | range(1000) | $x[5:9]"#, #"("a" * 200000) as $x | range(1000) | $x | explode | .[0]"#,
        #"("1" * 80000 | tonumber) as $x | range(1000) | $x + 1"#,
        #"("1" * 200000) as $x | range(1000) | $x | tonumber"#,
        #"("[" + "1," * 5000 + "1]") as $x | range(1000) | $x | fromjson | .[0]"#,
        "[range(5000)] as $x | range(1000) | $x | tojson | length", "[range(2000)] as $x | $x - ($x | map(. + 0.5))",
        "reduce range(40000) as $i (1; try error([.]) catch .)",
        "[range(5000) | [.]] as $x | range(1000) | $x | flatten | .[0]",
        "[range(100) | [range(100)]] as $x | range(1000) | $x | transpose | .[0][0]",
        "[range(5000)] as $x | range(1000) | $x | to_entries | .[0]",
        "[range(5000)] as $x | range(1000) | $x | add", "[range(5000)] as $x | range(1000) | $x | implode",
        "[range(5000)] as $x | range(1000) | $x",
    ])
    func workInsideFunctionsIsPaidFor(_ source: String) throws {
        let limits = JQLimits(steps: 75_000)
        // What is made ready is not what takes so long.
        if let end = source.range(of: " as $x | ") {
            _ = try JQProgram(source[..<end.lowerBound] + " as $x | 1").run(.null, limits: limits)
        }
        let program = try JQProgram(source)
        let error = #expect(throws: JQError.self) { try program.forEach(.null, limits: limits) { _ in } }
        switch error?.kind {
        case .steps, .depth, .bytes: break
        default: Issue.record("\(source): \(String(describing: error))")
        }
    }

    @Test func deeplyNestedSourceIsRefused() {
        for (open, close) in [("[", "]"), ("(", ")"), ("{a:", "}"), ("-", "1"), ("[.[", "]]"), ("if 1 then ", " end")] {
            let source = String(repeating: open, count: 20_000) + "1" + String(repeating: close, count: 20_000)
            #expect(throws: JQSyntaxError.self) { try JQProgram(source) }
        }
        #expect(throws: JQSyntaxError.self) { try JQProgram(String(repeating: ".|", count: 20_000) + ".") }
        #expect(throws: JQSyntaxError.self) { try JQProgram(String(repeating: "1+", count: 20_000) + "1") }
        #expect(throws: JQSyntaxError.self) { try JQProgram("." + String(repeating: "[]", count: 20_000)) }
    }

    /// The deepest programs that are not refused, also where frames are largest: in a debug build.
    @Test(arguments: [
        ("[", "1", "]"), ("(", "1", ")"), ("{a:", "1", "}"), ("-", "1", ""), ("if 1 then ", "1", " end"),
        (".|", ".", ""),
        ("1+", "1", ""), (".", ".", "[]"), ("[1", "", ",1"), ("try ", "1", ""), ("reduce . as $x (0; ", "1", ")"),
        ("true and ", "true", ""), ("1//", "1", ""), ("label $x|", "1", ""), (".a |= ", "1", ""),
    ])
    func programsAtTheLimitOfDepthRun(_ open: String, _ middle: String, _ close: String) async throws {
        await Task.detached {
            for depth in [480, 499, 520] {
                let source =
                    switch (open, close) {
                    case (".", _): "." + String(repeating: close, count: depth)
                    case ("[1", _): "[1" + String(repeating: close, count: depth) + "]"
                    default: String(repeating: open, count: depth) + middle + String(repeating: close, count: depth)
                    }
                _ = try? JQProgram(source).run(.null)
            }
        }.value
    }

    @Test(arguments: [
        ("1 + \"secret\"", "number and string cannot be added"),
        (#"{a: "x) secret ("} | .a - 1"#, "string and number cannot be subtracted"),
        ("\"secret\" | .[]", "Cannot iterate over string"),
        ("\"secret\" | .items", "Cannot index string with string (\"items\")"),
        ("\"sec\" + \"ret\" | .[.]", "Cannot index string with a string"),
        ("\"secret\" | error", "the program raised an error"),
        ("\"secret\" | try error catch error", "the program raised an error"),
        ("\"secret\" | keys", "string has no keys"),
        ("\"secret\" | fromjson", "a string is not JSON: Invalid numeric literal at EOF at line 1, column 6"),
        ("\"secret\" | tonumber", "string cannot be parsed as a number"),
        ("\"secret\" | strptime(\"%Y\")", "a date does not match its format"),
        ("\"se(cret\" | test(.)", "not a valid regex: missing closing parenthesis"),
        ("[\"secret\"] | @csv \"\\([[.]])\"", "array is not valid in a csv row"),
        ("\"secret\" | contains(1)", "string and number cannot have their containment checked"),
        ("path([\"secret\"] | .[0])", "Invalid path expression"),
        ("{(1 | .): 2}", "Cannot use number as object key"),
    ])
    func errorsHaveAFormWithoutValues(_ source: String, _ expected: String) throws {
        let error = #expect(throws: JQError.self) { _ = try outputs(source) }
        #expect(error?.withoutValues == expected, "\(source)")
    }
}
