internal import PlugCore

extension Timestamp {
    /// `2024-05-01T07:00:03.120Z`, always with three digits.
    static func text(milliseconds: Int64) -> String {
        let rest = milliseconds % 1000
        let inSecond = rest < 0 ? rest + 1000 : rest
        let digits = String(inSecond)
        let fraction = String(repeating: "0", count: 3 - digits.count) + digits
        return Timestamp(seconds: (milliseconds - inSecond) / 1000, fraction: fraction).rfc3339
    }

    /// Milliseconds since 1970, rounded down.
    var milliseconds: Int64 {
        let micro = microseconds
        return micro / 1000 - (micro % 1000 < 0 ? 1 : 0)
    }
}
