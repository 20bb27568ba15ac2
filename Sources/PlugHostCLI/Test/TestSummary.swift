internal import PlugCore
internal import PlugManifest
internal import PlugTesting

/// The results of tests, for people.
struct TestSummary {
    private var passed = 0
    private var updated = 0
    private var failed = 0
    private var skipped = 0
    private var warnings = 0
    /// Paths whose manifest could not be used.
    var unreadable = 0

    mutating func add(_ report: PlugTestReport) {
        passed += report.cases.count { $0.outcome == .ok }
        updated += report.cases.count { $0.outcome == .updated }
        failed += report.failures.count
        skipped += report.cases.count { $0.outcome == .skipped }
        warnings += report.cases.count { $0.outcome == .warning }
    }

    /// `3 tests: 2 passed, 1 failed`
    var text: String {
        let count = passed + updated + failed + skipped
        var parts: [String] = []
        if passed > 0 { parts.append(passed == count - skipped && unreadable == 0 ? "all passed" : "\(passed) passed") }
        if updated > 0 { parts.append(updated.counted("golden file written", "golden files written")) }
        if failed > 0 { parts.append("\(failed) failed") }
        if skipped > 0 { parts.append("\(skipped) not simulated") }
        if warnings > 0 { parts.append(warnings.counted("warning")) }
        if unreadable > 0 { parts.append(unreadable.counted("manifest not used", "manifests not used")) }
        let sum = parts.isEmpty ? "" : ": \(parts.joined(separator: ", "))"
        let help = failed + warnings > 0 ? "'plughost explain CODE' explains a code\n" : ""
        return "\(count.counted("test"))\(sum)\n\(help)"
    }

    /// One line for a case, with its failures below. The scenarios of a stream that passed share one line.
    ///
    /// - Parameter source: The manifest, whose lines are shown if a case names a place in it.
    static func text(_ report: PlugTestReport, _ source: ManifestSource) -> String {
        var text = ""
        var passed: [(stream: String, count: Int)] = []
        for one in report.cases {
            guard one.kind == .conformance, one.outcome == .ok else {
                text += self.text(one, plug: report.plug, source)
                continue
            }
            let stream = String(one.name.prefix { $0 != ":" })
            if passed.last?.stream == stream { passed[passed.count - 1].count += 1 } else { passed.append((stream, 1)) }
        }
        for (stream, count) in passed {
            let scenarios = count.counted("scenario")
            text += "ok       \(report.plug) · \(DisplayText.escaped(stream)): conformance (\(scenarios))\n"
        }
        return text
    }

    /// The line that a case is about, with a caret; empty if it names none in the manifest.
    private static func line(_ one: PlugTestReport.Case, _ source: ManifestSource) -> [String] {
        let place = TestPlace(one, manifest: source.path)
        guard place.path == source.path, let location = place.location, let code = one.code else { return [] }
        let printer = DiagnosticPrinter(path: source.path, text: source.text)
        // After the finding's own line.
        let lines = printer.text(Diagnostic(.error, code, "", at: location)).split(separator: "\n").dropFirst()
        return lines.prefix(2).map { "    \($0)\n" }
    }

    private static func text(_ one: PlugTestReport.Case, plug: String, _ source: ManifestSource) -> String {
        let name = "\(plug) · \(DisplayText.escaped(one.name))"
        switch one.outcome {
        case .failed, .warning:
            let word = one.outcome == .failed ? "FAILED " : "warning"
            let lines = (one.message ?? "").split(separator: "\n").map { "    \(DisplayText.escaped(String($0)))\n" }
            let shown = lines.prefix(1) + line(one, source) + lines.dropFirst()
            return "\(word)  \(name) [\(one.code?.text ?? "failed")]\n\(shown.joined())"
        default:
            let note = one.message.map { " (\(DisplayText.escaped($0)))" } ?? ""
            let word =
                switch one.outcome {
                case .updated: "updated"
                case .skipped: "skipped"
                default: "ok     "
                }
            return "\(word)  \(name)\(note)\n"
        }
    }
}
