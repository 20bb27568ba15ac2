/// A time format in the notation of `strftime`: `%Y-%m-%d %H:%M:%S`; times are written in UTC.
///
/// The directives are those of C, plus two that services need and C lacks: `%f` for six digits after the point and `%L` for
/// three.
public struct StrftimePattern: Sendable, Equatable {
    enum Piece: Sendable, Equatable {
        case text(String)
        case directive(Character)
    }

    let pieces: [Piece]

    /// All directives, for messages.
    public static let directives = [
        "%Y", "%m", "%d", "%H", "%M", "%S", "%f", "%L", "%y", "%j", "%e", "%b", "%B", "%a", "%A", "%I", "%p", "%s",
        "%z", "%Z",
        "%F", "%T", "%%",
    ]

    /// Reads a pattern.
    ///
    /// - Throws: `UnknownDirective` if a `%` is not followed by one of `directives`.
    public init(_ text: String) throws(UnknownDirective) {
        var pieces: [Piece] = []
        var literal = ""
        var rest = Substring(text)
        while let character = rest.popFirst() {
            guard character == "%" else {
                literal.append(character)
                continue
            }
            let directive = rest.popFirst()
            guard let directive, Self.directives.contains("%\(directive)") else {
                throw UnknownDirective(text: "%" + (directive.map { String($0) } ?? ""))
            }
            if directive == "%" {
                literal.append("%")
            } else {
                if !literal.isEmpty { pieces.append(.text(literal)) }
                pieces.append(.directive(directive))
                literal = ""
            }
        }
        if !literal.isEmpty { pieces.append(.text(literal)) }
        self.pieces = pieces
    }

    /// A `%` followed by something that is not a directive.
    public struct UnknownDirective: Error, Equatable {
        /// The text found, such as `%Q`.
        public let text: String
        /// An unknown directive with this text.
        public init(text: String) { self.text = text }
    }

    /// The letters of its directives.
    public var directives: Set<Character> {
        Set(pieces.compactMap { if case .directive(let letter) = $0 { letter } else { nil } })
    }

    /// Whether the patterns together specify the day.
    ///
    /// - Parameter patterns: Their directives; `nil` for a format that always specifies it.
    public static func nameDay(_ patterns: [Set<Character>?]) -> Bool {
        var letters: Set<Character> = []
        for pattern in patterns {
            guard let pattern else { return true }
            letters.formUnion(pattern)
        }
        let hasYear = !letters.isDisjoint(with: "Yy")
        let hasMonth = !letters.isDisjoint(with: "mbB")
        let hasDay = !letters.isDisjoint(with: "de")
        return letters.contains("s") || letters.contains("F")
            || hasYear && (letters.contains("j") || hasMonth && hasDay)
    }

    /// Whether its output does not depend on the time.
    public var isConstant: Bool { !pieces.contains { if case .directive = $0 { true } else { false } } }

    /// The smallest step that it shows: a microsecond, a millisecond, a second, a minute, an hour, or a day for all others.
    public var step: Duration {
        let letters = pieces.compactMap { if case .directive(let letter) = $0 { letter } else { nil } }
        let steps: [(String, Duration)] = [
            ("f", .microseconds(1)), ("L", .milliseconds(1)), ("SsT", .seconds(1)), ("M", .seconds(60)),
            ("HI", .seconds(3600)),
        ]
        return steps.first { step in letters.contains { step.0.contains($0) } }?.1 ?? .seconds(86_400)
    }

    /// A moment as the pattern writes it; finer parts are cut off.
    public func text(of moment: Timestamp) -> String {
        let days = CivilDate.floored(moment.seconds, 86_400)
        let time = moment.seconds - days * 86_400
        let date = CivilDate(daysSinceEpoch: days)
        return pieces.map { piece in
            switch piece {
            case .text(let text): text
            case .directive(let letter): Self.text(letter, moment, date, time: time, days: days)
            }
        }.joined()
    }

    private static func text(
        _ letter: Character,
        _ moment: Timestamp,
        _ date: CivilDate,
        time: Int64,
        days: Int64
    ) -> String {
        let hour = time / 3600
        return switch letter {
        case "Y": String(moment.date.dropLast(6))
        case "m": padded(date.month, 2)
        case "d": padded(date.day, 2)
        case "e": date.day < 10 ? " \(date.day)" : "\(date.day)"
        case "y": padded((date.year % 100 + 100) % 100, 2)
        case "j": padded(days - (CivilDate(year: date.year, month: 1, day: 1)?.daysSinceEpoch ?? days) + 1, 3)
        case "H": padded(hour, 2)
        case "I": padded((hour + 11) % 12 + 1, 2)
        case "p": hour < 12 ? "AM" : "PM"
        case "M": padded(time / 60 % 60, 2)
        case "S": padded(time % 60, 2)
        case "f": String((moment.fraction + "000000").prefix(6))
        case "L": String((moment.fraction + "000").prefix(3))
        case "s": String(moment.seconds)
        case "b": MonthNames.short[Int(date.month) - 1]
        case "B": MonthNames.long[Int(date.month) - 1]
        case "a": String(weekday(days).prefix(3))
        case "A": weekday(days)
        case "F": moment.date
        case "T": "\(padded(hour, 2)):\(padded(time / 60 % 60, 2)):\(padded(time % 60, 2))"
        case "z": "+0000"
        default: "UTC"
        }
    }

    private static func padded(_ number: Int64, _ width: Int) -> String {
        let digits = String(number)
        return String(repeating: "0", count: max(0, width - digits.count)) + digits
    }

    /// 1970-01-01 was a Thursday.
    static let weekdays = ["Thursday", "Friday", "Saturday", "Sunday", "Monday", "Tuesday", "Wednesday"]

    private static func weekday(_ days: Int64) -> String { weekdays[Int(((days % 7) + 7) % 7)] }
}
