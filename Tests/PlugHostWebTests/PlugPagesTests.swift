import OAuth
import PlugCore
import PlugManifest
import Syncing
import Testing

@testable import PlugHostWeb

/// What the pages of plugs say whose service is closed, or not for everybody.
struct PlugPagesTests {
    private func world(_ names: [String], clients: [String] = []) async throws -> WebWorld {
        let manifests = try names.map { name in
            let folder = #filePath.split(separator: "/").dropLast(3).joined(separator: "/")
            return try #require(try ManifestReader.load("/\(folder)/Plugs/\(name)").manifest)
        }
        let known = clients.map { ($0, ClientIdentity(id: "client", secret: Secret("s"), place: .body)) }
        let content = HostPlugs.Content(manifests, clients: Dictionary(uniqueKeysWithValues: known))
        return try await WebWorld(plugs: HostPlugs(content))
    }

    private func page(_ path: String) async throws -> String {
        let world = try await world(["fitbit", "google-health", "twitter"], clients: ["twitter"])
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

    @Test func whatCannotBeConnectedHereSaysWhyAndHasNoWayToConnect() async throws {
        let world = try await world(["netflix", "spotify", "twitter", "wikipedia"])
        let browser = TestBrowser(world)
        let list = await browser.get("/plugs").text
        #expect(list.matches(of: /Only from the shell\./).count == 1, "netflix")
        #expect(list.matches(of: /Not available here yet\./).count == 2, "spotify and twitter have no client")
        for (plug, why) in [
            ("netflix", "It reads a file that you download from the service"),
            ("spotify", "has not registered it with the service yet"),
        ] {
            let page = await browser.get("/plugs/\(plug)").text
            #expect(page.contains("This plug cannot be connected here.") && page.contains(why), "\(page)")
            #expect(!page.contains("/plugs/\(plug)/connect"))
            _ = await browser.get("/plugs/wikipedia/connect")
            for answer in [
                await browser.get("/plugs/\(plug)/connect"),
                await browser.submit("/plugs/\(plug)/connect", [("pda", "ada.example.org")]),
            ] {
                #expect(answer.status == 409 && answer.text.contains(why), "\(plug): \(answer.status)")
            }
        }
        #expect(await browser.get("/plugs/wikipedia").text.contains("/plugs/wikipedia/connect"))
    }

    @Test func aPlugThatReadsAFileSaysNothingElse() async throws {
        let page = await TestBrowser(try await world(["apple-health"])).get("/plugs/apple-health").text
        for sentence in [
            "It reads from the file that it is given, and nowhere else.", "It logs in nowhere:",
            "It needs a file: The export of the app Health (export.zip).",
        ] {
            #expect(page.contains(sentence), "\(sentence)")
        }
        #expect(!page.contains("everybody can read") && !page.contains("It asks you for"))
    }

    @Test func closedOnesComeLast() async throws {
        let page = try await page("/plugs")
        let places = ["twitter", "google-health", "fitbit"].map { page.firstRange(of: "/plugs/\($0)\"")?.lowerBound }
        #expect(places.allSatisfy { $0 != nil } && places.compactMap(\.self) == places.compactMap(\.self).sorted())
    }
}
