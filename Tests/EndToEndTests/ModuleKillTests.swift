import Foundation
import LosslessJSON
import Synchronization
import TestKit
import Testing

/// A host with a fetcher in Swift of its own, `journal`, killed at random moments, over and over.
///
/// `PLUGHOST_KILLS` says how often (12 of these), `PLUGHOST_SIMULATION_SEED` with which chance.
@Suite(.enabled(if: BuiltProgram.journal != nil, "the program 'journal' is not beside the tests: build it first"))
struct ModuleKillTests {
    private static let environment = ProcessInfo.processInfo.environment
    private static let kills = environment["PLUGHOST_KILLS"].flatMap { Int($0) } ?? 12
    private static let seed = environment["PLUGHOST_SIMULATION_SEED"].flatMap { UInt64($0) } ?? 20_261_126

    @Test func everyEntryIsInThePDAOnceHoweverOftenItIsKilled() async throws {
        let executioner = Executioner()
        let world = ExportWorld { executioner.hear() }
        let source = try LoopbackServer.answering { world.source($0) }
        defer { source.stop() }
        let pda = try LoopbackServer.answering { world.pda($0) }
        defer { pda.stop() }
        var chance = SplitMix(state: Self.seed)
        try await BuiltProgram.withFolder { folder in
            try Self.write(source.authority, pda.authority, folder)
            let arguments = [
                "run", folder + "/plug.yaml", "--pda", "http://\(pda.authority)", "--token-file", folder + "/token",
                "--state", folder + "/state", "--connection", "ada", "--allow-network", "source=127.0.0.0/8",
            ]
            var (kills, last) = (0, 0)
            while kills < Self.kills {
                let added = Int.random(in: 3...40, using: &chance)
                world.add(last + 1...last + added)
                last += added
                var (isDone, lives) = (false, 0)
                while !isDone {
                    lives += 1
                    let running = try BuiltProgram.start(arguments, in: folder, program: BuiltProgram.journal)
                    if lives < 12, Int.random(in: 0..<10, using: &chance) > 0 {
                        let requests = Int.random(in: 0...12, using: &chance)
                        let delay = UInt32.random(in: 0...(requests == 0 ? 120_000 : 4_000), using: &chance)
                        executioner.condemn(
                            running.process.processIdentifier,
                            afterRequests: requests,
                            delay: delay
                        )
                    }
                    let ended = try await running.finish()
                    executioner.release()
                    try FileManager.default.removeItem(atPath: running.folder)
                    if running.process.terminationReason == .uncaughtSignal {
                        kills += 1
                    } else {
                        try #require(ended.status == 0, "seed \(Self.seed): \(ended)")
                        isDone = true
                    }
                    try #require(lives < 20, "seed \(Self.seed), kill \(kills): it does not come to an end: \(ended)")
                    let stored = world.stored
                    try #require(Set(stored).count == stored.count, "seed \(Self.seed), kill \(kills): stored twice")
                }
                try #require(
                    Set(world.stored) == Set((1...last).map { "journal/entries/\($0)" }),
                    "seed \(Self.seed), kill \(kills): entries are missing"
                )
            }
            #expect(kills >= Self.kills)
        }
    }

    @Test func itsHelpAndItsErrorsNameTheProgram() async throws {
        try await BuiltProgram.withFolder { folder in
            let help = try await BuiltProgram.start(["run", "--help"], in: folder, program: BuiltProgram.journal)
                .finish()
            #expect(help.status == 0)
            #expect(help.output.contains("USAGE: journal run"))
            let version = try await BuiltProgram.start(["--version"], in: folder, program: BuiltProgram.journal)
                .finish()
            #expect(version.output.hasPrefix("plughost "))
            let unknown = try await BuiltProgram.start(["rnu"], in: folder, program: BuiltProgram.journal).finish()
            #expect(unknown.status == 64)
            #expect(unknown.errors == "error: 'rnu' is not a command\n  help: did you mean 'run'?\n")
        }
    }

    private static func write(_ source: String, _ pda: String, _ folder: String) throws {
        try Data(
            """
            plug: journal
            api: 1
            version: 1.0.0
            hosts: ["\(source)"]
            http: {base: "http://\(source)", retry: {tries: 3, max_wait: 1s}}
            streams:
              entries:
                endpoint: entries
                swift: {fetcher: JournalExport, options: {pause_seconds: 1}}
                key: .number
                version: none

            """.utf8
        ).write(to: URL(filePath: folder + "/plug.yaml"))
        try HandmadeToken.write(application: "journal", of: pda, to: folder + "/token")
    }
}

/// A service that makes exports on demand, and a PDA that never forgets.
private final class ExportWorld: Sendable {
    private struct State {
        var entries: [Int] = []
        /// The entries of each export.
        var exports: [[Int]] = []
        var stored: [String] = []
        var present: Set<JSONValue> = []
    }

    /// How many entries a part has.
    private static let size = 5
    private let state = Mutex(State())
    private let hearer: @Sendable () -> Void

    /// - Parameter hearer: Told of every request.
    init(hearer: @escaping @Sendable () -> Void) { self.hearer = hearer }

    var stored: [String] { state.withLock { $0.stored } }
    func add(_ entries: ClosedRange<Int>) { state.withLock { $0.entries += entries } }

    func source(_ request: LoopbackServer.Request) -> LoopbackServer.Answer {
        hearer()
        return state.withLock { state in
            if request.method == "POST" {
                let since = (try? JSONValue(parsing: request.body))?["since"]?.number?.int64 ?? 0
                state.exports.append(state.entries.filter { $0 > since })
                return .whole(201, #"{"id": "e\#(state.exports.count)"}"#)
            }
            let parts = request.target.split(separator: "/").map(String.init)
            guard parts.count > 1, let number = Int(parts[1].dropFirst()), state.exports.indices.contains(number - 1)
            else { return .whole(404, "{}") }
            let entries = state.exports[number - 1]
            if parts.count == 2 {
                let count = (entries.count + Self.size - 1) / Self.size
                return .whole(200, #"{"state": "done", "parts": \#(count)}"#)
            }
            let part = entries.dropFirst(((Int(parts[3]) ?? 1) - 1) * Self.size).prefix(Self.size)
            return .whole(200, part.map { "\($0)\t2026-11-20T08:00:00Z\tEntry \($0)\n" }.joined())
        }
    }

    func pda(_ request: LoopbackServer.Request) -> LoopbackServer.Answer {
        hearer()
        return state.withLock { state in
            let records = (try? JSONValue(parsing: request.body))?.elements ?? []
            let isNew = { (record: JSONValue) in !state.present.contains(record) }
            if !request.target.contains("skipErrors"), !records.allSatisfy(isNew) {
                return .whole(400, #"{"message":"Bad Request","cause":"Duplicate data - Duplicate data"}"#)
            }
            let accepted = records.filter(isNew)
            state.present.formUnion(accepted)
            state.stored += accepted.map { $0["_id"]?.stringText ?? "without _id" }
            let echo = accepted.map {
                #"{"endpoint":"journal/entries","recordId":"9b","data":\#($0.compactText)}"#
            }
            return .whole(201, "[\(echo.joined(separator: ","))]")
        }
    }
}
