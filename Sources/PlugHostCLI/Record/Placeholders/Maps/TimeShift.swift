internal import PlugCore

/// Replacement times: all earlier by the same amount, so that their order and intervals are kept.
struct TimeShift: Sendable {
    /// Days, in whole weeks: what happens on Mondays still does.
    let days: Int64
    /// Seconds, negative: the days, and less than an hour besides.
    let seconds: Int64

    /// The size of the shift.
    enum Width: CaseIterable {
        /// Between one and two years.
        case years
        /// A few minutes, for a plug that counts from a fixed day: an earlier present would have other windows.
        case minutes
    }

    /// The longest shift, in microseconds.
    static let widest: Int64 = (104 * 7 + 1) * 86_400_000_000

    init(_ width: Width, _ chance: PlaceholderChance) {
        var numbers = chance.numbers(for: "time")
        days = width == .years ? -7 * Int64.random(in: 53...104, using: &numbers) : 0
        seconds = days * 86_400 - Int64.random(in: 60...3599, using: &numbers)
    }

    /// A time in microseconds since 1970.
    func shifted(_ moment: Int64) -> Int64 { moment + seconds * 1_000_000 }

    /// A time since 1970 as a whole number of seconds, milliseconds or microseconds; `nil` if it is not one.
    func shifted(digits: Substring) -> String? {
        let unit: Int64
        switch digits.utf8.count {
        case 10: unit = 1
        case 13: unit = 1000
        case 16: unit = 1_000_000
        default: return nil
        }
        // 2003-09 to 2037: so that the number of digits stays the same.
        guard let value = Int64(digits), 1_064_000_000...2_140_000_000 ~= value / unit else { return nil }
        return String(value + seconds * unit)
    }

    /// A text that is a time, in one of services' formats; `nil` if it is not.
    func shifted(_ text: String) -> String? {
        guard text.utf8.count <= 40, text.utf8.count >= 10 else { return nil }
        var form = TimeForm(text)
        return form.shifted(by: self)
    }

    /// A calendar day as eight digits, such as `20261124`: elsewhere that is a number.
    func shifted(day text: String) -> String? {
        guard text.utf8.count == 8, text.utf8.allSatisfy({ 0x30...0x39 ~= $0 }) else { return nil }
        let year = text.prefix(4)
        let dashed = "\(year)-\(text.dropFirst(4).prefix(2))-\(text.suffix(2))"
        return shifted(dashed)?.filter { $0 != "-" }
    }
}
