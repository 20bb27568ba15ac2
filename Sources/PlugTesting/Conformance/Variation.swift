import LosslessJSON
import PlugCore

/// Other values of the same form as a recorded one, so that a manifest treats them the same way.
enum Variation {
    /// Another value, distinct for each number from 1 to 99,999; `nil` if it has no alternatives.
    static func distinct(_ value: JSONValue, _ number: Int) -> JSONValue? {
        switch value {
        case .string(let string): .text(distinct(string.text, number))
        case .number(let written): self.number(written, plus: number)
        case .bool(let bool): .bool(number % 2 == 1 ? !bool : bool)
        case .object(let object): later(object, by: Int64(number) * 86_400)
        case .null, .array: nil
        }
    }

    /// The same time in the same format, a number of seconds later; `nil` if it is not a time. A number counts as one if its unit
    /// is given.
    static func later(_ value: JSONValue, by seconds: Int64, unit: Int64? = nil) -> JSONValue? {
        if let text = value.stringText { return WallTime(text).map { .text($0.later(by: seconds)) } }
        if let object = value.object { return later(object, by: seconds) }
        guard let unit, let written = value.number else { return nil }
        return number(written, plus: Int(seconds * unit))
    }

    /// A day whose year, month and day are separate members.
    private static func later(_ object: JSONObject, by seconds: Int64) -> JSONValue? {
        let names = ["year", "month", "day"].map { JSONString($0) }
        let parts = names.compactMap { object[$0]?.number?.int64 }
        guard parts.count == 3 else { return nil }
        let padded = parts.map { $0 < 10 ? "0\($0)" : String($0) }
        guard let time = WallTime(padded.joined(separator: "-")) else { return nil }
        var object = object
        for (name, part) in zip(names, time.later(by: seconds).split(separator: "-")) {
            object[name] = Int(part).map { .integer($0) }
        }
        return .object(object)
    }

    /// A whole number, or the whole part of another one, increased.
    private static func number(_ written: JSONNumber, plus more: Int) -> JSONValue? {
        let whole = written.text.prefix { $0.isNumber || $0 == "-" }
        guard let value = Int64(whole), !written.text.dropFirst(whole.count).contains(where: { $0 == "e" || $0 == "E" })
        else { return nil }
        let (sum, overflows) = value.addingReportingOverflow(Int64(more))
        guard !overflows else { return nil }
        return JSONNumber("\(sum)\(written.text.dropFirst(whole.count))").map { .number($0) }
    }

    private static func distinct(_ text: String, _ number: Int) -> String {
        if let time = WallTime(text) { return time.later(by: Int64(number) * (time.isDay ? 86_400 : 1)) }
        if text.utf8.allSatisfy({ (0x30...0x39).contains($0) }), let value = Int64(text), text.utf8.first != 0x30 {
            let (sum, overflows) = value.addingReportingOverflow(Int64(number))
            if !overflows { return String(sum) }
        }
        // The last word changes: the end of an id, of a UUID, of a path.
        let characters = Array(text)
        guard let end = characters.lastIndex(where: { $0.isASCII && ($0.isLetter || $0.isNumber) }) else {
            return text + String(number)
        }
        let start = characters[...end].lastIndex { !($0.isASCII && ($0.isLetter || $0.isNumber)) }.map { $0 + 1 } ?? 0
        let digits = String(number)
        guard end - start + 1 >= 6 else {
            return String(characters[...end]) + digits + String(characters[(end + 1)...])
        }
        let padded = String(repeating: "0", count: 5 - min(5, digits.count)) + digits
        return String(characters[..<(end + 1 - padded.count)]) + padded + String(characters[(end + 1)...])
    }
}

/// A day, or a day and a time of day, in ISO 8601 or a variant, with whatever follows it.
struct WallTime {
    /// Whether no time of day is written.
    let isDay: Bool
    /// The wall-clock time, as if in UTC.
    private let moment: Timestamp
    private let separator: String
    private let hasSeconds: Bool
    private let rest: Substring

    init?(_ text: String) {
        let bytes = Array(text.utf8)
        guard Self.matches(bytes, "0000-00-00", at: 0) else { return nil }
        let hasTime = bytes.count > 10
        if hasTime {
            guard bytes[10] == UInt8(ascii: "T") || bytes[10] == UInt8(ascii: " "), Self.matches(bytes, "00:00", at: 11)
            else { return nil }
        }
        isDay = !hasTime
        hasSeconds = hasTime && Self.matches(bytes, ":00", at: 16)
        let end = isDay ? 10 : hasSeconds ? 19 : 16
        let minute = hasTime ? text.dropFirst(11).prefix(5) : "00:00"
        let second = hasSeconds ? text.dropFirst(16).prefix(3) : ":00"
        guard let moment = Timestamp("\(text.prefix(10))T\(minute)\(second)Z") else { return nil }
        self.moment = moment
        separator = hasTime ? String(text.dropFirst(10).prefix(1)) : ""
        rest = text.dropFirst(end)
    }

    /// Whether there are digits where the pattern has zeros, and its own characters elsewhere.
    private static func matches(_ bytes: [UInt8], _ pattern: String, at start: Int) -> Bool {
        let pattern = Array(pattern.utf8)
        guard bytes.count >= start + pattern.count else { return false }
        return pattern.indices.allSatisfy { index in
            let byte = bytes[start + index]
            return pattern[index] == 0x30 ? (0x30...0x39).contains(byte) : byte == pattern[index]
        }
    }

    /// The text, a number of seconds later, in the same form.
    func later(by seconds: Int64) -> String {
        let text = Timestamp(seconds: moment.seconds + seconds).rfc3339
        let day = text.prefix(10)
        guard !isDay else { return String(day) }
        return "\(day)\(separator)\(text.dropFirst(11).prefix(hasSeconds ? 8 : 5))\(rest)"
    }
}
