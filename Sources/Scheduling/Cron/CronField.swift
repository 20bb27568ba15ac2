/// One of the five fields of a cron expression: what it is called and what its values are.
struct CronField: Sendable {
    let name: String
    let values: ClosedRange<Int>
    /// Names of values, from the first value on.
    var names: [String] = []

    static let minute = CronField(name: "minute", values: 0...59)
    static let hour = CronField(name: "hour", values: 0...23)
    static let day = CronField(name: "day of the month", values: 1...31)
    static let month = CronField(
        name: "month",
        values: 1...12,
        names: ["JAN", "FEB", "MAR", "APR", "MAY", "JUN", "JUL", "AUG", "SEP", "OCT", "NOV", "DEC"]
    )
    /// 7 is Sunday too, so that a range can end with it.
    static let weekday = CronField(
        name: "day of the week",
        values: 0...7,
        names: ["SUN", "MON", "TUE", "WED", "THU", "FRI", "SAT"]
    )

    static let all = [minute, hour, day, month, weekday]

    /// What `*` means. Sunday is in it once.
    var whole: ClosedRange<Int> { names.count == 7 ? 0...6 : values }
}

/// The values that a field names: bit n stands for n.
struct CronSet: Sendable, Equatable {
    var bits: UInt64 = 0
    /// Whether the field begins with `*`, with or without a step.
    var isWild = false

    func contains(_ value: Int) -> Bool { bits >> UInt64(value) & 1 == 1 }

    /// The first value that is not below another; `nil` after the last.
    func first(from value: Int) -> Int? {
        let rest = bits >> UInt64(value)
        return rest == 0 ? nil : value + rest.trailingZeroBitCount
    }
}
