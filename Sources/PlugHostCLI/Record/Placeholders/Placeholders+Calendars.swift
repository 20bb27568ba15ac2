internal import PlugCore

extension Placeholders {
    /// The properties whose values are times, or rules that name times (RFC 5545, section 3.8).
    private static let times: Set = [
        "COMPLETED", "CREATED", "DTEND", "DTSTAMP", "DTSTART", "DUE", "EXDATE", "EXRULE", "FREEBUSY", "LAST-MODIFIED",
        "RDATE",
        "RECURRENCE-ID", "RRULE",
    ]

    /// Times in a list or a period, or in a recurrence rule, whose other parts are kept.
    private func days(_ value: String) -> String {
        value.split(separator: ";", omittingEmptySubsequences: false).map { part in
            let key = part.contains("=") ? part.prefix { $0 != "=" } + "=" : ""
            return key
                + part.dropFirst(key.count).split(separator: ",", omittingEmptySubsequences: false).map { item in
                    item.split(separator: "/", omittingEmptySubsequences: false).map { day(String($0)) }.joined(
                        separator: "/"
                    )
                }.joined(separator: ",")
        }.joined(separator: ";")
    }

    private func day(_ text: String) -> String {
        let shifted = times.shifted(text) ?? times.shifted(day: text)
        if isLooking || shifted != nil { return shifted ?? text }
        return text.utf8.count < 16 && !looksSecret(text) ? text : hidden(text)
    }

    /// Lines joined with their continuation lines.
    private func unfolded(_ lines: [String]) -> [String] {
        var whole: [String] = []
        for line in lines {
            if let first = line.first, first == " " || first == "\t", let last = whole.popLast() {
                whole.append((last.hasSuffix("\r") ? String(last.dropLast()) : last) + line.dropFirst())
            } else {
                whole.append(line)
            }
        }
        return whole
    }

    /// The name of a well-known time zone, or a placeholder.
    private func zone(_ name: String) -> String { NamedZone(name) == nil ? text(name) : name }

    /// iCalendar: names of properties and parameters and recurrence rules are kept.
    func calendar(_ lines: [String]) -> String {
        let fixed: Set = [
            "BEGIN", "END", "VERSION", "CALSCALE", "METHOD", "STATUS", "TRANSP", "CLASS", "SEQUENCE",
            "TZOFFSETFROM", "TZOFFSETTO",
        ]
        return unfolded(lines).map { line in
            guard let colon = line.firstIndex(of: ":") else { return hidden(line) }
            let name = line.prefix { $0 != ":" && $0 != ";" }
            let value = line[line.index(after: colon)...]
            if fixed.contains(String(name)), !looksSecret(line) { return line }
            let end = value.hasSuffix("\r") ? "\r" : ""
            let content = String(value.dropLast(end.count))
            let parameters: String = line[name.endIndex..<colon].split(separator: ";").map { part in
                let key = part.prefix { $0 != "=" }
                let value = String(part.dropFirst(key.count + 1))
                return ";\(key)=\(key == "TZID" ? self.zone(value) : key == "VALUE" ? value : self.text(value))"
            }.joined()
            let new =
                Self.times.contains(String(name))
                ? self.days(content) : name == "TZID" ? self.zone(content) : self.text(content)
            return "\(name)\(parameters):\(new)\(end)"
        }.joined(separator: "\n")
    }
}
