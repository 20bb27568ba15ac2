import PlugCore
import PlugManifest

/// What no test of a plug reaches: a member that is misspelt there would go unnoticed.
struct CoverageCases {
    private let manifest: Manifest
    private let isStrict: Bool

    /// - Parameter isStrict: Whether it fails the plug.
    init(_ manifest: Manifest, isStrict: Bool) {
        self.manifest = manifest
        self.isStrict = isStrict
    }

    /// One case for each stream that no fixture reads, and one for each member of a program that no test has met.
    ///
    /// - Parameter read: The streams that fixtures have read.
    func cases(read: Set<String>, _ coverage: ManifestCoverage) -> [PlugTestReport.Case] {
        let unread = manifest.streams.filter { !read.contains($0.name) }.map(unread)
        // Without tests there is nothing to reach anything: that is said once for each stream.
        guard !read.isEmpty || manifest.streams.contains(where: { !$0.tests.isEmpty }) else { return unread }
        return unread + coverage.unmet.map(unmet)
    }

    private func unread(_ stream: PlugManifest.Stream) -> PlugTestReport.Case {
        let message = "\(stream.places[""]): no fixture reads the stream '\(stream.name)'"
        return warning("\(stream.name): fixtures", .streamUntested, message, "record a conversation in fixtures/")
    }

    private func unmet(_ unmet: ManifestCoverage.Unmet) -> PlugTestReport.Case {
        let name = "'.\(unmet.name)'"
        let (message, help) =
            switch unmet.reason {
            case .notRun: ("no test runs the program with \(name)", "add a fixture or an inline test in which it runs")
            case .notReached: ("no test gets as far as \(name)", "add a fixture or an inline test that does")
            case .nothingThere:
                (
                    "what \(name) is read from is null in every test",
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
