/// Durations as manifests and flags write them: `250ms`, `30s`, `15m`, `1h`, `7d`, `2w`.
public enum HumanDuration {
    private static let units: [(suffix: String, milliseconds: Int64)] = [
        ("ms", 1), ("s", 1000), ("m", 60_000), ("h", 3_600_000), ("d", 86_400_000), ("w", 604_800_000),
    ]

    /// Reads a count and a unit; `0` needs no unit.
    ///
    /// - Returns: `nil` if the text is anything else, negative, or longer than a hundred years.
    public static func parse(_ text: String) -> Duration? {
        if text == "0" { return .zero }
        guard let unit = units.first(where: { text.hasSuffix($0.suffix) && isCount(text.dropLast($0.suffix.count)) }),
            let count = Int64(text.dropLast(unit.suffix.count))
        else { return nil }
        let (milliseconds, overflows) = count.multipliedReportingOverflow(by: unit.milliseconds)
        guard !overflows, milliseconds <= 3_155_760_000_000 else { return nil }
        return .milliseconds(milliseconds)
    }

    private static func isCount(_ text: Substring) -> Bool {
        !text.isEmpty && text.utf8.allSatisfy { $0 >= UInt8(ascii: "0") && $0 <= UInt8(ascii: "9") }
    }

    /// The duration in the largest unit that divides it: `15m`, `90s`, `1500ms`.
    public static func text(_ duration: Duration) -> String {
        let milliseconds = duration.wholeMicroseconds / 1_000
        guard milliseconds > 0 else { return "0" }
        for unit in units.reversed() where milliseconds % unit.milliseconds == 0 && unit.suffix != "w" {
            return "\(milliseconds / unit.milliseconds)\(unit.suffix)"
        }
        return "\(milliseconds)ms"
    }
}
