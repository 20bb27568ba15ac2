internal import PlugCore
internal import PlugStorage

/// The period that charts show.
enum TimeSpan: String, Sendable, CaseIterable {
    case day, week, month

    /// The number of hours that a bar covers.
    var width: Int64 {
        switch self {
        case .day: 1
        case .week: 6
        case .month: 24
        }
    }

    /// The number of bars.
    var count: Int64 {
        switch self {
        case .day: 24
        case .week: 28
        case .month: 30
        }
    }

    /// The period that a bar covers.
    var unit: String {
        switch self {
        case .day: "hour"
        case .week: "stretch of six hours"
        case .month: "day"
        }
    }

    private var name: String {
        switch self {
        case .day: "Day"
        case .week: "Week"
        case .month: "Month"
        }
    }

    /// The hours in which the bars begin, up to the one that contains a time.
    func starts(until now: Int64) -> [Int64] {
        let last = SummaryHour.of(now) / width
        return (last - count + 1...last).map { $0 * width }
    }

    /// Links to the other spans of the same page.
    func links(on path: String) -> HTML {
        let links = Self.allCases.map { span -> HTML in
            let current: HTML? = span == self ? " aria-current=\"true\"" : nil
            return "<a href=\"\(path)?span=\(span.rawValue)\"\(current)>\(span.name)</a>"
        }
        return "<nav class=\"spans\" aria-label=\"Time\">\(links.joined())</nav>"
    }
}
