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
        #expect(JQPath.ofChunks(try JQProgram(text))?.memberNames == path)
    }

    @Test(arguments: [
        ".items | length", ".items[0]", ".a as $a | .items[]", ".items | sort_by(.a)", ".items[1:]", "first(.items[])",
        ".items[] // 1", ".a, .b", "[.items]", "to_entries", ".items | map(.a) | add", ".items | map(.a) | .b",
        "[.a[]][0]", ".items | [.[]]",
        "reduce .items[] as $i (0; . + 1)", "{a: .items}",
    ])
    func programsThatNeedAll(_ text: String) throws {
        #expect(JQPath.ofChunks(try JQProgram(text))?.memberNames == nil)
    }
}
