/// One family of metrics: what it is called, what it counts, and by which labels.
package struct MetricFamily: Sendable, Hashable {
    /// What the values of a family are.
    package enum Kind: Sendable, Hashable {
        /// A sum that only grows while the process lives.
        case counter
        /// A value that goes up and down.
        case gauge
        /// How many observations were no larger than each of these bounds.
        case histogram(bounds: [Double])

        var text: String {
            switch self {
            case .counter: "counter"
            case .gauge: "gauge"
            case .histogram: "histogram"
            }
        }
    }

    /// The name, by Prometheus' conventions: a prefix, the thing, its base unit, `_total` for counters.
    package let name: String
    /// What it says, in a sentence.
    package let help: String
    /// What its values are.
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
