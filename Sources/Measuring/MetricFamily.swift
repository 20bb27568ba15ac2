/// One family of metrics: its name, what it measures, and its labels.
package struct MetricFamily: Sendable, Hashable {
    /// The type of a family's values.
    package enum Kind: Sendable, Hashable {
        /// A sum that only grows while the process lives.
        case counter
        /// A value that goes up and down.
        case gauge
        /// The number of observations that were no larger than each of these bounds.
        case histogram(bounds: [Double])

        var text: String {
            switch self {
            case .counter: "counter"
            case .gauge: "gauge"
            case .histogram: "histogram"
            }
        }
    }

    /// The name, by Prometheus' conventions: a prefix, the subject, its base unit, `_total` for counters.
    package let name: String
    /// The help text, one sentence.
    package let help: String
    /// The type of its values.
    package let kind: Kind
    /// The names of its labels.
    package let labels: [String]

    /// A family.
    package init(_ name: String, _ kind: Kind, labels: [String] = [], help: String) {
        self.name = name
        self.kind = kind
        self.labels = labels
        self.help = help
    }
}
