import LosslessJSON
import PlugCore
import PlugManifest

/// Tests every stream of a plug against a service simulated from its manifest and the answers in its fixtures.
enum ConformanceTest {
    /// Runs all scenarios.
    ///
    /// - Parameter cassettes: The fixtures that could be read.
    /// - Throws: `CancellationError`, or `PlugError` `interrupted`, when the task is cancelled.
    static func run(_ manifest: Manifest, _ cassettes: [Cassette]) async throws -> [PlugTestReport.Case] {
        var materials: [Material] = []
        for cassette in cassettes {
            do { materials.append(try await Material.read(manifest, cassette)) } catch let error as PlugError {
                // The fixture's own case reports what is wrong with it.
                if error.code == .interrupted { throw error }
            }
        }
        var cases: [PlugTestReport.Case] = []
        for stream in manifest.streams where stream.path != nil {
            if stream.archive != nil {
                cases += try await ArchiveConformance.run(stream, manifest, cassettes)
                continue
            }
            if stream.module != nil {
                cases += try await ModuleConformance.run(stream, manifest, cassettes)
                continue
            }
            // Of a stream that is read for others, a conversation with 'pages' may lack all but the first: complete ones are better.
            let cut = materials.filter { stream.parent != nil && $0.cassette.pages != nil }
            let whole = materials.filter { stream.parent == nil || $0.cassette.pages == nil }
            cases += try await run(stream, manifest, whole + cut)
        }
        return cases
    }

    private static func run(
        _ stream: PlugManifest.Stream,
        _ manifest: Manifest,
        _ materials: [Material]
    ) async throws -> [PlugTestReport.Case] {
        let trial: ConformanceTrial
        switch try await self.trial(stream, manifest, materials) {
        case .success(let found): trial = found
        case .failure(let missing): return [skipped(stream, "conformance", missing.reason)]
        }
        var cases: [PlugTestReport.Case] = []
        for scenario in ConformanceScenario.all {
            if trial.lacksCursor, !scenario.judgesPlainRun, !scenario.judgesCursor { continue }
            let start = ContinuousClock.now
            var result: PlugTestReport.Case
            switch try await scenario.run(trial) {
            case .absent: continue
            case .passed: result = .init("\(stream.name): \(scenario.name)", .conformance, .ok)
            case .notSimulated(let reason): result = skipped(stream, scenario.name, reason)
            case .failed(let fault): result = failed(stream, scenario.name, fault)
            }
            result.duration = ContinuousClock.now - start
            cases.append(result)
            // Without a correct undisturbed run, nothing can be said about a disturbed one.
            if result.outcome == .failed, scenario.judgesPlainRun { return cases }
        }
        return cases
    }

    /// The first world in which the stream can be run: a fixture's, with the secrets replaced if possible.
    private static func trial(
        _ stream: PlugManifest.Stream,
        _ manifest: Manifest,
        _ materials: [Material]
    ) async throws -> Result<ConformanceTrial, NotSimulated> {
        let family = StreamFamily(of: stream, in: manifest)
        var reason = "no fixture has an answer to a request of '\(family.carrier.name)'"
        var best: ConformanceTrial?
        let recorded = materials.filter { $0.answers[family.carrier.name]?.isEmpty == false }
        for material in recorded.isEmpty ? [SynthesisedAnswer.material(manifest)] : recorded {
            for keepsSecrets in [false, true] {
                do {
                    let world = try SimulatedWorld(manifest, family, material, keepsSecrets: keepsSecrets)
                    if recorded.isEmpty, let missing = world.reason { return .failure(NotSimulated(reason: missing)) }
                    // Of the fixture's own pages, none would be there for the other parents.
                    if stream.parent != nil, let pages = material.cassette.pages, world.reason != nil {
                        reason =
                            "a fixture with 'pages: \(pages)' may not have all parents' answers, and "
                            + "\(world.reason ?? ""): record more with --pages"
                        break
                    }
                    let trial = try await ConformanceTrial(world)
                    if trial.isUsable {
                        if world.reason == nil { return .success(trial) }
                        best = best ?? trial
                        break
                    }
                    reason = trial.obstacle
                } catch let error as PlugError {
                    if error.code == .interrupted { throw error }
                    reason = "a run cannot begin: \(error.message)"
                }
            }
        }
        return best.map { .success($0) } ?? .failure(NotSimulated(reason: reason))
    }

    private static func skipped(
        _ stream: PlugManifest.Stream,
        _ scenario: String,
        _ reason: String
    ) -> PlugTestReport.Case {
        .init("\(stream.name): \(scenario)", .conformance, .skipped, message: "not simulated: \(reason)")
    }

    private static func failed(
        _ stream: PlugManifest.Stream,
        _ scenario: String,
        _ fault: ConformanceScenario.Fault
    ) -> PlugTestReport.Case {
        let lines = [
            "\(fault.place ?? stream.places[fault.key]): scenario '\(scenario)'", "  expected: \(fault.expected)",
            "  happened: \(fault.happened)", "help: \(fault.advice)",
        ]
        return .init(
            "\(stream.name): \(scenario)",
            .conformance,
            .failed,
            code: .conformanceFailed,
            message: lines.joined(separator: "\n")
        )
    }
}
