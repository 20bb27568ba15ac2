import JQ
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
        ".items[][\"a\", .key]", "limit(2; .items[])", ".items[] as $i | $i", "try .items[] catch .",
    ])
    func programsThatNeedAll(_ text: String) throws {
        #expect(try JQChunks(JQProgram(text)) == nil)
    }
}
