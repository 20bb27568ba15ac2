internal import PlugCore

/// Times as feeds write them.
enum FeedTime {
    /// RFC 3339 in UTC; `nil` if the text is not a time in any known form.
    static func normalised(_ text: String) -> String? {
        (Timestamp(text) ?? compact(text) ?? separated(text))?.rfc3339
    }

    /// `20261122`, `20261122T041500Z`; seconds or milliseconds since 1970.
    private static func compact(_ text: String) -> Timestamp? {
        if let day = Timestamp(compactDay: text) { return day }
        guard text.utf8.count >= 8, text.utf8.allSatisfy({ $0 < 0x80 }) else { return nil }
        let digits = Array(text)
        if digits.allSatisfy(\.isNumber) {
            switch digits.count {
            case 9...10: return Timestamp(epoch: text)
            case 13: return Timestamp(epochMilliseconds: text)
            case 14: return compact("\(text.prefix(8))T\(text.suffix(6))")
            default: return nil
            }
        }
        guard digits.count >= 13, digits[..<8].allSatisfy(\.isNumber), digits[8] == "T" else { return nil }
        let (day, clock) = (String(digits[..<8]), digits[9...].prefix(while: \.isNumber))
        guard clock.count == 4 || clock.count == 6 else { return nil }
        let parts = stride(from: 0, to: clock.count, by: 2).map { String(clock.dropFirst($0).prefix(2)) }
        let zone = String(digits[(9 + clock.count)...])
        return Timestamp(
            "\(day.prefix(4))-\(day.dropFirst(4).prefix(2))-\(day.suffix(2))T\(parts.joined(separator: ":"))\(zone)"
        )
    }

    /// `2026-11`, `2026/11/22 4:15`, `22.11.2026`, `2026-11-22 04:15 CET`: a date in numbers, then perhaps what a mail has after
    /// its date.
    private static func separated(_ text: String) -> Timestamp? {
        var words = text.split { " ,\t\n\r".contains($0) }
        // A weekday before it says nothing more.
        if let first = words.first, first.allSatisfy(\.isLetter), words.count > 1 { words.removeFirst() }
        // `T` only separates if digits surround it.
        if let first = words.first, let mark = first.firstIndex(of: "T") {
            words.replaceSubrange(0..<1, with: [first[..<mark], first[first.index(after: mark)...]])
        }
        guard let date = words.first, let mark = date.first(where: { !$0.isNumber }), "-/.".contains(mark) else {
            return nil
        }
        var parts = date.split(separator: mark).compactMap { Int($0) }
        guard date.split(separator: mark).count == parts.count else { return nil }
        if parts.count == 2, parts[0] >= 1000 { parts.append(1) }
        guard parts.count == 3 else { return nil }
        if parts[0] < 1000 {
            // The day first, unless only the month can be.
            guard parts[2] >= 1000, mark == "." || parts[0] > 12 || parts[1] > 12 else { return nil }
            parts = parts[1] > 12 ? [parts[2], parts[0], parts[1]] : [parts[2], parts[1], parts[0]]
        }
        guard 1...12 ~= parts[1] else { return nil }
        let rest = words.dropFirst().joined(separator: " ")
        return Timestamp("\(parts[2]) \(MonthNames.short[parts[1] - 1]) \(parts[0]) \(rest)")
    }
}
