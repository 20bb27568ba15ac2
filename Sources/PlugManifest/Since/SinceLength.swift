import PlugCore

extension Since.Step {
    /// A length of time as manifests write it: `30d`, or calendar months, `1mo`, `3mo`, `1y`, at most a hundred years.
    package init?(length text: String) {
        if let months = Self.months(text) {
            self = .months(months)
        } else if let duration = HumanDuration.parse(text), duration > .zero {
            self = .duration(duration)
        } else {
            return nil
        }
    }

    static func months(_ text: String) -> Int? {
        for (suffix, months) in [("mo", 1), ("y", 12)] where text.hasSuffix(suffix) {
            let count = text.dropLast(suffix.count)
            guard count.utf8.allSatisfy({ (0x30...0x39).contains($0) }), let number = Int(count),
                (1...1200 / months).contains(number)
            else { continue }
            return number * months
        }
        return nil
    }
}
