import Foundation
import Glibc
import LosslessJSON
import PlugCore
import PlugStorage
import TestKit
import Testing

/// The built program, killed at random moments and started again until a run ends well, over and over.
///
/// `PLUGHOST_KILLS` says how often (25; `make simulate` kills it more often), `PLUGHOST_SIMULATION_SEED` with which chance.
///
/// It runs beside all others and not in a turn of `.fewAtATime`: its servers are threads, its clients are processes, and it
/// waits longer than any other for what both do with each other.
@Suite(.enabled(if: BuiltProgram.path != nil, "the program 'plughost' is not beside the tests: build it first"))
struct RealKillTests {
    private static let environment = ProcessInfo.processInfo.environment
    private static let kills = environment["PLUGHOST_KILLS"].flatMap { Int($0) } ?? 25
    private static let seed = environment["PLUGHOST_SIMULATION_SEED"].flatMap { UInt64($0) } ?? 20_261_121
    private static let streams = ["things", "notes"]

    @Test func losesAndDoublesNothingHoweverOftenItIsKilled() async throws {
        let executioner = Executioner()
        let world = KillWorld(seed: Self.seed) { executioner.hear() }
        let source = try LoopbackServer.answering { world.source($0) }
        defer { source.stop() }
        let pda = try LoopbackServer.answering { world.pda($0) }
        defer { pda.stop() }
        let folder = NSTemporaryDirectory() + "plughost-kills-\(UUID().uuidString)"
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: folder) }
        try write(source.authority, pda.authority, folder)
        let arguments = [
            "run", folder + "/plug.yaml", "--pda", "http://\(pda.authority)", "--token-file", folder + "/token",
            "--state", folder + "/state", "--connection", "ada", "--json", "--allow-network", "source=127.0.0.0/8",
        ]
        var chance = SplitMix(state: Self.seed)
        var watermarks: [String: String] = [:]
        var kills = 0
        while kills < Self.kills {
            world.change()
            var (isDone, life) = (false, 0)
            while !isDone {
                life += 1
                // In the end it is left in peace, so that every round comes to its end.
                let isInPeace = life > 30
                world.setFaults(isInPeace ? 0 : Int.random(in: 0...60, using: &chance))
                let running = try BuiltProgram.start(arguments, in: folder)
                let process = running.process.processIdentifier
                if !isInPeace, Int.random(in: 0..<10, using: &chance) > 0 {
                    let requests = Int.random(in: 0...16, using: &chance)
                    let longest: UInt32 = requests == 0 ? 120_000 : requests % 2 == 0 ? 8_000 : 300
                    let delay = UInt32.random(in: 0...longest, using: &chance)
                    executioner.condemn(process, afterRequests: requests, delay: delay)
                }
                let ended = try await running.finish()
                executioner.release()
                try FileManager.default.removeItem(atPath: running.folder)
                if running.process.terminationReason == .uncaughtSignal {
                    try #require(ended.status == SIGKILL, "seed \(Self.seed), kill \(kills)")
                    kills += 1
                } else {
                    // 1: a record has become a dead letter; 65, 69, 75, 76: a fault was met.
                    try #require([0, 1, 65, 69, 75, 76].contains(ended.status), "seed \(Self.seed): \(ended)")
                    isDone = ended.status == 0
                }
                try #require(life < 40, "seed \(Self.seed), kill \(kills): it does not come to an end: \(ended)")
                try await audit(world, folder, &watermarks, isDone: isDone, "seed \(Self.seed), kill \(kills)")
            }
        }
        #expect(kills >= Self.kills)
    }

    private func write(_ source: String, _ pda: String, _ folder: String) throws {
        try Data(
            """
            plug: kills
            api: 1
            version: 1.0.0
            hosts: ["\(source)"]
            http: {base: "http://\(source)", retry: {tries: 3, max_wait: 1s}}
            streams:
              things:
                endpoint: things
                request: {path: /things}
                records: .items
                page: {number: {param: page, from: 1}}
                since: {field: .changed, type: time, send: {query: {since: epoch}}}
                key: [.id]
                version: .version
              notes:
                endpoint: notes
                request: {path: /notes}
                records: .items
                page: {cursor: {from: .next, param: after}}
                key: [.id]
                version: .version

            """.utf8
        ).write(to: URL(filePath: folder + "/plug.yaml"))
        try HandmadeToken.write(application: "kills", of: pda, to: folder + "/token")
    }

    /// Nothing is in the PDA twice or a stranger, the watermark never goes back, and where a run has ended well
    /// everything is in its place.
    private func audit(
        _ world: KillWorld,
        _ folder: String,
        _ watermarks: inout [String: String],
        isDone: Bool,
        _ place: String
    ) async throws {
        let stored = world.stored
        try #require(Set(stored).count == stored.count, "\(place): a record is stored twice")
        try #require(world.violations == [], "\(place)")
        guard FileManager.default.fileExists(atPath: folder + "/state/plughost.db") else { return }
        let store: SQLiteStore
        do { store = try await SQLiteStore.open(folder: folder + "/state", access: .read) } catch {
            // Killed while it made its first store, it has left nothing that could be read yet.
            guard !isDone, stored.isEmpty else { throw error }
            return
        }
        for stream in Self.streams {
            let id = StreamID(connection: ConnectionID("ada"), stream: stream)
            guard let state = try await store.state(of: id, part: "") else { continue }
            let watermark = try JSONValue(parsing: state.bytes)["watermark"]?.stringText ?? ""
            try #require(watermark >= watermarks[stream] ?? "", "\(place): the watermark of \(stream) went back")
            watermarks[stream] = watermark
        }
        if isDone {
            let letters = try await store.deadLetters(DeadLetterFilter()).map(\.letter.identity)
            let (expected, refused) = world.expected
            try #require(expected.subtracting(stored).isEmpty, "\(place): records are missing")
            try #require(letters.sorted() == refused.sorted(), "\(place)")
            try #require(try await store.outboxSize(of: nil).batches == 0, "\(place)")
        }
        await store.close()
    }
}
