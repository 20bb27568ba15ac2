/// Writes metrics in Prometheus' text format: https://prometheus.io/docs/instrumenting/exposition_formats/
struct MetricText {
    private(set) var text = ""

    mutating func begin(_ family: MetricFamily) {
        text += "# HELP \(family.name) \(Self.escaped(family.help, quotes: false))\n"
        text += "# TYPE \(family.name) \(family.kind.text)\n"
    }

    mutating func sample(_ family: MetricFamily, _ labels: [String], _ value: Double) {
        line(family.name, Array(zip(family.labels, labels)), value)
    }

    /// - Parameter counts: One for each bound, and one for everything above them all.
    mutating func histogram(
        _ family: MetricFamily,
        _ labels: [String],
        _ bounds: [Double],
        _ counts: [UInt64],
        _ sum: Double
    ) {
        let named = Array(zip(family.labels, labels))
        var total: UInt64 = 0
        for (bound, count) in zip(bounds + [.infinity], counts) {
            total += count
            line("\(family.name)_bucket", named + [("le", Self.number(bound))], Double(total))
        }
        line("\(family.name)_sum", named, sum)
        line("\(family.name)_count", named, Double(total))
    }

    private mutating func line(_ name: String, _ labels: [(String, String)], _ value: Double) {
        text += name
        if !labels.isEmpty {
            let pairs = labels.map { "\($0)=\"\(Self.escaped($1, quotes: true))\"" }
            text += "{\(pairs.joined(separator: ","))}"
        }
        text += " \(Self.number(value))\n"
    }

    private static func number(_ value: Double) -> String {
        if value.isNaN { return "NaN" }
        if value.isInfinite { return value < 0 ? "-Inf" : "+Inf" }
        // Whole numbers are written without a fraction, as far as a double is exact.
        if value == value.rounded(), abs(value) < 9_007_199_254_740_992 { return "\(Int64(value))" }
        return "\(value)"
    }

    private static func escaped(_ text: String, quotes: Bool) -> String {
        var escaped = ""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\\": escaped += "\\\\"
            case "\n": escaped += "\\n"
            case "\"" where quotes: escaped += "\\\""
            default: escaped.unicodeScalars.append(scalar)
            }
        }
        return escaped
    }
}
