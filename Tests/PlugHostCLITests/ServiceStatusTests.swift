import PlugCore
import TestKit
import Testing

@testable import PlugHostCLI

/// What a command says of a plug whose service is closed.
struct ServiceStatusTests {
    @Test func aClosedServiceIsNamedWithItsSuccessorAndTheCommandGoesOn() async throws {
        try await withFolder { folder in
            let manifest = try Manifests.load(Program.root + "/Plugs/fitbit", in: CommandContext.system)
            #expect(
                manifest.statusWarning
                    == "fitbit: the service is closed to new people: Fitbit closed its Web API at the end of September 2026. "
                    + "Use the plug 'google-health' instead"
            )
            let added = await Program.run([
                "connection", "add", "ada", Program.root + "/Plugs/twitter", "--pda", "https://ada.example", "--state", folder,
            ])
            #expect(
                added.errors.hasPrefix(
                    "warning: [service-limited] twitter: not everybody can use the service: X charges for each post that it "
                        + "delivers\n"
                ),
                "\(added.errors)"
            )
        }
    }
}
