import Foundation

/// Reads a date by a `strptime` format, with English names.
struct DateReader {
    private let text: [UInt8]
    private var at = 0
    private(set) var time = tm()
    private var isAfternoon: Bool?

    init(_ text: String) {
        self.text = Array(text.utf8)
        time.tm_mday = 1
        time.tm_year = 70
    }

    var isAtEnd: Bool { at == text.count }

    private static let months = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"]
    private static let longMonths = [
        "january", "february", "march", "april", "may", "june", "july", "august", "september", "october", "november",
        "december",
    ]
    private static let days = ["sun", "mon", "tue", "wed", "thu", "fri", "sat"]
    private static let longDays = ["sunday", "monday", "tuesday", "wednesday", "thursday", "friday", "saturday"]

    /// Reads as much of the text as the format covers; `false` if it does not fit.
    mutating func read(_ format: String) -> Bool {
        var isDirective = false
        for scalar in format.unicodeScalars {
            if isDirective {
                isDirective = false
                guard directive(scalar) else { return false }
            } else if scalar == "%" {
                isDirective = true
            } else if scalar.properties.isWhitespace {
                skipBlanks()
            } else {
                for byte in String(scalar).utf8 {
                    guard at < text.count, text[at] == byte else { return false }
                    at += 1
                }
            }
        }
        if let isAfternoon { time.tm_hour = time.tm_hour % 12 + (isAfternoon ? 12 : 0) }
        return true
    }

    private mutating func skipBlanks() {
        while at < text.count, text[at] == 0x20 || (9...13).contains(text[at]) { at += 1 }
    }

    private mutating func number(_ digits: Int, _ range: ClosedRange<Int>) -> Int32? {
        skipBlanks()
        let start = at
        var value = 0
        while at < text.count, at - start < digits, text[at] &- 0x30 < 10 {
            value = value * 10 + Int(text[at] - 0x30)
            at += 1
        }
        return at > start && range.contains(value) ? Int32(value) : nil
    }

    private mutating func name(_ long: [String], _ short: [String]) -> Int32? {
        let rest = String(decoding: text[at...].prefix(12), as: UTF8.self).lowercased()
        for names in [long, short] {
            if let found = names.firstIndex(where: { rest.hasPrefix($0) }) {
                at += names[found].utf8.count
                return Int32(found)
            }
        }
        return nil
    }

    private mutating func directive(_ directive: Unicode.Scalar) -> Bool {
        func set(_ number: Int32?, _ body: (inout tm, Int32) -> Void) -> Bool {
            guard let number else { return false }
            body(&time, number)
            return true
        }
        switch directive {
        case "Y":
            let year = number(4, 0...9999)
            return set(year) { $0.tm_year = $1 - 1900 }
        case "y":
            let year = number(2, 0...99)
            return set(year) { $0.tm_year = $1 < 69 ? $1 + 100 : $1 }
        case "m":
            let month = number(2, 1...12)
            return set(month) { $0.tm_mon = $1 - 1 }
        case "d", "e":
            let day = number(2, 1...31)
            return set(day) { $0.tm_mday = $1 }
        case "H", "k":
            let hour = number(2, 0...23)
            return set(hour) { $0.tm_hour = $1 }
        case "I", "l":
            let hour = number(2, 1...12)
            return set(hour) { $0.tm_hour = $1 }
        case "M":
            let minute = number(2, 0...59)
            return set(minute) { $0.tm_min = $1 }
        case "S":
            let second = number(2, 0...61)
            return set(second) { $0.tm_sec = $1 }
        case "j":
            guard let day = number(3, 1...366) else { return false }
            (time.tm_mon, time.tm_mday) = (0, day)
            return true
        case "b", "B", "h":
            let month = name(Self.longMonths, Self.months)
            return set(month) { $0.tm_mon = $1 }
        case "a", "A": return name(Self.longDays, Self.days) != nil
        case "p":
            guard let half = name(["am", "pm"], []) else { return false }
            isAfternoon = half == 1
            return true
        case "T": return read("%H:%M:%S")
        case "R": return read("%H:%M")
        case "F": return read("%Y-%m-%d")
        case "D": return read("%m/%d/%y")
        case "s": return epoch()
        case "Z":
            while at < text.count, text[at] | 0x20 &- 0x61 < 26 { at += 1 }
            return true
        case "z": return zone()
        case "n", "t":
            skipBlanks()
            return true
        case "%":
            guard at < text.count, text[at] == 0x25 else { return false }
            at += 1
            return true
        default: return false
        }
    }

    private mutating func epoch() -> Bool {
        skipBlanks()
        let digits = text[at...].prefix(11).prefix { $0 &- 0x30 < 10 }
        guard let seconds = Int(String(decoding: digits, as: UTF8.self)) else { return false }
        at += digits.count
        var clock = time_t(seconds)
        gmtime_r(&clock, &time)
        return true
    }

    /// `Z`, `+02:00` or `+0200`; jq ignores its value, and so does this.
    private mutating func zone() -> Bool {
        skipBlanks()
        guard at < text.count else { return false }
        if text[at] == UInt8(ascii: "Z") {
            at += 1
            return true
        }
        guard text[at] == UInt8(ascii: "+") || text[at] == UInt8(ascii: "-") else { return false }
        at += 1
        guard number(2, 0...23) != nil else { return false }
        if at < text.count, text[at] == UInt8(ascii: ":") { at += 1 }
        _ = number(2, 0...59)
        return true
    }
}
