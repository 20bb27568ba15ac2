import PlugManifest
import Syncing
import Testing

@testable import PlugHostWeb

/// What the pages of plugs say whose service is closed, or not for everybody.
struct PlugPagesTests {
    private func page(_ path: String) async throws -> String {
        let manifests = try ["fitbit", "google-health", "twitter"].map { name in
            let folder = #filePath.split(separator: "/").dropLast(3).joined(separator: "/")
            return try #require(try ManifestReader.load("/\(folder)/Plugs/\(name)").manifest)
        }
        let world = try await WebWorld(plugs: HostPlugs(HostPlugs.Content(manifests, clients: [:])))
        return await TestBrowser(world).get(path).text
    }

    @Test func aClosedOneCannotBeConnectedAndLeadsToItsSuccessor() async throws {
        let page = try await page("/plugs/fitbit")
        #expect(
            page.contains(
                "<p><b class=\"warn\">No new connections are possible.</b> Fitbit closed its Web API at the end of September 2026. "
                    + "<a href=\"/plugs/google-health\">"
            )
        )
        #expect(!page.contains("/plugs/fitbit/connect"))
    }

    @Test func aLimitedOneSaysForWhomItIs() async throws {
        let page = try await page("/plugs/twitter")
        #expect(
            page.contains("<b class=\"warn\">Not everybody can connect this plug.</b> X charges for each post that")
        )
        #expect(page.contains("/plugs/twitter/connect"))
    }

    @Test func closedOnesComeLast() async throws {
        let page = try await page("/plugs")
        let places = ["google-health", "twitter", "fitbit"].map { page.firstRange(of: "/plugs/\($0)\"")?.lowerBound }
        #expect(places.allSatisfy { $0 != nil } && places.compactMap(\.self) == places.compactMap(\.self).sorted())
    }
}
