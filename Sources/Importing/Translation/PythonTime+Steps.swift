extension PythonTime {
    private static let sizes: [(String, Double)] = [
        ("us", 1e-6), ("ms", 1e-3), ("mo", 2_592_000), ("s", 1), ("m", 60), ("h", 3_600), ("d", 86_400),
        ("y", 31_536_000),
    ]

    private static func seconds(_ duration: String) -> Double {
        for (unit, size) in sizes where duration.hasSuffix(unit) {
            if let number = Double(duration.dropLast(unit.count)) { return number * size }
        }
        return 0
    }

    /// The longer of two durations.
    static func longer(_ left: String, _ right: String) -> String { seconds(left) >= seconds(right) ? left : right }

    /// The smallest step that a format writes.
    static func step(of format: String) -> String {
        switch format {
        case "date": return "1d"
        case "epoch": return "1s"
        case "epoch_ms": return "1ms"
        case "epoch_us": return "1us"
        default: break
        }
        if format.contains("%f") { return "1us" }
        if format.contains("%L") { return "1ms" }
        if format.contains("%S") || format.contains("%T") || format.contains("%s") { return "1s" }
        if format.contains("%M") { return "1m" }
        if format.contains("%H") || format.contains("%I") { return "1h" }
        return "1d"
    }
}
