import Foundation
import Glibc
import LosslessJSON
import PlugCore
import PlugStorage
import TestKit
import Testing

/// `keys rotate` while `serve` runs, killed in the middle.
@Suite(
    .enabled(if: BuiltProgram.path != nil, "the program 'plughost' is not beside the tests: build it first"),
    .fewAtATime
)
struct RotationTests {
    private static let connections = 12_000
    private static let kills = 4

    /// Many connections that nobody runs.
    private func fill(_ folder: String) async throws {
        let store = try await SQLiteStore.open(folder: folder, access: .write(wait: .zero), credentials: nil)
        try await withThrowingDiscardingTaskGroup { group in
            for number in 0..<Self.connections {
                group.addTask {
                    _ = try await store.openConnection(ConnectionID("c\(number)"), plug: "plain", pda: "https://a.net")
                }
            }
        }
        await store.close()
    }

    private func key(_ folder: String) throws -> Data { try Data(contentsOf: URL(filePath: folder + "/key")) }

    @Test func aHostGoesOnWhileItsKeyIsChangedHoweverOftenThatIsKilled() async throws {
        let asked = Watched<[String]>([])
        try await PlainWorld.with { request in
            asked.change { $0.append(request.target) }
            return .whole(200, #"{"items":[{"id":"\#(request.target)"}]}"#)
        } _: { world in
            let state = world.folder + "/state"
            try await fill(state)
            let old = try key(state)
            let serve = [
                "serve", world.folder + "/plug.yaml", "--listen", "127.0.0.1:0", "--json", "--state", state,
                "--allow-network", "127.0.0.0/8",
            ]
            let (output, before) = (Pipe(), asked.value.count)
            let host = try BuiltProgram.start(serve, in: world.folder, output: output)
            _ = try await blocking { output.fileHandleForReading.availableData }
            #expect(before == 0)
            var chance = SplitMix(state: 20_261_123)
            var killed = 0
            for round in 0..<Self.kills {
                let rotation = try BuiltProgram.start(["keys", "rotate", "--json", "--state", state], in: world.folder)
                // Its first step shows in the folder: from then on it is killed at any time.
                try await blocking {
                    while access(state + "/key.next", F_OK) != 0, rotation.process.isRunning { usleep(200) }
                }
                let delay = UInt32.random(in: 0...60_000, using: &chance)
                _ = try await blocking { usleep(delay) }
                kill(rotation.process.processIdentifier, SIGKILL)
                if try await rotation.finish().status == SIGKILL { killed += 1 }
                // A connection that is made half way is run by the host that has begun with the old key.
                let name = "ada\(round)"
                let added = try await BuiltProgram.run(
                    [
                        "connection", "add", name, world.folder + "/plug.yaml", "--config", "user=\(name)", "--pda",
                        "http://\(world.pda.authority)", "--token-file", world.folder + "/token", "--state", state,
                        "--every", "1d",
                    ],
                    in: world.folder
                )
                #expect(added.status == 0, "\(added)")
                await asked.wait { $0.contains("/\(name)") }
            }
            #expect(killed > 0)
            kill(host.process.processIdentifier, SIGKILL)
            _ = try await host.finish()
            // What was left the next host ends by itself.
            let again = Pipe()
            let second = try BuiltProgram.start(serve, in: world.folder, output: again)
            _ = try await blocking { again.fileHandleForReading.availableData }
            let rotated = try await BuiltProgram.run(
                ["keys", "rotate", "--json", "--wait", "60s", "--state", state],
                in: world.folder
            )
            #expect(rotated.status == 0, "\(rotated)")
            let check = try await BuiltProgram.run(["state", "check", "--json", "--state", state], in: world.folder)
            let found = try JSONValue(parsing: check.output)
            #expect(found["problems"] == .array([]), "\(check)")
            #expect(found["connections"] == .integer(Self.connections + Self.kills))
            second.process.terminate()
            #expect(try await second.finish().status == 0)
            #expect(try key(state) != old && access(state + "/key.next", F_OK) != 0)
        }
    }
}
