import PlugManifest
import Testing

@testable import PlugHostCLI

/// What commands say of a plug whose service is closed, or not for everybody.
struct ServiceStatusTests {
    @Test func aClosedServiceIsNamedWithItsSuccessor() throws {
        let manifest = try #require(try ManifestReader.load(Program.root + "/Plugs/fitbit").manifest)
        #expect(
            manifest.statusWarning
                == "fitbit: the service accepts no new people: Fitbit closed its Web API at the end of September "
                + "2026. Use the plug 'google-health' instead"
        )
    }

    @Test func theCommandGoesOn() async throws {
        try await Program.withFolder { folder in
            let added = await Program.run([
                "connection", "add", "ada", Program.root + "/Plugs/twitter", "--pda", "https://ada.example", "--state",
                folder + "/state",
            ])
            #expect(
                added.errors.split(separator: "\n").prefix(2) == [
                    "warning: [service-limited] twitter: not everybody can use the service: X charges for each post that it delivers",
                    "error: [client-missing] this host has no OAuth client for the provider 'twitter'",
                ]
            )
        }
    }
}
