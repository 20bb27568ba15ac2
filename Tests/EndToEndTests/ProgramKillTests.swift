import Foundation
import Glibc
import LosslessJSON
import TestKit
import Testing

/// The built program and the program that it reads, killed at random moments, over and over.
///
/// `PLUGHOST_KILLS` says how often (12 of these), `PLUGHOST_SIMULATION_SEED` with which chance.
@Suite(
    .enabled(if: BuiltProgram.path != nil, "the program 'plughost' is not beside the tests: build it first"),
    .needsBubblewrap
)
struct ProgramKillTests {
    private static let environment = ProcessInfo.processInfo.environment
    private static let kills = environment["PLUGHOST_KILLS"].flatMap { Int($0) } ?? 12
    private static let seed = environment["PLUGHOST_SIMULATION_SEED"].flatMap { UInt64($0) } ?? 20_261_125

    @Test(arguments: [true, false])
    func losesAndDoublesNothingAndLeavesNoProcessBehind(_ isTrusted: Bool) async throws {
        let executioner = Executioner()
        var chance = SplitMix(state: Self.seed &+ (isTrusted ? 0 : 1))
        try await ProgramWorld.with { world in
            world.hear { executioner.hear() }
            try world.write(config: "pause: 0.002", exec: "limits: {time: 10m}")
            var (kills, last) = (0, 0)
            while kills < Self.kills {
                let added = Int.random(in: 3...40, using: &chance)
                world.add(last + 1...last + added)
                last += added
                var (isDone, lives) = (false, 0)
                while !isDone {
                    lives += 1
                    let running = try BuiltProgram.start(
                        world.arguments(["--wait", "10m"], isTrusted: isTrusted),
                        in: world.folder
                    )
                    let process = running.process.processIdentifier
                    if lives < 12, Int.random(in: 0..<10, using: &chance) > 0 {
                        let posts = Int.random(in: 0...3, using: &chance)
                        let delay = UInt32.random(in: 0...(posts == 0 ? 900_000 : 4_000), using: &chance)
                        executioner.condemn(process, afterRequests: posts, delay: delay)
                    }
                    let ended = try await running.finish()
                    executioner.release()
                    try FileManager.default.removeItem(atPath: running.folder)
                    if running.process.terminationReason == .uncaughtSignal {
                        kills += 1
                    } else {
                        try #require([0, 69, 75].contains(ended.status), "seed \(Self.seed): \(ended)")
                        isDone = ended.status == 0
                    }
                    try #require(lives < 20, "seed \(Self.seed), kill \(kills): it does not come to an end: \(ended)")
                    let stored = world.stored
                    try #require(Set(stored).count == stored.count, "seed \(Self.seed), kill \(kills): stored twice")
                }
                try #require(
                    world.stored.sorted() == ProgramWorld.identities(1...last),
                    "seed \(Self.seed), kill \(kills): records are missing"
                )
            }
            try await blocking { Self.waitForTheEnd(of: world.folder) }
            #expect(kills >= Self.kills)
        }
    }

    /// Waits until no process of the program is left: the keeper kills them when plughost has gone, and nothing else tells when.
    private static func waitForTheEnd(of folder: String) {
        // The program lies in a folder of the test's own.
        while !Processes.with(folder).isEmpty { usleep(10_000) }
    }
}
