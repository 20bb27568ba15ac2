/// Sizes as flags write them: `500000`, `64KiB`, `8MiB`, `1GiB`.
public enum HumanSize {
    private static let units: [(suffix: String, bytes: Int)] = [("KiB", 1 << 10), ("MiB", 1 << 20), ("GiB", 1 << 30)]

    /// Reads a count of bytes, with or without a unit.
    ///
    /// - Returns: `nil` if the text is anything else, or exceeds an `Int`.
    public static func parse(_ text: String) -> Int? {
        let unit = units.first { text.hasSuffix($0.suffix) }
        let count = text.dropLast(unit?.suffix.count ?? 0)
        guard !count.isEmpty, count.utf8.allSatisfy({ UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 }),
            let value = Int(count)
        else { return nil }
        let (bytes, overflows) = value.multipliedReportingOverflow(by: unit?.bytes ?? 1)
        return overflows ? nil : bytes
    }

    /// A size as `parse` reads it, in the largest unit that divides it: `8MiB`, `500000`.
    public static func notation(_ bytes: Int) -> String {
        guard bytes > 0, let unit = units.last(where: { bytes.isMultiple(of: $0.bytes) }) else { return "\(bytes)" }
        return "\(bytes / unit.bytes)\(unit.suffix)"
    }

    /// A size for people, in the largest unit that fits at least once: `312 bytes`, `1.5 MiB`.
    public static func text(_ bytes: Int) -> String {
        guard let unit = units.last(where: { bytes >= $0.bytes }) else { return "\(bytes) bytes" }
        // Rounded down: a size at a limit never appears to exceed it.
        let (whole, rest) = bytes.quotientAndRemainder(dividingBy: unit.bytes)
        let tenths = whole * 10 + rest * 10 / unit.bytes
        return tenths % 10 == 0 ? "\(tenths / 10) \(unit.suffix)" : "\(tenths / 10).\(tenths % 10) \(unit.suffix)"
    }
}
