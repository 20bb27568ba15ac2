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
