internal import PlugCore
internal import PlugStorage

/// How pages say things.
enum Words {
    /// A moment, to the minute: `24 Nov 2026, 03:47 UTC`.
    static func time(_ microseconds: Int64) -> HTML {
        let moment = Timestamp(seconds: microseconds / 1_000_000)
        let text = moment.rfc3339
        let parts = moment.date.split(separator: "-")
        let month = parts.count == 3 ? Int(parts[1]).map { months[($0 - 1) % 12] } ?? "" : ""
        let day = parts.last.flatMap { Int($0) } ?? 0
        let clock = text.split(separator: "T").last?.prefix(5) ?? ""
        return "<time datetime=\"\(text)\">\(day) \(month) \(parts.first ?? ""), \(clock) UTC</time>"
    }

    private static let months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]

    /// A count and what is counted.
    static func count(_ count: Int, _ one: String, _ many: String? = nil) -> String {
        "\(count) \(count == 1 ? one : many ?? one + "s")"
    }

    /// How often: `every 15 minutes`.
    static func every(_ duration: Duration) -> String {
        let seconds = Int64(duration / .seconds(1))
        for (length, name) in [(86_400, "day"), (3_600, "hour"), (60, "minute")] as [(Int64, String)]
        where seconds >= length && seconds % length == 0 {
            let count = seconds / length
            return count == 1 ? "every \(name)" : "every \(count) \(name)s"
        }
        return "every \(HumanDuration.text(duration))"
    }

    /// The name of a stream for people: `recent_plays` is `Recent plays`.
    static func stream(_ name: String) -> String {
        let text = name.replacing("_", with: " ").replacing("-", with: " ")
        return text.prefix(1).uppercased() + text.dropFirst()
    }

    /// What a PDA is called: its host, without the scheme that all have.
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
    /// A word for people, and the class of its colour.
    var word: (text: String, style: String) {
        switch self {
        case .active: ("Active", "good")
        case .paused: ("Paused", "warn")
        case .reconnect: ("Needs you", "bad")
        case .disabled: ("Disabled in your PDA", "bad")
        }
    }
}
