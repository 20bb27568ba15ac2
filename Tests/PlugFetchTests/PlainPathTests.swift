import JQ
import LosslessJSON
import Testing

@testable import PlugFetch

struct PlainPathTests {
    @Test(arguments: [
        (".", []), (".items", ["items"]), (".a.b", ["a", "b"]), (".a | .b", ["a", "b"]), (".\"a b\"", ["a b"]),
        (".items[]", ["items", "[]"]), (".[0].x", ["0", "x"]), (".a[\"b\"]", ["a", "b"]),
    ])
    func takesPathsApart(source: String, steps: [String]) throws {
        let path = try #require(PlainPath(try JQProgram(source).syntax))
        let texts = path.steps.map { step in
            switch step {
            case .key(let key): String(decoding: key, as: UTF8.self)
            case .index(let index): String(index)
            case .iterate: "[]"
            }
        }
        #expect(texts == steps)
    }

    @Test(arguments: [".items?", ".[-1]", ".[1:]", ".a // .b", "select(.a)", "..", ".a,.b", "[.a]", ".[.k]"])
    func leavesEverythingElseToTheEngine(source: String) throws {
        #expect(PlainPath(try JQProgram(source).syntax) == nil)
    }

    @Test(
        arguments: [
            #"{"items":[{"id":1},{"id":2}]}"#, #"{"items":[]}"#, #"{"items":[[1,2]]}"#, #"{"items":{"id":1}}"#,
            #"{"items":null}"#, #"{}"#, "[]", "null", "3", #"[{"items":[1]}]"#, #"{"items":"x"}"#,
            #"{"items":[1],"items":[2,3]}"#, #"{"i\u0074ems":[7]}"#, #"{"items":{"a":1,"a":2,"b":3}}"#,
            #"{"items":[12345678901234567890.10,9007199254740993]}"#, #"{"items":[null]}"#,
        ],
        [".", ".items", ".items[]", ".items[0]", ".[0].items", ".items.id"]
    )
    func givesWhatTheEngineGives(page: String, source: String) throws {
        let document = try JSONDocument(bytes: Array(page.utf8))
        let short = RecordSelection(try JQProgram(source))
        // The same program in a form that is no plain path.
        let long = RecordSelection(try JQProgram("(\(source)) | first(., empty)"))
        #expect(short.countsAll && !long.countsAll)
        func texts(_ selection: RecordSelection) -> [String]? {
            (try? selection.records(of: document, []))?.map(\.value.compactText)
        }
        #expect(texts(short) == texts(long))
    }
}
