import JQ
import LosslessJSON
import Testing

@testable import PlugFetch

struct RecordSelectionTests {
    @Test(
        arguments: [
            #"{"items":[{"id":1},{"id":2}]}"#, #"{"items":[]}"#, #"{"items":[[1,2]]}"#, #"{"items":{"id":1}}"#,
            #"{"items":null}"#, #"{}"#, "[]", "null", "3", #"[{"items":[1]}]"#, #"{"items":"x"}"#,
            #"{"items":[1],"items":[2,3]}"#, #"{"i\u0074ems":[7]}"#, #"{"items":{"a":1,"a":2,"b":3}}"#,
            #"{"items":[12345678901234567890.10,9007199254740993]}"#, #"{"items":[null]}"#,
        ],
        [".", ".items", ".items[]", ".items[].a", ".items[0]", ".items[-1]", ".[0].items", ".items.id"]
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
