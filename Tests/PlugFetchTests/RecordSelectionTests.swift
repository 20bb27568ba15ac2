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
        [
            ".", ".items", ".items[]", ".items[].a", ".items[0]", ".items[-1]", ".[0].items", ".items.id",
            ".items[] | select(.id > 1)", ".items | select(.id == 1)", "select(.items)",
            ".items | .[] | select(.id) | select(.a)",
        ]
    )
    func givesWhatTheEngineGives(page: String, source: String) throws {
        let document = try JSONDocument(bytes: Array(page.utf8))
        let short = RecordSelection(try JQProgram(source))
        // The same program in a form that is no plain path.
        let long = RecordSelection(try JQProgram("(\(source)) | first(., empty)"))
        func texts(_ selection: RecordSelection) -> [String]? {
            (try? selection.records(of: document.root, []))?.map(\.value.compactText)
        }
        #expect(texts(short) == texts(long))
    }

    @Test(
        "an empty object in the place of a list is an empty list, and as a whole answer it may be anything",
        arguments: [".items", ".items // []", ".items | select(true)"]
    )
    func emptyObjects(source: String) throws {
        let selection = RecordSelection(try JQProgram(source))
        func records(_ page: String) throws -> (texts: [String], showsList: Bool) {
            let document = try JSONDocument(bytes: Array(page.utf8))
            return (
                try selection.records(of: document.root, []).map(\.value.compactText), selection.showsList(in: document)
            )
        }
        let none = try records(#"{"items":{ }}"#)
        #expect(none.texts == [] && none.showsList)
        let whole = RecordSelection(try JQProgram("."))
        let answer = try JSONDocument(bytes: Array("{}".utf8))
        #expect(try whole.records(of: answer.root, []).isEmpty)
        #expect(!whole.showsList(in: answer))
        #expect(try records(#"{"items":[]}"#).showsList)
        #expect(try records(#"{"items":{"id":1}}"#).texts == [#"{"id":1}"#])
        #expect(try records(#"{"items":[{}]}"#).texts == ["{}"])
    }

    /// What a program only selects is not copied, however large the page.
    @Test(arguments: [
        ".items[] | select(.id > 1)", ".items | map(select(.id > 1))", "[.items[] | select(.id > 1)]",
        ".items | sort_by(-.id) | .[:2]", "[.items[1:][]]", "first(.items[]), .items[-1]", ".none // .items",
    ])
    func selectedRecordsStayInTheirPage(source: String) throws {
        let items = (0..<5_000).map { #"{"id":\#($0),"tags":["a","b"]}"# }
        let document = try JSONDocument(bytes: Array(#"{"items":[\#(items.joined(separator: ","))]}"#.utf8))
        let records = try RecordSelection(try JQProgram(source)).records(of: document.root, [])
        #expect(records.count > 1)
        #expect(records.allSatisfy { $0.document === document })
    }

    /// What a program opens of a page counts against its bytes.
    @Test func aPageThatIsOpenedWholeMeetsTheLimit() throws {
        let text = #""\#(String(repeating: "x", count: 200))","#
        let document = try JSONDocument(bytes: Array("[\(String(repeating: text, count: 320_000))1]".utf8))
        let failure = #expect(throws: RecordSelection.Failure.self) {
            _ = try RecordSelection(try JQProgram("reverse")).records(of: document.root, [])
        }
        guard case .failed(let reason) = failure else {
            Issue.record("\(String(describing: failure))")
            return
        }
        #expect(reason.contains("bytes, the limit for one evaluation"))
    }

    @Test func aCancelledTaskIsToldFromAProgramThatFails() async throws {
        let document = try JSONDocument(bytes: Array("[1]".utf8))
        let selection = RecordSelection(try JQProgram("[range(1e9)]"))
        let failure = await Task {
            withUnsafeCurrentTask { $0?.cancel() }
            return #expect(throws: RecordSelection.Failure.self) { _ = try selection.records(of: document.root, []) }
        }.value
        #expect(failure == .interrupted)
    }

    /// What the page lists counts, not what `records` makes of it: a page that a filter empties is not the last.
    @Test(arguments: [
        (".items", 3), (".items[]", 3), (".items[] | select(.id > 5)", 3), ("[.items[] | select(.id > 5)]", 3),
        (".items | map(select(.id > 5))", 3), (".items // []", 3), (".items[].tags[]", 3), (".", 1), (".none", 0),
        (".none // []", 0), (".items?", 3), ("to_entries", nil), ("(.items + .more)[]", nil), ("map(.id)", nil),
        (".items[]?", 3), (".items[0]", 1), (".none[]", nil),
    ])
    func countsWhatTheSourceLists(source: String, expected: Int?) throws {
        let page = #"{"items":[{"id":1,"tags":[]},{"id":2,"tags":["a","b"]},{"id":3,"tags":[]}]}"#
        let document = try JSONDocument(bytes: Array(page.utf8))
        #expect(RecordSelection(try JQProgram(source)).sourceCount(of: document) == expected)
    }
}
