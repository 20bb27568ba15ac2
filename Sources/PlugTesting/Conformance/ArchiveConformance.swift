import LosslessJSON
import PlugCore
import PlugFetch
import PlugManifest
import PlugNormalise

/// Tests streams that are read from an archive: runs that are killed after each page and resumed, and a second run over the same
/// archive.
struct ArchiveConformance {
    private let manifest: Manifest
    private let stream: PlugManifest.Stream
    private let cassette: Cassette
    private let config: JSONObject

    /// The maximum number of times that a run is killed: each time, the archive is read once more.
    private static let mostKills = 12
    /// More pages than any fixture has: with a limit, small pages are not merged.
    private static let allPages = 1_000_000

    /// All cases of a stream. The archive is that of the first fixture with records for it.
    static func run(
        _ stream: PlugManifest.Stream,
        _ manifest: Manifest,
        _ cassettes: [Cassette]
    ) async throws -> [PlugTestReport.Case] {
        for cassette in cassettes where stream.archive.map({ cassette.archives?.paths[$0.file] != nil }) == true {
            guard let config = try? cassette.answers(for: manifest), cassette.failure == nil else { continue }
            let test = ArchiveConformance(manifest: manifest, stream: stream, cassette: cassette, config: config)
            let plain = try await test.read()
            // An error in the fixture is reported by its own case.
            guard plain.error == nil, plain.isComplete, !plain.records.isEmpty else { continue }
            return [
                try await .timed { try await test.killed(plain) }, try await .timed { try await test.again(plain) },
            ]
        }
        let reason = "not simulated: no fixture has an archive with records of '\(stream.name)'"
        return [.init("\(stream.name): conformance", .conformance, .skipped, message: reason)]
    }

    private func killed(_ plain: SimulatedRun) async throws -> PlugTestReport.Case {
        let name = "\(stream.name): killed after a page, and resumed"
        for page in 1..<max(2, min(plain.pages, Self.mostKills)) {
            let first = try await read(pages: page)
            var second = try await read(from: first.states)
            second.records = first.records + second.records
            let happened =
                second.error.map { "[\($0.code)] \($0.message)" }
                ?? SimulatedRun.difference(plain.ledger(stream), second.ledger(stream))
            if let happened {
                let advice =
                    "nothing in 'map' may depend on when it is read, and 'entries' must name the same files each time"
                return failed(name, "the same records as without the interruption after page \(page)", happened, advice)
            }
        }
        return .init(name, .conformance, .ok)
    }

    private func again(_ plain: SimulatedRun) async throws -> PlugTestReport.Case {
        let name = "\(stream.name): second run"
        let run = try await read(from: plain.states)
        if let error = run.error {
            return failed(name, "nothing to read", "[\(error.code)] \(error.message)", error.advice)
        }
        if run.records.isEmpty { return .init(name, .conformance, .ok) }
        return failed(
            name,
            "nothing to read",
            "\(run.records.count.counted("record")) of the same archive",
            nil
        )
    }

    private func failed(_ name: String, _ expected: String, _ happened: String, _ advice: String?)
        -> PlugTestReport.Case
    {
        let lines = [
            "\(stream.places["archive"]): scenario '\(name)'", "  expected: \(expected)", "  happened: \(happened)",
            "help: \(advice ?? "nothing may depend on when it is read")",
        ]
        return .init(name, .conformance, .failed, code: .conformanceFailed, message: lines.joined(separator: "\n"))
    }

    /// Reads the archive, record by record.
    private func read(from states: [String: StreamState] = [:], pages: Int? = nil) async throws -> SimulatedRun {
        var run = SimulatedRun()
        run.states = states
        do {
            var options = FetchOptions(pageLimit: Self.allPages)
            options.blockRecords = 1
            options.streams = [stream.name]
            let replay = FixtureReplay(manifest, cassette, config)
            let fetcher = try replay.fetcher(through: ReplayTransport(cassette), options: options)
            guard let normaliser = Normaliser(stream, config: manifest.withoutSecrets(config)) else { return run }
            run = try await fetcher.withReader(of: stream.name, from: KeptStates(states: states)) { reader in
                try await SimulatedWorld.read(reader, normaliser, run, pages)
            }
        } catch let error as PlugError {
            if error.code == .interrupted { throw error }
            run.error = error
        }
        return run
    }
}
