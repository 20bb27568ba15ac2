internal import PlugCore

/// The share of runs that failed.
struct FailureRate: Sendable {
    let runs: Int
    let failed: Int

    /// - Parameter outcomes: The number of runs by outcome.
    init(_ outcomes: [String: Int]) {
        runs = outcomes.values.reduce(0, +)
        failed = outcomes["failed"] ?? 0
    }

    init(runs: Int, failed: Int) { (self.runs, self.failed) = (runs, failed) }

    private var share: Double { runs == 0 ? 0 : Double(failed) / Double(runs) }

    /// In percent, with the class of its colour; a rate above zero is never shown as zero.
    var html: HTML {
        if runs == 0 { return "<span class=\"quiet\">no runs</span>" }
        let style = failed == 0 ? "good" : share < 0.05 ? "warn" : "bad"
        let text = failed > 0 && share < 0.001 ? "under 0.1\u{A0}%" : "\(Words.tenths(share * 100))\u{A0}%"
        return "<span class=\"\(style)\">\(text)</span>"
    }
}
