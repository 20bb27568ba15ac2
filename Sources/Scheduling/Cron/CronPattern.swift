extension CronExpression {
    /// A regular expression (ECMA-262) that matches cron expressions, for the description of an API.
    ///
    /// Whatever it matches can be parsed, except days that no named month has. It omits one valid form: ranges that mix names and
    /// numbers.
    package static let pattern = {
        let fields = CronField.all.map(CronPattern.field).joined(separator: " +")
        let names = CronReader.nicknames.map(\.key).map { $0.dropFirst() }.joined(separator: "|")
        return "^(@(\(names))|\(fields))$"
    }()
}

/// The parts of the pattern for cron expressions.
private enum CronPattern {
    static func field(_ field: CronField) -> String {
        let values = values(field).joined(separator: "|")
        let step = "(/(\(numbers(1...field.whole.count))))?"
        let item = "((\\*|\(ranges(field).joined(separator: "|")))\(step)|\(values))"
        return "\(item)(,\(item))*"
    }

    private static func values(_ field: CronField) -> [String] { [numbers(field.values)] + field.names.map(anyCase) }

    /// Ranges that do not end before they begin.
    private static func ranges(_ field: CronField) -> [String] {
        let ofNumbers = field.values.map { "\(numbers($0...$0))-(\(numbers($0...field.values.upperBound)))" }
        let ofNames = field.names.indices.map { at in
            "\(anyCase(field.names[at]))-(\(field.names[at...].map(anyCase).joined(separator: "|")))"
        }
        return ofNumbers + ofNames
    }

    /// The numbers of a range below 100, with an optional leading zero.
    private static func numbers(_ range: ClosedRange<Int>) -> String {
        (range.lowerBound / 10...range.upperBound / 10).map { tens in
            let first = max(range.lowerBound, tens * 10) % 10
            let last = min(range.upperBound, tens * 10 + 9) % 10
            return "\(tens == 0 ? "0?" : "\(tens)")\(first == last ? "\(first)" : "[\(first)-\(last)]")"
        }.joined(separator: "|")
    }

    private static func anyCase(_ name: String) -> String { name.map { "[\($0)\($0.lowercased())]" }.joined() }
}
