internal import PlugCore
internal import PlugStorage

/// Formatting for pages.
enum Words {
    /// A moment, to the minute: `24 Nov 2026, 03:47 UTC`.
    static func time(_ microseconds: Int64) -> HTML {
        let text = Timestamp(seconds: microseconds / 1_000_000).rfc3339
        return "<time datetime=\"\(text)\">\(day(text)), \(text.dropFirst(11).prefix(5)) UTC</time>"
    }

    /// A moment, to the second: `24 Nov 2026, 03:47:12 UTC`.
    static func second(_ microseconds: Int64) -> HTML {
        let text = Timestamp(seconds: microseconds / 1_000_000).rfc3339
        return "<time datetime=\"\(text)\">\(day(text)), \(text.dropFirst(11).prefix(8)) UTC</time>"
    }

    /// An hour counted since 1970: `24 Nov, 03:00`. The context says that it is UTC.
    static func hour(_ hour: Int64) -> HTML {
        let text = Timestamp(seconds: hour * 3_600).rfc3339
        return "<time datetime=\"\(text)\">\(day(text, year: false)), \(text.dropFirst(11).prefix(5))</time>"
    }

    /// The day of an RFC 3339 time.
    private static func day(_ text: String, year: Bool = true) -> String {
        let parts = text.prefix(10).split(separator: "-").compactMap { Int($0) }
        guard parts.count == 3 else { return "" }
        return "\(parts[2]) \(MonthNames.short[(parts[1] + 11) % 12])" + (year ? " \(parts[0])" : "")
    }

    /// A number with thousands separators: `1,234,567`.
    static func number(_ number: Int) -> String {
        let digits = String(number.magnitude)
        var text = number < 0 ? "-" : ""
        for (at, digit) in digits.enumerated() {
            if at > 0, (digits.count - at).isMultiple(of: 3) { text += "," }
            text.append(digit)
        }
        return text
    }

    /// A number with one decimal place, or none if it is zero: `2.5`, `3`.
    static func tenths(_ value: Double) -> String {
        let tenths = Int((min(max(value, 0), 1e15) * 10).rounded())
        return number(tenths / 10) + (tenths % 10 == 0 ? "" : ".\(tenths % 10)")
    }

    /// A duration: `0.4 s`, `2 min 5 s`, `3 h 12 min`.
    static func seconds(_ seconds: Double) -> String {
        if seconds < 0.05 { return "under 0.1 s" }
        if seconds < 60 { return "\(tenths(seconds)) s" }
        let whole = Int(min(seconds, 1e12))
        return whole < 3_600 ? "\(whole / 60) min \(whole % 60) s" : "\(number(whole / 3_600)) h \(whole / 60 % 60) min"
    }

    /// A size: `812 B`, `3.4 MB`.
    static func bytes(_ bytes: Int) -> String {
        var (value, unit) = (Double(bytes), "B")
        for next in ["kB", "MB", "GB", "TB"] where value >= 1_000 { (value, unit) = (value / 1_000, next) }
        return "\(tenths(value))\u{A0}\(unit)"
    }

    /// An interval: `every 15 minutes`.
    static func every(_ duration: Duration) -> String {
        let seconds = duration.components.seconds
        for (length, name) in [(86_400, "day"), (3_600, "hour"), (60, "minute")] as [(Int64, String)]
        where seconds >= length && seconds % length == 0 {
            let count = seconds / length
            return count == 1 ? "every \(name)" : "every \(count) \(name)s"
        }
        return "every \(HumanDuration.text(duration))"
    }

    /// The display name of a stream: `recent_plays` is `Recent plays`.
    static func stream(_ name: String) -> String {
        let text = name.replacing("_", with: " ").replacing("-", with: " ")
        return text.prefix(1).uppercased() + text.dropFirst()
    }

    /// A PDA's display name: its host, without the scheme that all share.
    static func pda(_ origin: String) -> String {
        origin.hasPrefix("https://") ? String(origin.dropFirst("https://".count)) : origin
    }

    /// A list: `a, b and c`.
    static func list(_ words: [String]) -> String {
        guard let last = words.last, words.count > 1 else { return words.first ?? "" }
        return words.dropLast().joined(separator: ", ") + " and " + last
    }
}

extension ConnectionSetup.Status {
    /// A word for its reader, and the class of its colour.
    func word(for reader: RunTrouble.Reader) -> (text: String, style: String) {
        switch self {
        case .active: ("Active", "good")
        case .paused: ("Paused", "warn")
        case .reconnect: (reader == .person ? "Action needed" : "Waits for its owner", "bad")
        case .disabled: (reader == .person ? "Disabled in your PDA" : "Disabled by its PDA", "bad")
        }
    }

    /// What a PDA did that disabled a plug.
    static func disabledSentence(for reader: RunTrouble.Reader) -> String {
        "\(reader == .person ? "Your" : "The person's") PDA has disabled this plug."
    }
}

extension ConnectionState {
    /// A word for its reader, and the class of its colour.
    func word(for reader: RunTrouble.Reader) -> (text: String, style: String) {
        switch self {
        case .active: ConnectionSetup.Status.active.word(for: reader)
        case .paused: ConnectionSetup.Status.paused.word(for: reader)
        case .reconnect: ConnectionSetup.Status.reconnect.word(for: reader)
        case .disabled: ConnectionSetup.Status.disabled.word(for: reader)
        case .troubled(.failing, _): (reader == .person ? "Not working" : "Failing", "bad")
        case .troubled(.waiting, let trouble) where ConnectionHealth.codesOfPDA.contains(trouble.code):
            (reader == .person ? "Waits for your PDA" : "Waits for its PDA", "warn")
        case .troubled(.waiting, _): ("Waits for the service", "warn")
        case .unscheduled: ("Not copied automatically", "quiet")
        }
    }

    /// Since when it is in trouble, and for operators why.
    func since(for reader: RunTrouble.Reader) -> HTML? {
        trouble.map { _, trouble in
            let code: HTML? = reader == .operator ? " · <code>\(trouble.code)</code>" : nil
            return "since \(Words.time(trouble.since))\(code)"
        }
    }
}

extension ConnectionHealth {
    /// A word for operators, and the class of its colour.
    var word: (text: String, style: String) {
        switch self {
        case .failing: ("Failing", "bad")
        case .waiting: ("Waits for its PDA or service", "warn")
        }
    }
}
