import BundledFetchers
import PlugModules
import Testing

struct BundledFetchersTests {
    @Test func allOfThemCanBeNamedInManifests() throws {
        #expect(try FetcherRegistry(BundledFetchers.all).names == ["JMAPEmails", "MatrixTimeline"])
    }
}
