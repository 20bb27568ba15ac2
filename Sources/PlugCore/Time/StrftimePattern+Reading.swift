extension StrftimePattern {
    /// Why texts cannot be read with this pattern; `nil` if they can.
    package var readingFault: String? {
        if !Self.nameDay([directives]) { return "does not name the day: year, month and day, or %s" }
        if directives.contains("I"), directives.isDisjoint(with: "ps") { return "has %I without %p" }
        return nil
    }

    /// Reads a text of the pattern's form; `nil` for any other.
    ///
    /// A space stands for one or more spaces. Numbers may lack leading zeros, but a year (`%Y`) has four digits. Names of months
    /// and days are English, short or long, in any case; a weekday is not checked against the date. `%f` and `%L` accept any
    /// number of digits, and `%z` also `Z` and `+01:00`.
    package func read(_ text: String) -> WrittenTime? {
        var scanner = TimeScanner(text)
        var parts = TimeParts()
        for piece in pieces {
            switch piece {
            case .text(let literal): guard scanner.takeLiteral(literal) else { return nil }
            case .directive(let letter): guard parts.read(letter, &scanner) else { return nil }
            }
        }
        return scanner.isAtEnd ? parts.time : nil
    }
}

/// What the directives have read of a time so far.
private struct TimeParts {
    private var year: Int64?
    private var month: Int64?
    private var day: Int64?
    private var dayOfYear: Int64?
    private var hour: Int64 = 0
    private var halfDayHour: Int64?
    private var isAfternoon = false
    private var minute: Int64 = 0
    private var second: Int64 = 0
    private var fraction = ""
    private var offset: Int64?
    private var epoch: Int64?

    /// Reads what one directive stands for; `false` if the text has something else.
    mutating func read(_ letter: Character, _ scanner: inout TimeScanner) -> Bool {
        switch letter {
        case "Y": return Self.take(scanner.number(4), 0...9999, to: &year)
        case "y":
            guard let short = scanner.number(2) else { return false }
            // As POSIX specifies.
            year = short < 69 ? 2000 + short : 1900 + short
        case "m": return Self.take(scanner.number(1, 2), 1...12, to: &month)
        case "b", "B":
            return Self.take(scanner.name(of: MonthNames.long).map { Int64($0 + 1) }, 1...12, to: &month)
        case "d": return Self.take(scanner.number(1, 2), 1...31, to: &day)
        case "e":
            scanner.skipSpaces()
            return Self.take(scanner.number(1, 2), 1...31, to: &day)
        case "j": return Self.take(scanner.number(1, 3), 1...366, to: &dayOfYear)
        case "a", "A": return scanner.name(of: StrftimePattern.weekdays) != nil
        case "H": return Self.take(scanner.number(1, 2), 0...23, to: &hour)
        case "I": return Self.take(scanner.number(1, 2), 1...12, to: &halfDayHour)
        case "p":
            guard let half = scanner.name(of: ["am", "pm"]) else { return false }
            isAfternoon = half == 1
        case "M": return Self.take(scanner.number(1, 2), 0...59, to: &minute)
        // A leap second counts as the second that follows it.
        case "S": return Self.take(scanner.number(1, 2), 0...60, to: &second)
        case "f", "L":
            guard let digits = scanner.digits() else { return false }
            fraction = digits
        case "s":
            guard let seconds = scanner.signedNumber() else { return false }
            epoch = seconds
        case "z", "Z":
            guard let zone = scanner.offset() ?? scanner.zoneName() else { return false }
            offset = zone
        case "F":
            return read("Y", &scanner) && scanner.takeLiteral("-") && read("m", &scanner) && scanner.takeLiteral("-")
                && read("d", &scanner)
        case "T":
            return read("H", &scanner) && scanner.takeLiteral(":") && read("M", &scanner) && scanner.takeLiteral(":")
                && read("S", &scanner)
        default: return false
        }
        return true
    }

    /// The time, `nil` for a day that no calendar has.
    var time: WrittenTime? {
        if let epoch { return WrittenTime(local: epoch, fraction: fraction, offset: 0) }
        guard let days else { return nil }
        let hour = halfDayHour.map { $0 % 12 + (isAfternoon ? 12 : 0) } ?? hour
        let clock = hour * 3600 + minute * 60 + second
        return WrittenTime(local: days * 86_400 + clock, fraction: fraction, offset: offset)
    }

    private var days: Int64? {
        guard let year else { return nil }
        if let month, let day { return CivilDate(year: year, month: month, day: day)?.daysSinceEpoch }
        guard let dayOfYear, let first = CivilDate(year: year, month: 1, day: 1)?.daysSinceEpoch else { return nil }
        let day = first + dayOfYear - 1
        return CivilDate(daysSinceEpoch: day).year == year ? day : nil
    }

    private static func take(_ number: Int64?, _ range: ClosedRange<Int64>, to place: inout Int64?) -> Bool {
        guard let number, range ~= number else { return false }
        place = number
        return true
    }

    private static func take(_ number: Int64?, _ range: ClosedRange<Int64>, to place: inout Int64) -> Bool {
        guard let number, range ~= number else { return false }
        place = number
        return true
    }
}
