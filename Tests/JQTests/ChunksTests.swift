import JQ
import LosslessJSON
import Testing

struct ChunksTests {
    @Test(arguments: [
        (".", []), (".[]", []), (".items", ["items"]), (".items[]", ["items"]), (".a.b[]", ["a", "b"]),
        (".a | .b[] | select(.c) | .d", ["a", "b"]), (".items // []", ["items"]), (".items[]?", ["items"]),
        (".items | map(select(.a))", ["items"]), ("map(.a)", []), ("[.items[] | .a]", ["items"]),
        (".items[].a[0]", ["items"]), ("(.a // [])[] | .b", ["a"]), (".items | .[]", ["items"]),
    ])
    func programsThatGiveTheSameForPieces(_ text: String, _ path: [String]) throws {
        #expect(try JQChunks(JQProgram(text))?.names == path)
    }

    @Test(arguments: [
        (".items", false), (".items[]", true), (".items[] | .a", true), (".items[].a", true), (".items // []", false),
        (".items | map(.a)", false), ("map(.a) | .[]", true), ("[.items[] | .a]", false), (".items[]?", true),
    ])
    func someGiveOneListAndOthersWhatIsInIt(_ text: String, _ isEach: Bool) throws {
        #expect(try JQChunks(JQProgram(text))?.isEach == isEach)
    }

    @Test(arguments: [
        ".items | length", ".items[0]", ".a as $a | .items[]", ".items | sort_by(.a)", ".items[1:]", "first(.items[])",
        ".items[] // 1", ".a, .b", "[.items]", "to_entries", ".items | map(.a) | add", ".items | map(.a) | .b",
        "[.a[]][0]", ".items | [.[]]",
        "reduce .items[] as $i (0; . + 1)", "{a: .items}", ".items[][.key]", ".items[].a[.from:]", "(.items[] | .a)?",
        ".items[][\"a\", .key]", ".items | map(.a)?", "map(.a)? | .[]", "(map(.a) | .[])?", "limit(2; .items[])",
        ".items[] as $i | $i", "try .items[] catch .",
    ])
    func programsThatNeedAll(_ text: String) throws {
        #expect(try JQChunks(JQProgram(text)) == nil)
    }

    private static let elements = [
        #"{"a": 1, "c": true, "d": 2}"#, #"{"a": [1, 2], "c": true}"#, "{}", "null", "5", "[3]", #""x""#,
    ]

    /// What the answer is for: the same outputs, and an error where the whole list has one.
    @Test(arguments: [
        ".[]", ".", ".[] | select(.c) | .d", ". // []", ".[]?", "map(select(.a))", "map(.a?)", "[.[] | .a]", ".[].a[0]",
        ".[].a?",
        ".[].a[0]?", "(. // [])[] | .a", "map(.a) | .[]", ".[] | [.]", ".[] | .a[]?", ".[] | .a[]", "[.[]?]",
        ".[] | (.a, .d)?",
        ".[] | try .a catch 1", ".[][0]?", ".[][0:1]?", ".[] | . as $e | {$e}", ".[] | first(.a?, 2)",
    ])
    func piecesGiveWhatTheListGives(_ text: String) throws {
        let program = try JQProgram(text)
        let isEach = try #require(JQChunks(program)).isEach
        func outputs(_ list: [String]) throws -> [String] {
            let outputs = try program.run(JSONValue(parsing: "[\(list.joined(separator: ","))]"))
            return (isEach ? outputs : outputs.flatMap { $0.elements ?? [] }).map(\.compactText)
        }
        for first in 0..<Self.elements.count {
            for second in 0..<Self.elements.count {
                let list = [Self.elements[0], Self.elements[first], Self.elements[second], Self.elements[1]]
                let whole = try? outputs(list)
                for end in 1...3 {
                    let pieces = try? outputs(Array(list[..<end])) + outputs(Array(list[end...]))
                    #expect(pieces == whole, "\(list), \(end)")
                }
            }
        }
    }
}
