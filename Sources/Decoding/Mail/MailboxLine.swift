internal import PlugCore

/// A line `From ` after an empty one, which begins a message or is text: writers of mailboxes have never agreed on it (RFC 4155).
enum MailboxLine {
    /// A longer line does not begin a message.
    static let limit = 1000

    /// Whether it is `From SENDER DATE`, as all common writers have it: `From ada@example.org Mon Jan  5 10:00:00 2026`, with or
    /// without a time zone before or after the year. Whatever follows, a message begins there.
    static func isComplete(_ line: UnsafeRawBufferPointer) -> Bool {
        var words = line.split(separator: 0x20).map { String(decoding: $0, as: UTF8.self) }
        // `From`, a sender, a weekday, a month, a day, a time, a year, and perhaps a zone.
        if words.count == 8 {
            if isZone(words[6]) { words.remove(at: 6) } else if isZone(words[7]) { words.removeLast() }
        }
        return words.count == 7 && days.contains(words[2]) && MonthNames.short.contains(words[3])
            && number(words[4]).map { 1...31 ~= $0 } == true && isTime(words[5])
            && words[6].utf8.count == 4 && number(words[6]) != nil
    }

    /// Whether it may be the first header of a message: `Return-Path: <ada@example.org>`, but not `http://example.org`.
    static func isHeader(_ line: UnsafeRawBufferPointer) -> Bool {
        guard let colon = line.firstIndex(of: 0x3A), colon > 0 else { return false }
        return line[..<colon].allSatisfy { 0x21...0x7E ~= $0 } && !line[(colon + 1)...].starts(with: [0x2F, 0x2F])
    }

    private static let days: Set = ["Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"]

    private static func number(_ text: some StringProtocol) -> Int? {
        1...4 ~= text.utf8.count && text.utf8.allSatisfy { 0x30...0x39 ~= $0 } ? Int(text) : nil
    }

    private static func isTime(_ text: String) -> Bool {
        let parts = text.split(separator: ":", omittingEmptySubsequences: false)
        guard parts.count == 3, parts.allSatisfy({ $0.utf8.count == 2 }) else { return false }
        return zip(parts, [23, 59, 60]).allSatisfy { part, most in number(part).map { $0 <= most } == true }
    }

    /// `+0100`, or a name such as `UTC`.
    private static func isZone(_ text: String) -> Bool {
        if text.hasPrefix("+") || text.hasPrefix("-") { return text.utf8.count == 5 && number(text.dropFirst()) != nil }
        return 1...5 ~= text.utf8.count && text.utf8.allSatisfy { 0x41...0x5A ~= $0 }
    }
}
