internal import PlugCore

/// Other times for times: all earlier by as much, so that their order and what lies between them stays.
struct TimeShift: Sendable {
    /// Days, in whole weeks: what happens on Mondays still does.
    let days: Int64
    /// Seconds, less than none: the days, and less than an hour beside them.
    let seconds: Int64

    /// How much earlier.
    enum Width: CaseIterable {
        /// Between a year and two.
        case years
        /// Some minutes, for a plug that counts from a fixed day: an earlier present would have other windows.
        case minutes
    }

    init(_ width: Width, _ chance: PlaceholderChance) {
        var numbers = chance.numbers(for: "time")
        days = width == .years ? -7 * Int64.random(in: 53...104, using: &numbers) : 0
        seconds = days * 86_400 - Int64.random(in: 60...3599, using: &numbers)
    }

    /// A moment in microseconds since 1970.
    func shifted(_ moment: Int64) -> Int64 { moment + seconds * 1_000_000 }

    /// Seconds since 1970 as a whole number of seconds, milliseconds or microseconds; `nil` for what is none.
    func shifted(digits: Substring) -> String? {
        let unit: Int64
        switch digits.utf8.count {
        case 10: unit = 1
        case 13: unit = 1000
        case 16: unit = 1_000_000
        default: return nil
        }
        // 2003-09 to 2037: so that it has as many digits afterwards.
        guard let value = Int64(digits), 1_064_000_000...2_140_000_000 ~= value / unit else { return nil }
        return String(value + seconds * unit)
    }

    /// A text that is a time, in one of the forms of services; `nil` for what is none.
    func shifted(_ text: String) -> String? {
        guard text.utf8.count <= 40, text.utf8.count >= 10 else { return nil }
        var form = TimeForm(text)
        return form.shifted(by: self)
    }

    /// A day of a calendar that is eight digits, such as `20261124`: elsewhere that is a number.
    func shifted(day text: String) -> String? {
        guard text.utf8.count == 8, text.utf8.allSatisfy({ 0x30...0x39 ~= $0 }) else { return nil }
        let year = text.prefix(4)
        let dashed = "\(year)-\(text.dropFirst(4).prefix(2))-\(text.suffix(2))"
        return shifted(dashed)?.filter { $0 != "-" }
    }
}
