import CurlTransport
import LosslessJSON
import PlugCore
import PlugFetch
import PlugManifest
import PlugNormalise

/// Tests streams read by a fetcher in Swift against their recorded fixtures: killed after each page, interrupted in each request,
/// and asked again for each page. Each time the records must be those of an undisturbed reading.
struct ModuleConformance {
    private let manifest: Manifest
    private let stream: PlugManifest.Stream
    private let cassette: Cassette
    private let config: JSONObject

    /// The maximum number of places at which a reading is disturbed: for each of them everything is read once more.
    private static let mostPlaces = 50
    /// More pages than any fixture has: with a limit, small pages are not merged.
    private static let allPages = 1_000_000

    /// A reading: its pages one by one.
    private struct Reading {
        /// The records of each page.
        var pages: [[RecordProbe.Entry]] = []
        /// The states before the first page, and after each.
        var states: [[String: StreamState]]
        /// How many passes are complete.
        var passes = 0
        var error: PlugError?
        var isInterrupted = false

        var end: [String: StreamState] { states[states.count - 1] }

        /// Everything that was read, by what identifies it in a run.
        func ledger(_ stream: PlugManifest.Stream) -> [[UInt8]: [UInt8]] {
            var run = SimulatedRun()
            run.records = pages.flatMap(\.self)
            return run.ledger(stream)
        }
    }

    /// All cases of a stream. The conversations are those of the fixtures with records for it.
    static func run(
        _ stream: PlugManifest.Stream,
        _ manifest: Manifest,
        _ cassettes: [Cassette]
    ) async throws -> [PlugTestReport.Case] {
        var cases: [PlugTestReport.Case] = []
        for cassette in cassettes where cassette.stream.map({ $0 == stream.name }) ?? true {
            guard let config = try? cassette.answers(for: manifest), cassette.failure == nil, cassette.pages == nil
            else { continue }
            let test = ModuleConformance(manifest: manifest, stream: stream, cassette: cassette, config: config)
            let source = ServedTransport(cassette)
            let plain = try await test.read(source)
            // An error in the fixture is reported by its own case.
            guard plain.error == nil, plain.passes == cassette.passes, plain.pages.contains(where: { !$0.isEmpty })
            else { continue }
            cases += [
                try await .timed { try await test.killed(plain) },
                try await .timed { try await test.interrupted(plain, requests: source.count) },
                try await .timed { try await test.repeated(plain) },
            ]
        }
        if !cases.isEmpty { return cases }
        let reason = "not simulated: no fixture has records of '\(stream.name)'"
        return [.init("\(stream.name): conformance", .conformance, .skipped, message: reason)]
    }

    // MARK: - What happens

    private func killed(_ plain: Reading) async throws -> PlugTestReport.Case {
        try await disturbed(plain, "killed after each page, and resumed", 1..<plain.pages.count) { at in
            let source = ServedTransport(cassette)
            let first = try await read(source, pages: at)
            return (try await resumed(first, source), "page \(at)")
        }
    }

    private func interrupted(_ plain: Reading, requests: Int) async throws -> PlugTestReport.Case {
        try await disturbed(plain, "interrupted in each request, and resumed", 0..<requests) { at in
            let source = ServedTransport(cassette, interruptedAt: at)
            let first = try await read(source)
            return (try await resumed(first, source), "request \(at + 1)")
        }
    }

    private func disturbed(
        _ plain: Reading,
        _ scenario: String,
        _ places: Range<Int>,
        _ reading: (Int) async throws -> (Reading, String)
    ) async throws -> PlugTestReport.Case {
        let expected = plain.ledger(stream)
        for at in places.prefix(Self.mostPlaces) {
            let (found, place) = try await reading(at)
            let happened =
                found.error.map { "[\($0.code)] \($0.message)" }
                ?? SimulatedRun.difference(expected, found.ledger(stream))
            if let happened {
                return failed(
                    scenario,
                    "the same records as without the interruption at \(place)",
                    happened,
                    "the cursor alone must lead to the next page, and nothing may depend on when it is read"
                )
            }
        }
        return .init("\(name): \(scenario)", .conformance, .ok)
    }

    private func repeated(_ plain: Reading) async throws -> PlugTestReport.Case {
        let scenario = "asked again for each page"
        for at in plain.pages.indices.prefix(Self.mostPlaces) {
            let again = try await read(ServedTransport(cassette), from: plain.states[at], pages: 1)
            let happened: String?
            if let error = again.error {
                happened = "[\(error.code)] \(error.message)"
            } else {
                let same = again.pages.first?.map(\.bytes) == plain.pages[at].map(\.bytes)
                happened = same ? nil : "other records, or in another order"
            }
            if let happened {
                return failed(
                    scenario,
                    "page \(at + 1) with the same records, by a fetcher that knows nothing but the cursor",
                    happened,
                    "the cursor alone must lead to the page: what a fetcher remembers may only save requests"
                )
            }
        }
        return .init("\(name): \(scenario)", .conformance, .ok)
    }

    // MARK: - Reading

    /// The rest of a reading, by a new fetcher.
    private func resumed(_ first: Reading, _ source: ServedTransport) async throws -> Reading {
        if let error = first.error, !first.isInterrupted { throw error }
        var whole = try await read(source, from: first.end, passes: cassette.passes - first.passes)
        whole.pages = first.pages + whole.pages
        return whole
    }

    private func read(
        _ source: ServedTransport,
        from states: [String: StreamState] = [:],
        passes: Int? = nil,
        pages limit: Int = .max
    ) async throws -> Reading {
        var reading = Reading(states: [states])
        while reading.passes < passes ?? cassette.passes, reading.pages.count < limit {
            do {
                try await readPass(source, &reading, limit)
            } catch is CancellationError where !Task.isCancelled {
                reading.isInterrupted = true
                return reading
            } catch let error as PlugError {
                if error.code == .interrupted { throw error }
                reading.error = error
                return reading
            }
        }
        return reading
    }

    private func readPass(_ source: ServedTransport, _ reading: inout Reading, _ limit: Int) async throws {
        var options = FetchOptions(pageLimit: Self.allPages, concurrency: 1)
        options.streams = [stream.name]
        options.accessToken = Secret("fixture")
        options.clients = ReplayedGrant.clients(of: manifest)
        let replay = FixtureReplay(manifest, cassette, config)
        let fetcher = try replay.fetcher(through: source, options: options)
        guard let normaliser = Normaliser(stream, config: manifest.withoutSecrets(config)) else { return }
        var kept = reading
        reading = try await fetcher.withReader(of: stream.name, from: KeptStates(states: reading.end)) { reader in
            do {
                // Page by page, so that the states between them are known.
                while kept.pages.count < limit {
                    var run = SimulatedRun()
                    run.states = kept.end
                    run = try await SimulatedWorld.read(reader, normaliser, run, 1)
                    if let error = run.error { throw error }
                    guard run.pages == 1 else { break }
                    kept.pages.append(run.records)
                    kept.states.append(run.states)
                    if run.isComplete {
                        kept.passes += 1
                        break
                    }
                }
            } catch is CancellationError where !Task.isCancelled {
                kept.isInterrupted = true
            }
            return kept
        }
        if reading.isInterrupted { throw CancellationError() }
    }

    private var name: String { stream.name }

    private func failed(_ scenario: String, _ expected: String, _ happened: String, _ advice: String)
        -> PlugTestReport.Case
    {
        let lines = [
            "\(stream.places["swift"]): scenario '\(scenario)' (\(cassette.path))", "  expected: \(expected)",
            "  happened: \(happened)", "help: \(advice)",
        ]
        return .init(
            "\(name): \(scenario)",
            .conformance,
            .failed,
            code: .conformanceFailed,
            message: lines.joined(separator: "\n")
        )
    }
}
