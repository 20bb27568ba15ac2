import Foundation
import JQ
import LosslessJSON
import Testing

/// Values may be deeper than any native stack: nothing in the engine goes down into them by recursion.
struct DepthTests {
    /// Runs work on a thread with a stack as small as any that programs run on.
    private func onSmallStack<Result: Sendable>(_ work: @escaping @Sendable () -> Result) async -> Result {
        await withCheckedContinuation { continuation in
            let thread = Thread { continuation.resume(returning: work()) }
            thread.stackSize = 256 << 10
            thread.start()
        }
    }

    private func outputs(_ source: String, _ limits: JQLimits = JQLimits()) async -> String {
        await onSmallStack {
            do {
                var text: [UInt8] = []
                try JQProgram(source).forEach(JQInput(.null), limits: limits) { output in
                    output.append(to: &text)
                    text.append(UInt8(ascii: " "))
                }
                return String(decoding: text.dropLast(), as: UTF8.self)
            } catch { return "\(error)" }
        }
    }

    /// `$a` and `$o` are deeper than jq goes, `$b` and `$p` as deep.
    private static let values = [
        "$a": "reduce range(12000) as $_ (0; [.])", "$o": "reduce range(12000) as $_ (0; {a: .})",
        "$b": "reduce range(10000) as $_ (0; [.])", "$p": "reduce range(10000) as $_ (0; {a: .})",
    ]

    @Test(arguments: [
        // What is made and let go.
        ("1", "1"), ("[$a] | length", "1"), ("$o | keys", #"["a"]"#), ("$a | type", #""array""#),
        ("[$a, $o] | .[0] = 5 | .[0]", "5"), ("$a[0][0][0] | length", "1"), ("$o.a.a.a | length", "1"),
        ("[limit(3; $a | ..)] | length", "3"), ("[$b | ..] | length", "10001"),
        ("[$p | recurse(.a?)] | length", "10001"),
        ("reduce range(300) as $_ (0; [.]) | [paths] | length", "300"),
        // Texts.
        ("$b | tojson | length", "20001"), ("$b | tojson | fromjson == $b", "true"),
        ("$a | tojson | length", "20021"), ("$o | tostring | .[-20:]", #""}}}}}}}}}}}}}}}}}}}}""#),
        ("$a | tojson | contains(\"[<skipped: too deep>]\")", "true"), ("$b | tojson | contains(\"skipped\")", "false"),
        ("[$b] | tojson | contains(\"skipped\")", "true"),
        (
            "\"[\" * 10001 | try fromjson catch .[0:60]",
            "\"Exceeds depth limit for parsing at line 1, column 10001 (whi\""
        ),
        (
            "\"[\" * 100000 | try fromjson catch .[0:60]",
            "\"Exceeds depth limit for parsing at line 1, column 10001 (whi\""
        ),
        ("\"[\" * 10000 + \"]\" * 10000 | fromjson | flatten", "[]"),
        ("\"{\\\"a\\\":\" * 5000 + \"1\" + \"}\" * 5000 | fromjson | [.. | numbers]", "[1]"),
        // Functions that go down.
        ("$a | flatten", "[0]"), ("$b | flatten(9998)", "[[0]]"), ("[$o] | flatten | length", "1"),
        ("$a | first | flatten", "[0]"),
        ("$b == $b, $b < $b, ($b | [., .] | sort | length), ($p | . == .)", "true false 2 true"),
        ("try ($a == $a) catch ., try ($a < $a) catch .", #""Equality check too deep" "Comparison too deep""#),
        ("try ($o == $o) catch ., try ([$o, $o] | sort) catch .", #""Equality check too deep" "Comparison too deep""#),
        (
            "try ([$a, $a] | unique) catch ., try ([$a, $a] | group_by(.)) catch .",
            #""Comparison too deep" "Comparison too deep""#
        ),
        (
            "try ([$a, $a] | min) catch ., try ([$a] - [$a]) catch .",
            #""Comparison too deep" "Equality check too deep""#
        ),
        ("try ([$a] | index([$a])) catch .", "\"Equality check too deep\""),
        ("[try ($a == $a) catch 1, (1 == 2), ([3, 1] | sort)]", "[1,false,[1,3]]"),
        ("$b | contains($b), inside($b)", "true true"), ("$p | contains($p)", "true"),
        (
            "try ($a | contains($a)) catch ., try ($o | contains($o)) catch .",
            #""Containment check too deep" "Containment check too deep""#
        ),
        ("$p * $p | length", "1"), ("try ($o * $o) catch .", "\"Object merge too deep\""), ("$a + $a | length", "2"),
        ("$o + $o | length", "1"), ("[$a, $b] | add | length", "2"), ("[$a, $a] | transpose | length", "1"),
        // Paths.
        ("[range(10000) | 0] as $q | $a | getpath($q) | length", "1"),
        ("[range(10000) | 0] as $q | $b | setpath($q; 7) | flatten", "[7]"),
        ("[range(10000) | 0] as $q | $b | delpaths([$q]) | flatten", "[]"),
        ("[range(10000) | \"a\"] as $q | null | setpath($q; 7) | getpath($q)", "7"),
        ("[range(10000) | \"a\"] as $q | $o | delpaths([$q]) | getpath($q)", "null"),
        ("$b | del(.[0][0][0])", "[[[]]]"), ("$b | .[0][0] |= 3", "[[3]]"), ("[$a] | del(.[0])", "[]"),
        ("$a | (.[0][0] |= 1)", "[[1]]"),
        ("[range(10001) | 0] as $q | try ($a | setpath($q; 7)) catch .", "\"Path too deep\""),
        ("$b | walk(if type == \"number\" then . + 1 else . end) | flatten", "[1]"),
        ("$a | tojson | @base64 | length", "26696"), ("try ($a | implode) catch .[0:20]", "\"array ([[[[[[[[[[[[[\""),
        ("try error($a) catch length", "1"), ("$a as [[[$x]]] | $x | length", "1"),
        ("{$a} | to_entries[0].value | length", "1"),
        ("reduce range(300) as $_ (0; [.]) | [tostream] | length", "301"),
        (
            "error($a)",
            "the program gave a value deeper than 128 levels, the limit for nested arrays and objects"
        ),
        ("$a", "the program gave a value deeper than 128 levels, the limit for nested arrays and objects"),
        ("reduce range(128) as $_ (0; [.]) | tojson | length", "257"),
    ])
    func deepValuesAreOrdinary(_ source: String, _ expected: String) async {
        let values = Self.values.filter { source.contains($0.key) }.map { "\($1) as \($0) | " }.sorted().joined()
        #expect(await outputs(values + source) == expected, "\(source)")
    }

    @Test func anOutputIsAsDeepAsItsReaderAllows() async {
        let source = "reduce range(10000) as $_ (0; [.])"
        let text = await outputs(source, JQLimits(depth: 10_000))
        #expect(text == String(repeating: "[", count: 10_000) + "0" + String(repeating: "]", count: 10_000))
        #expect(
            await outputs("reduce range(129) as $_ (0; {a: .})")
                == "the program gave a value deeper than 128 levels, the limit for nested arrays and objects"
        )
        #expect(await outputs("[[]]", JQLimits(depth: 2)) == "[[]]")
        #expect(
            await outputs("[[[]]]", JQLimits(depth: 2))
                == "the program gave a value deeper than 2 levels, the limit for nested arrays and objects"
        )
    }

    @Test func memoryBoundsDepth() async {
        let limits = JQLimits(steps: .max, bytes: 1 << 20, time: .seconds(1_000))
        for source in ["def f: [.] | f; 0 | f", "reduce range(1e9) as $_ (0; {a: .})", "last(0 | recurse([.]))"] {
            #expect(await outputs(source, limits).hasPrefix("the program held more than 1048576 bytes"), "\(source)")
        }
    }

    /// Each level besides the deepest one in it holds one that is as deep as what lies between two pieces.
    @Test func wideAndDeepValuesAreFreedInPieces() async {
        let source = "reduce range(3000) as $i (0; [., (reduce range($i % 70) as $_ (0; [.]))]) | length"
        #expect(await outputs(source) == "2")
        #expect(
            await outputs("reduce range(20000) as $i ([]; if $i % 31 == 0 then [., [.]] else [.] end) | length") == "1"
        )
    }

    /// The input may be as deep, too, where it lies in its document.
    @Test(arguments: [
        (
            "error",
            "the program gave a value deeper than 128 levels, the limit for nested arrays and objects"
        ),
        ("try error catch length", "1"), ("[..] | length", "9001"), ("flatten", "[1]"), ("tojson | length", "18001"),
        (". == .", "true"),
        ("contains(.)", "true"),
        ("[., .] | unique | length", "1"), ("walk(.) | flatten", "[1]"), ("del(.[0][0]) | tojson", "\"[[]]\""),
        ("[.] | length", "1"),
        (". as [[$x]] | $x | flatten", "[1]"), ("getpath([range(8999) | 0])", "[1]"),
        ("setpath([range(8999) | 0]; 2) | flatten", "[2]"),
    ])
    func deepInputIsOrdinary(_ source: String, _ expected: String) async {
        let text = await onSmallStack {
            do {
                let levels = 9_000
                let bytes =
                    Array(String(repeating: "[", count: levels).utf8) + Array("1".utf8)
                    + Array(String(repeating: "]", count: levels).utf8)
                let document = try JSONDocument(bytes: bytes, limits: JSONLimits(depth: levels))
                var text: [UInt8] = []
                for output in try JQProgram(source).run(JQInput(document.root)) { output.append(to: &text) }
                return String(decoding: text, as: UTF8.self)
            } catch { return "\(error)" }
        }
        #expect(text == expected)
    }
}
