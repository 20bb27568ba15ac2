import JQ
import LosslessJSON
import Testing

struct LookingTests {
    private static let apart = [
        ".next", ".meta.next", ".data.next", ".meta | .next // \"\"", "if .more then .cursor else null end", ".next?",
        ".data.items[-1].id", ".data.items | last | .id", "last(.data.items[]).id", ".data.items | .[-1].id",
        "(.page + 1) < .pages", "headers[\"x-next\"]", "$headers.a", ".more and .data.items", ".data.items | not",
        ".a | length", "{a: .b}",
        "\"x\\(.next)\"", "if .data.items then .a elif .more then .b else .c end", ".a[.b]", ".meta | to_entries",
        "select(.more) | .next", "try .next", ".data | .next, .total", ".meta | . as $m | $m.next",
        ".next // empty",
    ]
    private static let looking = [
        ".", ".data", ".data.items", ".data.items | length", ".data.items[0].id", ".data.items[1:]", ".data.items[].id",
        ".data[\"it\" + \"ems\"] | length", ".data | length", ".. | .id?", "[.data.items[] | .id] | max",
        ". as $d | $d.next",
        "def f: .data.items; .a", "reduce .data.items[] as $i (0; . + 1)", ".a = 1", "{a: .data}", ".a == .data.items",
        "\"\\(.data.items)\"", "first(.data.items[])", "if .data.items == [] then 1 else 2 end",
        "getpath([\"data\", \"items\"])",
        ".data.items[-2].id", ".data.items[.n]", "last(.data.items[].id)", "select(.data.items | length > 0) | .a",
        ".x[.data.items]", "label $out | .data", "if .more then .a end", ".data.items // 1", "@json",
        "last(.data.items[], .other)",
    ]

    @Test(arguments: apart)
    func programsThatDoNotLookAtTheList(_ text: String) throws {
        #expect(try !JQProgram(text, globals: ["headers"]).looks(atListOf: ["data", "items"]))
    }

    @Test(arguments: looking)
    func programsThatMayLookAtIt(_ text: String) throws {
        #expect(try JQProgram(text, globals: ["headers"]).looks(atListOf: ["data", "items"]))
    }

    @Test(arguments: [
        (".[-1].id", false), ("last.id", false), (".[0].id", true), ("length", true), ("headers.a", false),
    ])
    func listsThatAreTheInput(_ text: String, _ looks: Bool) throws {
        #expect(try JQProgram(text, globals: ["headers"]).looks(atListOf: []) == looks)
    }

    /// What the answer is for: the same outputs where the list has nothing but its last element.
    @Test(arguments: apart)
    func theyGiveTheSameForTheLastElementAlone(_ text: String) throws {
        let program = try JQProgram(text, globals: ["headers"])
        let headers = try JSONValue(parsing: #"{"x-next": "h", "a": 1}"#)
        func outputs(_ items: String) throws -> [String] {
            let input = try JSONValue(
                parsing: #"{"next": "n", "more": true, "page": 1, "pages": 2, "cursor": 7, "meta": {"next": "m"}, "#
                    + #""a": {"k": 5}, "b": "k", "data": {"next": "d", "total": 3, "items": \#(items)}}"#
            )
            return try program.run(input, globals: [headers]).map(\.compactText)
        }
        #expect(try outputs(#"[{"id": 1}, {"id": 2}, {"id": 3}]"#) == outputs(#"[{"id": 3}]"#))
    }

    /// Each node is visited once, whatever comes of those before it.
    @Test func takesNoLongerForManyWays() throws {
        let text = Array(repeating: "(., .data, .data.items)", count: 60).joined(separator: " | ") + " | .next"
        #expect(try JQProgram(text).looks(atListOf: ["data", "items"]))
    }
}
