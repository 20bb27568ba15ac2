internal import PlugCore
internal import PlugTesting

/// What tests gave, for a person.
struct TestSummary {
    private var passed = 0
    private var updated = 0
    private var failed = 0
    private var warnings = 0
    /// Paths whose manifest could not be used.
    var unreadable = 0

    mutating func add(_ report: PlugTestReport) {
        passed += report.cases.count { $0.outcome == .ok }
        updated += report.cases.count { $0.outcome == .updated }
        failed += report.failures.count
        warnings += report.cases.count { $0.outcome == .warning }
    }

    /// `3 tests: 2 passed, 1 failed`
    var text: String {
        let count = passed + updated + failed
        var parts: [String] = []
        if passed > 0 { parts.append(passed == count && unreadable == 0 ? "all passed" : "\(passed) passed") }
        if updated > 0 { parts.append(updated == 1 ? "1 golden file written" : "\(updated) golden files written") }
        if failed > 0 { parts.append("\(failed) failed") }
        if warnings > 0 { parts.append(warnings == 1 ? "1 warning" : "\(warnings) warnings") }
        if unreadable > 0 { parts.append(unreadable == 1 ? "1 manifest not used" : "\(unreadable) manifests not used") }
        let sum = parts.isEmpty ? "" : ": \(parts.joined(separator: ", "))"
        let help = failed + warnings > 0 ? "'plughost explain CODE' explains a code\n" : ""
        return "\(count == 1 ? "1 test" : "\(count) tests")\(sum)\n\(help)"
    }

    /// One line for a case, with what failed below it.
    static func text(_ one: PlugTestReport.Case, plug: String) -> String {
        let name = "\(plug) · \(DisplayText.escaped(one.name))"
        switch one.outcome {
        case .failed, .warning:
            let word = one.outcome == .failed ? "FAILED " : "warning"
            let lines = (one.message ?? "").split(separator: "\n").map { "    \(DisplayText.escaped(String($0)))\n" }
            return "\(word)  \(name) [\(one.code?.text ?? "failed")]\n\(lines.joined())"
        default:
            let note = one.message.map { " (\(DisplayText.escaped($0)))" } ?? ""
            return "\(one.outcome == .updated ? "updated" : "ok     ")  \(name)\(note)\n"
        }
    }
}
