import PlugCore
import PlugManifest
import PlugNormalise

/// What no test of a plug reaches: a misspelt member would go unnoticed there.
struct CoverageCases {
    private let manifest: Manifest
    private let isStrict: Bool

    /// - Parameter isStrict: Whether anything unreached fails the plug.
    init(_ manifest: Manifest, isStrict: Bool) {
        self.manifest = manifest
        self.isStrict = isStrict
    }

    /// One case for each stream without records in a fixture, and one for each member of a program that no test has met.
    ///
    /// - Parameter read: What the records of the streams read by fixtures show.
    func cases(read: [String: RecordFindings], _ coverage: ManifestCoverage) -> [PlugTestReport.Case] {
        let unread = manifest.streams.compactMap { stream -> PlugTestReport.Case? in
            guard let findings = read[stream.name] else { return untested(stream, "no fixture reads the stream") }
            // Streams that are read only for others are shown by those.
            guard findings.isEmpty, stream.path != nil else { return nil }
            return untested(stream, "no fixture has a record of the stream")
        }
        // Without tests nothing can be reached: that is reported once for each stream.
        guard !read.isEmpty || manifest.streams.contains(where: { !$0.tests.isEmpty }) else { return unread }
        return unread + coverage.unmet.map(unmet)
    }

    private func untested(_ stream: PlugManifest.Stream, _ reason: String) -> PlugTestReport.Case {
        let message = "\(stream.places[""]): \(reason) '\(stream.name)'"
        return warning("\(stream.name): fixtures", .streamUntested, message, "record a conversation in fixtures/")
    }

    private func unmet(_ unmet: ManifestCoverage.Unmet) -> PlugTestReport.Case {
        let name = "'.\(unmet.name)'"
        let (message, help) =
            switch unmet.reason {
            case .notRun: ("no test runs the program with \(name)", "add a fixture or an inline test in which it runs")
            case .notReached: ("no test reaches \(name)", "add a fixture or an inline test that does")
            case .nothingThere:
                (
                    "the source of \(name) is null in every test",
                    "add a fixture or an inline test in which it is not"
                )
            case .otherMembers(let nearest?):
                ("no object in the tests has a member \(name)", "did you mean '.\(nearest)'?")
            case .otherMembers(nil):
                (
                    "no object in the tests has a member \(name)",
                    "check its spelling, and add a fixture or an inline test that has it"
                )
            }
        let place = "\(manifest.source.path):\(unmet.location.line):\(unmet.location.column)"
        let title = "line \(unmet.location.line), \(name)"
        return warning(title, .memberUnmet, "\(place): \(message)", help)
    }

    private func warning(
        _ name: String,
        _ code: PlugError.Code,
        _ message: String,
        _ help: String
    ) -> PlugTestReport.Case {
        .init(name, .coverage, isStrict ? .failed : .warning, code: code, message: "\(message)\nhelp: \(help)")
    }
}
