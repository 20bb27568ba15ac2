internal import PlugCore
internal import PlugStorage

/// The charts of runs: their outcomes and their records.
struct RunCharts: Sendable {
    private let sums: [RunSum]
    private let span: TimeSpan
    private let starts: [Int64]

    /// - Parameters:
    ///   - sums: The sums since the start of the span.
    init(_ sums: [RunSum], _ span: TimeSpan, now: Int64) {
        (self.sums, self.span) = (sums, span)
        starts = span.starts(until: now)
    }

    private static let outcomes: [(outcome: String, series: BarChart.Series)] = [
        ("done", .init(name: "done", style: "good")), ("partial", .init(name: "partly done", style: "warn")),
        ("failed", .init(name: "failed", style: "bad")), ("interrupted", .init(name: "interrupted", style: "quiet")),
    ]

    var html: HTML {
        let runs = chart("runs", "How runs ended", Self.outcomes.map(\.series)) { sums in
            Self.outcomes.map { kind in sums.reduce(0) { $0 + ($1.outcome == kind.outcome ? $1.runs : 0) } }
        }
        let records = chart(
            "records",
            "Records",
            [.init(name: "delivered", style: "good"), .init(name: "dead letters", style: "bad")]
        ) { sums in
            [sums.reduce(0) { $0 + $1.tally.records }, sums.reduce(0) { $0 + $1.tally.deadLetters }]
        }
        return "\(runs.html)\(records.html)\(means)"
    }

    private func chart(
        _ id: String,
        _ title: String,
        _ series: [BarChart.Series],
        _ counts: ([RunSum]) -> [Int]
    ) -> BarChart {
        let byStart = Dictionary(grouping: sums) { $0.hour / span.width * span.width }
        let bars = starts.map { start in
            BarChart.Bar(label: Words.hour(start), counts: counts(byStart[start] ?? []))
        }
        return BarChart(id: id, title: title, unit: span.unit, series: series, bars: bars)
    }

    /// The duration of one run.
    private var means: HTML? {
        let runs = sums.reduce(0) { $0 + $1.runs }
        guard runs > 0 else { return nil }
        let seconds = Double(sums.reduce(0) { $0 + $1.microseconds }) / 1_000_000 / Double(runs)
        let requests = Double(sums.reduce(0) { $0 + $1.tally.requests }) / Double(runs)
        return """
            <p class="quiet">A run takes \(Words.seconds(seconds)) and \(Words.tenths(requests)) requests to its service, on average.
            Runs count from the moment at which they end.</p>
            """
    }
}
