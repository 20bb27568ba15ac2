internal import PlugCore

/// Times as feeds write them.
enum FeedTime {
    /// RFC 3339 in UTC; the text itself if it is not a time.
    static func normalised(_ text: String) -> String {
        if let time = Timestamp(text) { return time.rfc3339 }
        var words = text.split(separator: " ").map(String.init)
        // RFC 822 had two-digit years; some producers write months in full, or months and zones in other cases.
        if let zone = words.last, zone.allSatisfy(\.isLetter) { words[words.count - 1] = zone.uppercased() }
        let first = words.first?.hasSuffix(",") == true || words.first?.first?.isLetter == true ? 1 : 0
        if words.count > first + 3 {
            let month = words[first + 1]
            words[first + 1] = month.prefix(1).uppercased() + month.dropFirst().prefix(2).lowercased()
            let year = words[first + 2]
            if year.count == 2, let number = Int(year) { words[first + 2] = "\(number < 70 ? 20 : 19)\(year)" }
        }
        return Timestamp(words.dropFirst(first).joined(separator: " "))?.rfc3339 ?? text
    }
}
