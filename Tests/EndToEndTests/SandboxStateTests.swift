import Foundation
import TestKit
import Testing

/// A sandbox that runs, and commands that work on its folder meanwhile.
@Suite(
    .enabled(if: BuiltProgram.path != nil, "the program 'plughost' is not beside the tests: build it first"),
    .fewAtATime
)
struct SandboxStateTests {
    @Test func whoSetsAPlugUpLeavesARunningSandboxTheFilesThatItWritesTo() async throws {
        let root = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../..").standardized.path
        let plugs = ["wikipedia", "mastodon"].map { "\(root)/Plugs/\($0)" }
        try await BuiltProgram.withFolder { folder in
            let state = folder + "/sandbox"
            try await BuiltProgram.withSandbox(state, in: folder, plugs: plugs) { _, _ in
                for plug in plugs {
                    let ended = try await BuiltProgram.run(
                        ["sandbox", "token", plug, "--state", state, "--out", folder + "/token"],
                        in: folder
                    )
                    #expect(ended.status == 0, "\(ended.errors)")
                    // SQLite removes its log when the last process closes the database: that is not this one.
                    #expect(FileManager.default.fileExists(atPath: state + "/sandbox.db-wal"))
                }
            }
        }
    }
}
