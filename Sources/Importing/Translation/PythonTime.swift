import PlugCore

/// Airbyte's formats for times and durations.
enum PythonTime {
    /// A format for `time("…")` and for bounds.
    ///
    /// - Throws: `Unsayable` for a directive that has no counterpart.
    static func format(_ format: String) throws(Unsayable) -> String {
        switch format {
        case "%s": return "epoch"
        case "%ms": return "epoch_ms"
        case "%epoch_microseconds": return "epoch_us"
        case "%Y-%m-%d": return "date"
        default: break
        }
        let text = format.replacing("%_ms", with: "%L")
        for odd in ["%s_as_float", "%ms", "%epoch_microseconds"] where text.contains(odd) {
            throw Unsayable("the format '\(format)' of a time has no counterpart")
        }
        do throws(StrftimePattern.UnknownDirective) { _ = try StrftimePattern(text) } catch {
            throw Unsayable("the format '\(format)' of a time has '\(error.text)', which has no counterpart")
        }
        guard text.contains("%") else { throw Unsayable("the format '\(format)' writes nothing of a time") }
        return text
    }

    /// An ISO 8601 duration in the plug's form: `P30D` is `30d`, `PT0.001S` is `1ms`, `P1M` is `1mo`.
    static func duration(_ iso: String, calendar: Bool = false) throws(Unsayable) -> String {
        let failure = Unsayable("the duration '\(iso)' has no counterpart")
        guard iso.first == "P" else { throw failure }
        var (number, seconds, months) = ("", 0.0, 0)
        var isTime = false
        for character in iso.dropFirst() {
            if character == "T" {
                isTime = true
                continue
            }
            if character.isNumber || character == "." {
                number.append(character)
                continue
            }
            guard let value = Double(number) else { throw failure }
            number = ""
            switch (character, isTime) {
            case ("Y", false): months += Int(value) * 12
            case ("M", false): months += Int(value)
            case ("W", false): seconds += value * 604_800
            case ("D", false): seconds += value * 86_400
            case ("H", true): seconds += value * 3_600
            case ("M", true): seconds += value * 60
            case ("S", true): seconds += value
            default: throw failure
            }
        }
        guard number.isEmpty else { throw failure }
        if months > 0 {
            guard calendar, seconds == 0 else {
                throw Unsayable("the duration '\(iso)' in months has no counterpart here")
            }
            return months % 12 == 0 ? "\(months / 12)y" : "\(months)mo"
        }
        let microseconds = (seconds * 1_000_000).rounded()
        for (unit, size) in [("d", 86_400e6), ("h", 3_600e6), ("m", 60e6), ("s", 1e6), ("ms", 1e3)]
        where microseconds >= size && microseconds.truncatingRemainder(dividingBy: size) == 0 {
            return "\(Int(microseconds / size))\(unit)"
        }
        return microseconds == 0 ? "0s" : "\(Int(microseconds))us"
    }

    /// The whole years of a duration such as `P5Y`.
    static func years(_ iso: String) -> Int? {
        iso.hasPrefix("P") && iso.hasSuffix("Y") ? Int(iso.dropFirst().dropLast()) : nil
    }
}
