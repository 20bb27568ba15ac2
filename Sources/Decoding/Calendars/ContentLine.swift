/// A property of a calendar: `DTSTART;TZID=Europe/Berlin:20261122T100000` (RFC 5545, 3.1).
struct ContentLine: Sendable {
    /// In capitals.
    var name: String
    /// In capitals, with their values, without quotes.
    var parameters: [(name: String, values: [String])]
    /// As written, escapes included.
    var value: String

    /// Reads an unfolded line; `nil` if it is malformed.
    init?(_ line: String) {
        var rest = Substring(line)
        let name = rest.prefix { $0 != ":" && $0 != ";" }
        guard !name.isEmpty,
            name.unicodeScalars.allSatisfy({
                $0.isASCII && ($0.properties.isAlphabetic || $0 == "-" || ("0"..."9").contains($0))
            })
        else { return nil }
        rest = rest.dropFirst(name.count)
        self.name = name.uppercased()
        parameters = []
        while rest.first == ";" {
            rest = rest.dropFirst()
            let key = rest.prefix { $0 != "=" && $0 != ":" && $0 != ";" }
            rest = rest.dropFirst(key.count)
            var values: [String] = []
            while rest.first == "=" || rest.first == "," {
                rest = rest.dropFirst()
                if rest.first == "\"" {
                    let text = rest.dropFirst().prefix { $0 != "\"" }
                    rest = rest.dropFirst(text.count + 2)
                    values.append(Self.plain(text))
                } else if key.uppercased() == "TZID" {
                    let text = Self.bareZoneName(rest)
                    rest = rest[text.endIndex...]
                    values.append(Self.plain(text))
                } else {
                    let text = rest.prefix { $0 != "," && $0 != ";" && $0 != ":" }
                    rest = rest.dropFirst(text.count)
                    values.append(Self.plain(text))
                }
            }
            parameters.append((key.uppercased(), values))
        }
        guard rest.first == ":" else { return nil }
        value = String(rest.dropFirst())
    }

    /// The name of a zone without quotes: some have commas and colons, as in `(UTC+01:00) Amsterdam, Berlin`, and so end only
    /// before the next parameter, or before a time.
    private static func bareZoneName(_ rest: Substring) -> Substring {
        var at = rest.startIndex
        var firstColon: Substring.Index?
        while at < rest.endIndex, rest[at] != ";" {
            let next = rest.index(after: at)
            if rest[at] == ":" {
                if rest[next...].prefix(8).allSatisfy({ ("0"..."9").contains($0) }) { return rest[..<at] }
                firstColon = firstColon ?? at
            }
            at = rest[at] == "\\" && next < rest.endIndex ? rest.index(after: next) : next
        }
        return rest[..<(at < rest.endIndex ? at : firstColon ?? at)]
    }

    /// A parameter's value without its escapes (RFC 6868), which differ from those of values.
    private static func plain(_ text: Substring) -> String {
        guard text.contains("^") else { return String(text) }
        var result = ""
        var isEscaped = false
        for character in text {
            if isEscaped {
                switch character {
                case "n": result.append("\n")
                case "'": result.append("\"")
                case "^": result.append("^")
                default: result += "^\(character)"
                }
                isEscaped = false
            } else if character == "^" {
                isEscaped = true
            } else {
                result.append(character)
            }
        }
        return isEscaped ? result + "^" : result
    }

    /// A parameter's first value.
    func parameter(_ name: String) -> String? { parameters.first { $0.name == name }?.values.first }

    /// The name of the value's zone: some producers escape it as they do in texts.
    var zone: String? { parameter("TZID").map { Self.zoneName(of: Self.unescaped($0[...])) } }

    /// A zone's name as it is compared: some producers also quote it where it is a text.
    static func zoneName(of text: String) -> String {
        func isAround(_ character: Character) -> Bool { character == " " || character == "\"" }
        return String(
            String(text.trimmingPrefix(while: isAround).reversed()).trimmingPrefix(while: isAround).reversed()
        )
    }

    /// The value as text, with `\n`, `\,`, `\;` and `\\` unescaped.
    var text: String { Self.unescaped(value[...]) }

    /// The values of a list of texts.
    var texts: [String] {
        var texts: [String] = []
        var start = value.startIndex
        var at = start
        while at < value.endIndex {
            if value[at] == "\\" {
                at = value.index(after: at)
                if at < value.endIndex { at = value.index(after: at) }
                continue
            }
            if value[at] == "," {
                texts.append(Self.unescaped(value[start..<at]))
                start = value.index(after: at)
            }
            at = value.index(after: at)
        }
        texts.append(Self.unescaped(value[start...]))
        return texts.filter { !$0.isEmpty }
    }

    private static func unescaped(_ text: Substring) -> String {
        guard text.contains("\\") else { return String(text) }
        var result = ""
        var isEscaped = false
        for character in text {
            if isEscaped {
                result.append(character == "n" || character == "N" ? "\n" : character)
                isEscaped = false
            } else if character == "\\" {
                isEscaped = true
            } else {
                result.append(character)
            }
        }
        return result
    }
}

/// A component with its properties: an event, a task, a zone.
struct CalendarComponent: Sendable {
    /// `VEVENT`, `VTODO`, …
    var type: String
    /// The line of its BEGIN.
    var line: Int
    var properties: [ContentLine] = []
    var components: [CalendarComponent] = []
    /// The first line in it that is not a property.
    var fault: Int?
    /// Which occurrence it replaces, in the form of the series.
    var recurrence: CalendarTime?
    /// The total size of its lines in bytes.
    var size = 0

    init(_ type: String, line: Int) { (self.type, self.line) = (type, line) }

    /// Whether it has several occurrences.
    var recurs: Bool { self["RRULE"] != nil || self["RDATE"] != nil }

    subscript(name: String) -> ContentLine? { properties.first { $0.name == name } }
    func all(_ name: String) -> [ContentLine] { properties.filter { $0.name == name } }
}
