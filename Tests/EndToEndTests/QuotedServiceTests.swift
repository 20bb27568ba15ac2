import Foundation
import TestKit
import Testing

/// What a service says about a person goes nowhere but to who looks at requests.
@Suite(
    .enabled(if: BuiltProgram.path != nil, "the program 'plughost' is not beside the tests: build it first"),
    .fewAtATime
)
struct QuotedServiceTests {
    @Test func itIsShownByADryRunAndNeitherToldNorKeptByOneThatDelivers() async throws {
        try await PlainWorld.with(source: { _ in .whole(403, #"{"message":"Lovelace may not"}"#) }) { world in
            let user = ["--config", "user=augusta-ada"]
            let told = ["/… was answered with 403", "it says: <16 characters, shown by --dry-run>"]
            let ended = try await world.run(world.connection("ada") + user)
            for text in told { #expect((ended.output + ended.errors).contains(text), "\(ended)") }
            // A request that no page came of is one, too.
            #expect(ended.output.contains(#""requests":1,"#), "\(ended)")
            let state = ["--state", world.folder + "/state"]
            let listed = try await BuiltProgram.run(["runs", "list", "--json"] + state, in: world.folder)
            for text in told { #expect(listed.output.contains(text), "\(listed)") }
            let files = try FileManager.default.contentsOfDirectory(atPath: world.folder + "/state").map { name in
                try Data(contentsOf: URL(filePath: "\(world.folder)/state/\(name)"))
            }
            for name in ["Lovelace", "augusta-ada"] {
                #expect(!"\(ended) \(listed)".contains(name))
                #expect(!files.contains { $0.range(of: Data(name.utf8)) != nil })
            }
            let dry = try await world.run(user + ["--dry-run"])
            #expect(dry.errors.contains("it says: Lovelace may not"), "\(dry)")
        }
    }
}
