import LosslessJSON
import PlugCore
import PlugModules
import Testing

/// The fetchers of a host, by name.
struct FetcherRegistryTests {
    private struct Things: StreamFetcher {
        init(_ context: FetchContext) {}
        func page(after cursor: JSONValue?) async throws -> StreamPage { StreamPage([], cursor: nil, isLast: true) }
    }

    private struct Others: StreamFetcher {
        static let name = "Things"
        init(_ context: FetchContext) {}
        func page(after cursor: JSONValue?) async throws -> StreamPage { StreamPage([], cursor: nil, isLast: true) }
    }

    private struct Nameless: StreamFetcher {
        static let name = "my things"
        init(_ context: FetchContext) {}
        func page(after cursor: JSONValue?) async throws -> StreamPage { StreamPage([], cursor: nil, isLast: true) }
    }

    @Test func aFetcherIsCalledByItsTypeUnlessItSaysOtherwise() throws {
        let registry = try FetcherRegistry([Things.self])
        #expect(registry.names == ["Things"])
        #expect(registry["Things"] == Things.self)
        #expect(registry["things"] == nil)
    }

    @Test func twoFetchersOfOneNameAreRefused() {
        #expect {
            try FetcherRegistry([Things.self, Others.self])
        } throws: { error in
            "\(error)" == """
                error: [fetcher-twice] the fetchers Things and Others are both called 'Things'
                  help: give one of them another static 'name'
                """
        }
    }

    @Test func aNameThatCannotStandInAManifestIsRefused() {
        #expect {
            try FetcherRegistry([Nameless.self])
        } throws: { error in
            "\(error)" == """
                error: [fetcher-name] 'my things' is not a name for a fetcher
                  help: give Nameless a static 'name' of 1 to 64 letters, digits, '_', '-' and '.'
                """
        }
    }
}
