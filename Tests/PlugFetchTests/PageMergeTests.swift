import LosslessJSON
import PlugCore
import Testing

@testable import PlugFetch

struct PageMergeTests {
    private let yaml = """
        http: {base: "https://api.test"}
        streams:
          list: {request: {path: /things}, records: .results, key: .id}
          details: {endpoint: d, key: .id, version: none, for_each: {in: list}, request: {path: "/things/{{ parent.id }}"}}

        """

    @Test("what came before a page is what came before its first part")
    func preceding() throws {
        func merged(_ pages: [(records: String, preceding: Int)]) throws -> WalkedPage? {
            var merge = PageMerge()
            for page in pages {
                let records = try JSONDocument(bytes: Array(page.records.utf8)).root.elements ?? []
                var walked = WalkedPage(
                    records: records,
                    mark: .null,
                    following: nil,
                    cost: FetchedPage.Cost(),
                    origin: ""
                )
                walked.preceding = page.preceding
                merge.add(walked)
            }
            return try merge.merged()
        }
        let blocks = try merged([("[1,2]", 0), ("[3]", 2), ("[4]", 3)])
        #expect(blocks?.preceding == 0 && blocks?.isOfSeveralAnswers == false && blocks?.records.count == 4)
        let answers = try merged([("[1]", 7), ("[2]", 0), ("[3]", 1)])
        #expect(answers?.preceding == 7 && answers?.isOfSeveralAnswers == true)
    }

    @Test func holdsChildrenThatAreAsDeepAsAPageMayBe() async throws {
        let depth = JSONLimits().depth
        let deep = String(repeating: "[", count: depth - 1) + String(repeating: "]", count: depth - 1)
        let source = Script { request, _ in
            let parts = request.path.split(separator: "/")
            if parts.count == 1 { return .json(#"{"results":[{"id":1},{"id":2}]}"#) }
            return .json(#"{"id":\#(parts[1]),"deep":\#(deep)}"#)
        }
        let reading = try await Bench(yaml).read("details", from: source)
        #expect(reading.error == nil && reading.isComplete)
        #expect(reading.ids == [1, 2])
    }
}
