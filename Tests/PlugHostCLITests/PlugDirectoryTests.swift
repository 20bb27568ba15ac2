import LosslessJSON
import OAuth
import PlugCore
import PlugManifest
import Syncing
import Testing

@testable import PlugHostCLI

/// The plugs that a host lists for PDAs.
struct PlugDirectoryTests {
    @Test func onlyWhatCanBeConnectedIsListed() async throws {
        let manifests = try ["netflix", "spotify", "wikipedia"].map { name in
            try #require(try ManifestReader.load("\(Program.root)/Plugs/\(name)").manifest)
        }
        let client = ClientIdentity(id: "client", secret: Secret("s"), place: .body)
        for (clients, listed) in [([:], ["wikipedia"]), (["spotify": client], ["spotify", "wikipedia"])] {
            let plugs = HostPlugs(HostPlugs.Content(manifests, clients: clients))
            let directory = PlugDirectory(plugs, at: PublicAddress("https://plugs.example"))
            #expect(try await directory.definitions().map { $0["id"]?.stringText } == listed)
            #expect(try await directory.definition(of: "netflix") == nil)
        }
    }
}
