internal import Synchronization

/// The values of a process's metrics, accessible from any thread.
///
/// Labels are bounded: a family holds `setLimit` combinations of them, and any beyond that are counted under `other`, so that no
/// outside input can make a process grow.
package final class MetricRegistry: Sendable {
    /// The most combinations of labels that a family keeps.
    package static let setLimit = 2_000
    /// The value of labels beyond the limit.
    package static let overflow = "other"

    private struct Histogram {
        /// Observations by the first bound that is not smaller; the last element is for those above all bounds.
        var counts: [UInt64]
        var sum = 0.0
    }

    private enum Value {
        case number(Double)
        case histogram(Histogram)
    }

    private let values = Mutex<[MetricFamily: [[String]: Value]]>([:])
    private let families: [MetricFamily]

    /// - Parameter families: All families, in the order in which they are written.
    package init(_ families: [MetricFamily]) { self.families = families }

    /// Adds to a counter.
    package func add(_ amount: Double = 1, to family: MetricFamily, _ labels: String...) {
        change(family, labels) { value in
            if case .number(let number) = value { value = .number(number + amount) }
        }
    }

    /// Sets a gauge.
    package func set(_ family: MetricFamily, _ labels: String..., to number: Double) {
        change(family, labels) { $0 = .number(number) }
    }

    /// Replaces all values of a gauge.
    package func replace(_ family: MetricFamily, with values: [(labels: [String], value: Double)]) {
        self.values.withLock { all in
            let kept = values.prefix(Self.setLimit).map { ($0.labels, Value.number($0.value)) }
            all[family] = Dictionary(kept) { _, last in last }
        }
    }

    /// Records an observation, such as a duration, in the family's unit.
    package func observe(_ amount: Double, in family: MetricFamily, _ labels: String...) {
        guard case .histogram(let bounds) = family.kind else { return }
        let place = bounds.firstIndex { amount <= $0 } ?? bounds.count
        change(family, labels) { value in
            guard case .histogram(var histogram) = value else { return }
            // The only other reference is released, so that the array is not copied.
            value = .number(0)
            histogram.counts[place] += 1
            histogram.sum += amount
            value = .histogram(histogram)
        }
    }

    private func change(_ family: MetricFamily, _ labels: [String], _ change: (inout Value) -> Void) {
        let empty: Value =
            if case .histogram(let bounds) = family.kind {
                .histogram(Histogram(counts: Array(repeating: 0, count: bounds.count + 1)))
            } else { .number(0) }
        values.withLock { all in
            var key = labels
            if let known = all[family], known[labels] == nil, known.count >= Self.setLimit {
                key = labels.map { _ in Self.overflow }
            }
            change(&all[family, default: [:]][key, default: empty])
        }
    }

    /// Everything in Prometheus' text format, version 0.0.4: families in their order, values by their labels.
    ///
    /// A family without a value has only its `HELP` and `TYPE` lines. One without labels counts from 0.
    package func text() -> String {
        let values = values.withLock { $0 }
        var text = MetricText()
        for family in families {
            text.begin(family)
            var known = values[family] ?? [:]
            if family.labels.isEmpty, known.isEmpty, family.kind == .counter { known[[]] = .number(0) }
            for (labels, value) in known.sorted(by: { $0.key.lexicographicallyPrecedes($1.key) }) {
                switch (value, family.kind) {
                case (.number(let number), _): text.sample(family, labels, number)
                case (.histogram(let histogram), .histogram(let bounds)):
                    text.histogram(family, labels, bounds, histogram.counts, histogram.sum)
                default: break
                }
            }
        }
        return text.text
    }
}
