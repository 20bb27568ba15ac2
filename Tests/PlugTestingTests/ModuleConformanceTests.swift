import LosslessJSON
import PlugCore
import PlugManifest
import PlugModules
import PlugTesting
import Testing

/// Fetchers in Swift are killed, interrupted and asked once more; each mistake fails in the scenario that is meant for it.
struct ModuleConformanceTests {
    /// Asks for one page after the other.
    private struct Good: StreamFetcher {
        private let context: FetchContext
        init(_ context: FetchContext) { self.context = context }

        func page(after cursor: JSONValue?) async throws -> StreamPage {
            let page = Int(cursor?.number?.int64 ?? 1)
            let answer = try await context.send(FetchRequest("/things", query: ["page": "\(page)"])).json()
            let things = answer.elements ?? []
            return StreamPage(things, cursor: .integer(things.isEmpty ? page : page + 1), isLast: things.isEmpty)
        }
    }

    /// Counts the pages in its memory, and not in its cursor.
    private struct Forgetful: StreamFetcher {
        private let context: FetchContext
        private var page = 0
        init(_ context: FetchContext) { self.context = context }

        mutating func page(after cursor: JSONValue?) async throws -> StreamPage {
            page += 1
            let answer = try await context.send(FetchRequest("/things", query: ["page": "\(page)"])).json()
            let things = answer.elements ?? []
            let next = 1 + Int(cursor?.number?.int64 ?? 100)
            return StreamPage(things, cursor: .integer(next), isLast: things.isEmpty)
        }
    }

    /// Its cursor leads behind a page that was not given yet.
    private struct Hasty: StreamFetcher {
        private let context: FetchContext
        private var ahead: [JSONValue]?
        init(_ context: FetchContext) { self.context = context }

        mutating func page(after cursor: JSONValue?) async throws -> StreamPage {
            let page = Int(cursor?.number?.int64 ?? 1)
            let things: [JSONValue]
            if let ahead { things = ahead } else { things = try await read(page) }
            let next = things.isEmpty ? [] : try await read(page + 1)
            ahead = next
            // One page too far.
            return StreamPage(things, cursor: .integer(page + (page == 1 ? 2 : 1)), isLast: next.isEmpty)
        }

        private func read(_ page: Int) async throws -> [JSONValue] {
            try await context.send(FetchRequest("/things", query: ["page": "\(page)"])).json().elements ?? []
        }
    }

    private func cases(_ fetcher: any StreamFetcher.Type) async throws -> [PlugTestReport.Case] {
        func exchange(_ page: Int, _ body: String) -> String {
            #"{"request": {"method": "GET", "url": "https://api.example.org/things?page=\#(page)"}, "response": {"status": 200, "body": \#(body)}}"#
        }
        let pages = ["[{\"id\": 1}, {\"id\": 2}]", "[{\"id\": 3}]", "[{\"id\": 4}]", "[]"]
        let exchanges = pages.enumerated().map { exchange($0 + 1, $1) }.joined(separator: ", ")
        let plug = try WrittenPlug(
            streams: "things: {endpoint: things, key: [.id], version: none, swift: \(fetcher.name)}",
            fixtures: ["things.json": "{\"exchanges\": [\(exchanges)]}"]
        )
        let report = try await plug.test(conformance: true, fetchers: [fetcher])
        return report.cases.filter { $0.kind == .conformance }.map { report in
            var report = report
            report.message = report.message?.replacing("\(plug.folder)/", with: "")
            report.duration = .zero
            return report
        }
    }

    private static let killed = "things: killed after each page, and resumed"
    private static let interrupted = "things: interrupted in each request, and resumed"
    private static let repeated = "things: asked again for each page"

    @Test func aGoodFetcherPasses() async throws {
        #expect(
            try await cases(Good.self).map { "\($0.name): \($0.outcome)" } == [
                "\(Self.killed): ok", "\(Self.interrupted): ok", "\(Self.repeated): ok",
            ]
        )
    }

    @Test func whatAFetcherKeepsInItsMemoryOnlyIsFound() async throws {
        let cases = try await cases(Forgetful.self)
        let failed = cases.filter { $0.outcome == .failed }.map(\.name)
        #expect(failed.contains(Self.repeated))
        #expect(
            cases.first { $0.name == Self.repeated }?.message == """
                plug.yaml:9:57: scenario 'asked again for each page' (fixtures/things.json)
                  expected: page 2 with the same records, by a fetcher that knows nothing but the cursor
                  happened: other records, or in another order
                help: the cursor alone must lead to the page: what a fetcher remembers may only save requests
                """
        )
    }

    @Test func aCursorThatLeadsTooFarIsFound() async throws {
        let failed = try await cases(Hasty.self).filter { $0.outcome == .failed }.map(\.name)
        #expect(failed.contains(Self.killed))
    }
}
