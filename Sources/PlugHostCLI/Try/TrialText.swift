internal import LosslessJSON
internal import PlugCore
internal import PlugRuntime

/// The findings of `plughost try`, for people.
struct TrialText {
    /// The number of characters of a record shown: a few lines on a terminal.
    private static let width = 400
    private static let exampleWidth = 48
    private let report: TrialReport

    init(_ report: TrialReport) { self.report = report }

    var text: String {
        var text = "\(report.run.plug): a look at the source; nothing was sent to a PDA, and nothing is kept\n"
        for stream in report.streams { text += self.text(stream) }
        if !report.probes.isEmpty { text += "\nprobed\n" + report.probes.map(self.text).joined() }
        // The error that the command ends with follows, with its advice.
        let findings = report.findings.filter { $0.message != report.run.error?.message }
        if findings.isEmpty, report.run.error != nil { return text }
        text += "\nfindings\(findings.isEmpty ? ": none" : "")\n"
        for finding in findings {
            let place = finding.stream.map { "stream '\($0)': " } ?? ""
            text +=
                "  \(finding.isError ? "error" : "warning"): [\(finding.code)] \(DisplayText.escaped(place + finding.message))\n"
        }
        return text
    }

    private func text(_ probe: TrialReport.Probe) -> String {
        let asked = probe.asked.isEmpty ? "nothing" : probe.asked.joined(separator: ", ")
        return "  \(probe.stream): \(asked)\n" + probe.unasked.map { "    not \($0.what): \($0.reason)\n" }.joined()
    }

    private func text(_ stream: TrialReport.Stream) -> String {
        let counts = stream.counts
        let pages = counts.pages.counted("page")
        let requests = counts.requests.counted("request")
        var text =
            "\n\(stream.name) -> \(stream.path): \(pages), \(requests); \(RunSummary.line(counts, isDryRun: true))\n"
        for (at, record) in stream.records.enumerated() {
            let number = String(at + 1)
            let margin = String(repeating: " ", count: number.count)
            text += "  \(number) source     \(Self.line(record.source))\n"
            text +=
                "  \(margin) delivered  \(record.delivered.map(Self.line) ?? "nothing: \(DisplayText.escaped(record.reason ?? ""))")\n"
        }
        guard let survey = stream.columns, !survey.columns.isEmpty else { return text }
        let rows = survey.columns.map { column in
            [
                "  \(column.name)", column.types.isEmpty ? "null" : column.types.joined(separator: ", "),
                String(column.nulls),
                String(survey.records - column.present),
                column.example.map { Self.cut($0.compactText, to: Self.exampleWidth) } ?? "",
            ]
        }
        let header = ["  member", "type", "null", "absent", "example"]
        return text + TextTable.aligned([header] + rows, limits: [42, 24, 7, 7, Self.exampleWidth])
    }

    private static func line(_ value: JSONValue) -> String { DisplayText.escaped(cut(value.compactText, to: width)) }

    /// A text with its middle left out if it is long: the ends say most.
    static func cut(_ text: String, to width: Int) -> String {
        guard text.count > width else { return text }
        let end = width / 3
        return "\(text.prefix(width - end - 3)) … \(text.suffix(end))"
    }

    /// A value as a JSON example: short ones as they are, long ones as a truncated text.
    static func shortened(_ value: JSONValue) -> JSONValue {
        let text = value.stringText ?? value.compactText
        return text.count > exampleWidth ? .text(cut(text, to: exampleWidth)) : value
    }
}
