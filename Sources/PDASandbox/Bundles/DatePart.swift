internal import LosslessJSON
internal import PlugCore

/// A field of a moment, as given by PostgreSQL's `date_part` in a session whose time zone is UTC.
struct DatePart: Sendable {
    private let name: String

    init(_ name: String) { self.name = name.lowercased() }

    /// The part of a date written as text; `nil` for JSON null, which is SQL's null.
    func ofText(_ value: JSONValue) throws(EvaluationFailure) -> JSONValue? {
        if value.isNull { return nil }
        guard let moment = value.stringText.flatMap({ Timestamp($0.trimmed) }) else { throw .cast }
        return try part(of: moment)
    }

    /// The part of a number of seconds since 1970, possibly written as text.
    func ofSeconds(_ value: JSONValue) throws(EvaluationFailure) -> JSONValue? {
        if value.isNull { return nil }
        let text = value.number?.text ?? value.stringText?.trimmed
        guard let moment = text.flatMap({ Timestamp(epoch: $0) }) else { throw .cast }
        return try part(of: moment)
    }

    private func part(of moment: Timestamp) throws(EvaluationFailure) -> JSONValue {
        let day = CivilDate.floored(moment.seconds, 86_400)
        let inDay = moment.seconds - day * 86_400
        let date = moment.date.split(separator: "-").compactMap { Int64($0) }
        // Years BC do not occur in an account's data.
        guard date.count == 3 else { throw .cast }
        let (year, month) = (date[0], date[1])
        switch name {
        case "year": return number(year)
        case "month": return number(month)
        case "day": return number(date[2])
        case "hour": return number(inDay / 3600)
        case "minute": return number(inDay / 60 % 60)
        case "second": return number(inDay % 60, moment.fraction)
        case "milliseconds": return scaled(inDay % 60, moment.fraction, 3)
        case "microseconds": return scaled(inDay % 60, moment.fraction, 6)
        case "epoch": return epoch(moment)
        case "dow": return number(Self.weekday(day) % 7)
        case "isodow": return number(Self.weekday(day))
        case "doy": return number(day - Self.newYear(year) + 1)
        case "week", "isoyear":
            // The week belongs to the year of its Thursday.
            let thursday = day - Self.weekday(day) + 4
            let itsYear = Timestamp(seconds: thursday * 86_400).date.split(separator: "-").first.flatMap { Int64($0) }
            guard let itsYear else { throw .cast }
            return number(name == "week" ? (thursday - Self.newYear(itsYear)) / 7 + 1 : itsYear)
        case "quarter": return number((month + 2) / 3)
        case "decade": return number(year / 10)
        case "century": return number((year + 99) / 100)
        case "millennium": return number((year + 999) / 1000)
        case "timezone", "timezone_hour", "timezone_minute": return number(0)
        default: throw .refused
        }
    }

    /// Monday is 1, Sunday 7.
    private static func weekday(_ day: Int64) -> Int64 { CivilDate.weekday(day) + 1 }

    private static func newYear(_ year: Int64) -> Int64 {
        let text = String(year)
        let padded = String(repeating: "0", count: max(0, 4 - text.count)) + text
        return CivilDate.floored(Timestamp("\(padded)-01-01T00:00:00Z")?.seconds ?? 0, 86_400)
    }

    private func number(_ whole: Int64, _ fraction: String = "") -> JSONValue {
        let text = fraction.isEmpty ? "\(whole)" : "\(whole).\(fraction)"
        return .number(JSONNumber(text) ?? JSONNumber(whole))
    }

    private func scaled(_ seconds: Int64, _ fraction: String, _ digits: Int) -> JSONValue {
        .number(JSONNumber("\(seconds).\(fraction.isEmpty ? "0" : fraction)e\(digits)") ?? JSONNumber(seconds))
    }

    private func epoch(_ moment: Timestamp) -> JSONValue {
        if moment.seconds >= 0 || moment.fraction.isEmpty { return number(moment.seconds, moment.fraction) }
        return JSONNumber(Double(moment.microseconds) / 1_000_000).map { .number($0) } ?? number(moment.seconds)
    }
}
