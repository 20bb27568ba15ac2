import LosslessJSON
import PlugCore
package import PlugManifest
import PlugNormalise

/// Tests a plug without a network: its inline `tests:` and the replay of its fixtures.
package enum PlugTest {
    /// Runs every test of a plug.
    ///
    /// - Parameters:
    ///   - manifest: The plug.
    ///   - folder: The folder that contains its `fixtures/`, which need not exist.
    ///   - update: Whether to rewrite golden files when a replay succeeds, instead of comparing them.
    ///   - coverage: What the manifest was read with, to name what no test reaches.
    ///   - isStrict: Whether anything unreached fails the plug.
    ///   - conformance: Whether the streams are also run against a simulated service.
    /// - Returns: All cases. What cannot be read is a failed case.
    /// - Throws: `CancellationError` when the task is cancelled.
    package static func run(
        _ manifest: Manifest,
        folder: String,
        update: Bool = false,
        coverage: ManifestCoverage? = nil,
        isStrict: Bool = false,
        conformance: Bool = false
    ) async throws -> PlugTestReport {
        var report = PlugTestReport(plug: manifest.id)
        for stream in manifest.streams {
            for (index, test) in stream.tests.enumerated() {
                report.cases.append(await .timed { InlineCase(manifest, stream, test, number: index + 1).run() })
            }
        }
        let names: [String]
        do throws(PlugError) { names = try SmallFile.names(in: folder + "/fixtures") ?? [] } catch {
            report.cases.append(failed("fixtures/", error))
            return report
        }
        var findings: [String: RecordFindings] = [:]
        for name in names where name.hasSuffix(".json") {
            let fixture = FixtureCase(manifest, folder: folder, file: name)
            report.cases.append(try await .timed { try await fixture.run(updates: update, findings: &findings) })
        }
        let messages = names.filter { $0.hasSuffix(MessagesCase.suffix) }
        for name in messages where manifest.program != nil {
            let fixture = MessagesCase(manifest, folder: folder, file: name)
            report.cases.append(try await .timed { try fixture.run(updates: update, findings: &findings) })
        }
        for stream in manifest.streams {
            guard let findings = findings[stream.name] else { continue }
            for error in [findings.castFault(stream, in: manifest), findings.unitFault(stream, in: manifest)] {
                guard let error else { continue }
                report.cases.append(failed("\(stream.name): fields", error))
            }
            if let error = findings.versionFault(stream) {
                report.cases.append(failed("\(stream.name): version", error))
            }
        }
        let fixtures = Set(names.filter { $0.hasSuffix(".json") }.map { $0.dropLast(".json".count) })
            .union(messages.map { $0.dropLast(MessagesCase.suffix.count) })
        for name in names where name.hasSuffix(Golden.suffix) && !fixtures.contains(name.dropLast(Golden.suffix.count))
        {
            let fixture = "fixtures/\(name.dropLast(Golden.suffix.count)).json"
            let error = PlugError(
                .goldenOrphan,
                "\(folder)/fixtures/\(name) has no fixture: there is no \(fixture)",
                advice: "restore the fixture, or remove the golden file"
            )
            report.cases.append(failed("fixtures/\(name)", error))
        }
        if let coverage {
            let cases = CoverageCases(manifest, isStrict: isStrict)
            report.cases += cases.cases(read: findings, coverage)
        }
        if conformance, manifest.program != nil {
            for name in messages {
                report.cases += try MessagesCase(manifest, folder: folder, file: name).conformance()
            }
        } else if conformance {
            // What cannot be read has failed above.
            let cassettes = names.filter { $0.hasSuffix(".json") }.compactMap {
                try? Cassette.load("\(folder)/fixtures/\($0)")
            }
            report.cases += try await ConformanceTest.run(manifest, cassettes)
        }
        return report
    }

    /// A fixture's case that ended with an error.
    static func failed(_ name: String, _ error: PlugError) -> PlugTestReport.Case {
        let place = error.stream.map { "stream '\($0)': " } ?? ""
        let advice = error.advice.map { "\nhelp: \($0)" } ?? ""
        return .init(name, .fixture, .failed, code: error.code, message: place + error.message + advice)
    }
}
