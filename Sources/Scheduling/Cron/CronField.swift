/// One of the five fields of a cron expression: its name and its values.
struct CronField: Sendable {
    let name: String
    let values: ClosedRange<Int>
    /// Names of values, starting with the first value.
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

    /// The meaning of `*`. It includes Sunday once.
    var whole: ClosedRange<Int> { names.count == 7 ? 0...6 : values }
}

/// The values selected by a field: bit n represents n.
struct CronSet: Sendable, Equatable {
    var bits: UInt64 = 0
    /// Whether the field begins with `*`, with or without a step.
    var isWild = false

    func contains(_ value: Int) -> Bool { bits >> UInt64(value) & 1 == 1 }

    /// The first value at or above another; `nil` after the last.
    func first(from value: Int) -> Int? {
        let rest = bits >> UInt64(value)
        return rest == 0 ? nil : value + rest.trailingZeroBitCount
    }
}
