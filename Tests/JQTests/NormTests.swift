import JQ
import LosslessJSON
import Testing

/// What jq 1.8 changed or says in its own words.
struct NormTests {
    @Test(
        arguments: [
            // `as` takes a whole expression, and its body reaches to the end.
            ("1 + 2 as $x | $x * 2", "6"), ("[-1 as $x | 1, $x]", "[1,-1]"), ("[1, 2 as $x | $x, 3]", "[1,2,3]"),
            ("\"a\" + \"b\" as $y | $y + $y", "\"abab\""), ("reduce 1, 2 | . as $i (0; .)", nil),
            ("reduce (1, 2) + 10 as $i (0; . + $i)", "23"), ("[foreach 6 / (1, 2) as $i (0; . + $i)]", "[6,9]"),
            // Texts.
            (#""xaax" | trimstr("x"), ltrimstr("x"), rtrimstr("x")"#, #""aa" "aax" "xaa""#),
            (#""x" | trimstr("x")"#, "\"\""),
            (#"try (1 | ltrimstr("a")) catch ."#, "\"startswith() requires string inputs\""),
            (#"try ("a" | rtrimstr(1)) catch ."#, "\"endswith() requires string inputs\""),
            (#"" \u00a0\u3000a\u2003" | trim, ltrim"#, "\"a\" \"a\u{2003}\""),
            ("try (1 | rtrim) catch .", "\"trim input must be a string\""),
            (#""ab" * (0, 0.9, 1.9, -1)"#, #""" "" "ab" null"#),
            ("try (\"abc\" * 1e9) catch .", "\"Repeat string result too long\""),
            (#""a%20b%c3%a9" | @urid"#, "\"a bé\""),
            (#"try ("%4" | @urid) catch ."#, #""string (\"%4\") is not a valid uri encoding""#),
            (#"try ("%ff" | @urid) catch ."#, #""string (\"%ff\") is not a valid uri encoding""#),
            (#""QUI=" | @base64d"#, "\"AB\""), (#""=" | @base64d"#, "\"\""),
            (#"try ("QUJDR" | @base64d) catch ."#, #""string (\"QUJDR\") trailing base64 byte found""#),
            (#""'" | @html"#, "\"&apos;\""), (#""abc" | indices("")"#, "[]"), ("[1] | indices([])", "[]"),
            ("[-1, 65, 55296, 1114112, 66.9] | implode | explode", "[65533,65,65533,65533,66]"),
            // Numbers and booleans.
            ("[\"true\", false] | map(toboolean)", "[true,false]"),
            ("try (\"True\" | toboolean) catch .", #""string (\"True\") cannot be parsed as a boolean""#),
            ("[-1.50, \"a\", []] | map(abs)", "[1.50,\"a\",[]]"),
            ("try (null | abs) catch .", "\"null (null) cannot be negated\""),
            ("have_decnum, have_literal_numbers", "true true"), ("try (\" 1\" | tonumber) catch 0", "0"),
            ("\"nan\" | tonumber | isnan", "true"),
            ("[1, infinite, nan, \"a\"] | map(isfinite)", "[true,false,true,false]"),
            (
                "try (5 % 0) catch .",
                "\"number (5) and number (0) cannot be divided (remainder) because the divisor is zero\""
            ),
            (
                "[null, \"a\", 1, nan, infinite] | map(isinfinite), map(isnormal)",
                "[false,false,false,false,true] [false,false,true,false,false]"
            ),
            ("[null, \"a\", 1, [2]] | map(finites), map(normals)", "[1] [1]"),
            ("[1e1000 / 2, -1e1000 * 2, 1e1000 * 0]", "[1.7976931348623157e+308,-1.7976931348623157e+308,null]"),
            ("[1, nan, null] | @csv, @tsv, @sh", "\"1,,\" \"1\\t\\t\" \"1 null null\""),
            (
                "[\"nan\", \"-NaN\", \"Infinity\", \"-inf\"] | map(tonumber)",
                "[null,null,1.7976931348623157e+308,-1.7976931348623157e+308]"
            ),
            ("try (\"nan1\" | tonumber) catch .", #""string (\"nan1\") cannot be parsed as a number""#),
            // What fromjson reads, and says.
            (
                "[\"[nan,1]\", \"{\\\"a\\\":NaN}\", \" -Infinity \", \".5\", \"+1\"] | map(fromjson)",
                "[[null,1],{\"a\":null},-1.7976931348623157e+308,0.5,1]"
            ),
            (
                "[\"\", \"1 2\", \"[1\", \"]\", \"{\", \"{1:2}\", \"[1,]\", \"{,}\", \"tru\", \"'a'\", \"\\\"a\"] | "
                    + ".[] | try fromjson catch sub(\" .while.*\"; \"\")",
                [
                    "Expected JSON value", "Unexpected extra JSON values",
                    "Unfinished JSON term at EOF at line 1, column 2",
                    "Unmatched ']' at line 1, column 1", "Unfinished JSON term at EOF at line 1, column 1",
                    "Object keys must be strings at line 1, column 3",
                    "Expected another array element at line 1, column 4",
                    "Expected value before ',' at line 1, column 2", "Invalid literal at EOF at line 1, column 3",
                    "Invalid string literal; expected \\\", but got ' at EOF at line 1, column 3",
                    "Unfinished string at EOF at line 1, column 2",
                ].map { "\"\($0)\"" }.joined(separator: " ")
            ),
            // Containers.
            ("{a: 1} | contains({a: \"x\"})", "false"), ("[true] | contains([false])", "false"),
            (
                "try (true | contains(false)) catch .",
                "\"boolean (true) and boolean (false) cannot have their containment checked\""
            ),
            ("[1, 1, 1, 1] | bsearch(1)", "2"), ("[[1, 3, 5] | bsearch(0, 1, 4, 5, 6)]", "[-1,0,-3,2,-4]"),
            ("try (null | min) catch .", "\"null (null) and null (null) cannot be iterated over\""),
            ("try ({} | max_by(.a)) catch .", "\"object ({}) and array ([]) cannot be iterated over\""),
            (
                "try ({} | sort_by(.a)) catch .",
                "\"object ({}) and array ([]) cannot be sorted, as they are not both arrays\""
            ),
            (
                "try ({a: 1} | group_by(.)) catch .",
                #""object ({\"a\":1}) and array ([[1]]) cannot be sorted, as they are not both arrays""#
            ),
            ("try (true | reverse) catch .", "\"boolean (true) has no length\""), ("0 | reverse", "[]"),
            ("try (1.5 | reverse) catch .", "\"Cannot index number with number (0.5)\""),
            ("try (null | .[null]) catch .", "\"Cannot index null with null (null)\""),
            ("try (null | indices([1])) catch .", "\"Cannot index null with array ([1])\""),
            ("null | indices(1)", "null"),
            // Generators.
            ("try (limit(-1; 1)) catch .", "\"limit doesn't support negative count\""),
            ("try (skip(-1; 1)) catch .", "\"skip doesn't support negative count\""),
            ("try (nth(-1; 1)) catch .", "\"nth doesn't support negative indices\""),
            ("[first(empty), last(empty), nth(3; 1, 2)]", "[]"), ("[nth(0, 2; range(5))]", "[0,2]"),
            ("[path(last(.a, .b))]", "[[\"b\"]]"), ("[1, [2]] | last(.[] | arrays) |= 3", "[1,3]"),
            // Paths.
            (
                "[1, 2] | try path(map(.) | .[0]) catch .",
                "\"Invalid path expression near attempt to access element 0 of [1,2]\""
            ),
            ("[1] | try path(map(.) | .[]) catch .", "\"Invalid path expression near attempt to iterate through [1]\""),
            ("[range(10)] | del(.[1], .[-6], .[2], .[-3:9])", "[0,3,5,6,9]"),
            ("[1, 2] | try delpaths([[\"a\"]]) catch .", "\"Cannot delete string element of array\""),
            ("try getpath([range(10001)]) catch .", "\"Path too deep\""), ("delpaths([[range(10000)]])", "null"),
            // Dates.
            ("[2024, 1, 29, 25, 61, 61] | mktime, strftime(\"%F %T\")", "1709258521 \"2024-03-01 02:02:01\""),
            ("[2024, 2, 15] | todate", "\"2024-03-15T00:00:00Z\""),
            ("[2024, 1.9, -0.5, 1, 1, 1.9] | mktime", "1706662861"),
            ("try ([nan] | mktime) catch .", "\"mktime requires parsed datetime inputs\""),
            ("try ([2024, null] | todate) catch .", "\"strftime/1 requires parsed datetime inputs\""),
            // Regular expressions.
            (#""aB" | [gsub("(?<a>.)"; "\(.a | ascii_upcase)", "\(.a | ascii_downcase)", "c")]"#, #"["AB","ab","cc"]"#),
            (#""abc" | [sub("b"; empty)], [sub("z"; "y")]"#, #"["abc"] ["abc"]"#),
            (#""aéb" | [match("(?=(b))|é"; "g") | .offset, .captures[0].offset]"#, "[1,-1,2,2]"),
            // Rows that belong together.
            (
                "[[1, \"x\"], [2, \"y\"]] | JOIN({\"1\": \"one\"}; .[0] | tostring)",
                "[[[1,\"x\"],\"one\"],[[2,\"y\"],null]]"
            ),
            ("[JOIN({\"1\": 5}; 1, 2; tostring; add)]", "[6,2]"),
            // Errors.
            (
                "try (\"aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa\" | keys) catch .",
                #""string (\"aaaaaaaaaaaaaaaaaaaaaaaa...\") has no keys""#
            ),
            ("try ([range(30)] | .a) catch .", #""Cannot index array with string (\"a\")""#),
            (
                "try ([range(30)] - 1) catch .",
                "\"array ([0,1,2,3,4,5,6,7,8,9,10,1...]) and number (1) cannot be subtracted\""
            ),
            ("try ({} | .[1]) catch .", "\"Cannot index object with number (1)\""), ("{(0): 1}", nil),
            (". as {(true): $x} | $x", nil),
        ] as [(String, String?)]
    )
    func answersAsTheManualSays(_ source: String, _ expected: String?) throws {
        let answer = try? JQProgram(source).run(.null).map(\.compactText).joined(separator: " ")
        #expect(answer == expected, "\(source)")
    }

    @Test func aKeyThatIsNoTextIsToldBeforeTheProgramRuns() {
        let error = #expect(throws: JQSyntaxError.self) { try JQProgram("{a: 1, (0): 2}") }
        #expect(error?.description == "number (0) cannot be an object's key at 8 (keys are strings: put it in quotes)")
    }
}
