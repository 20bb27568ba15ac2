import Decoding
import LosslessJSON

/// A text answer, taken apart so that its elements can be replaced: a feed or a calendar.
///
/// As JSON it is `{"head": …, "elements": [{…}], "tail": …}`. In an element, each name is a fixed piece of the text, after its
/// number, and each value the replaceable piece that follows: `{"0 <item><title>": "One", "1 </title></item>": ""}`.
struct CutText: Sendable {
    /// The text's format.
    let format: RecordFormat

    /// `nil` for a format that is not taken apart.
    init?(_ format: RecordFormat) {
        switch format {
        case .feed, .calendar: self.format = format
        default: return nil
        }
    }

    /// The text, taken apart; `nil` if no element was found, or it is not UTF-8.
    func value(_ body: [UInt8]) -> JSONValue? {
        guard let text = String(validating: body, as: UTF8.self) else { return nil }
        let parts: (head: String, elements: [String], tail: String)?
        let pieces: (String) -> [(fixed: String, free: String)]
        switch format {
        case .feed: (parts, pieces) = (Self.entries(of: text), Self.markup)
        case .calendar: (parts, pieces) = (Self.components(of: text), Self.lines)
        default: return nil
        }
        guard let parts, !parts.elements.isEmpty else { return nil }
        let elements = parts.elements.map { element in
            JSONValue.object(
                JSONObject(
                    pieces(element).enumerated().map { number, piece in
                        (JSONString("\(number) \(piece.fixed)"), .text(piece.free))
                    }
                )
            )
        }
        return .members(("head", .text(parts.head)), ("elements", .array(elements)), ("tail", .text(parts.tail)))
    }

    /// The text, reassembled.
    func bytes(_ value: JSONValue) -> [UInt8] {
        var text = value["head"]?.stringText ?? ""
        for element in value["elements"]?.elements ?? [] {
            for (key, free) in element.object?.members ?? [] {
                text += key.text.drop { $0 != " " }.dropFirst()
                text += free.stringText ?? ""
            }
        }
        return Array((text + (value["tail"]?.stringText ?? "")).utf8)
    }

    /// The records in it; `nil` if it cannot be read.
    func records(_ value: JSONValue) -> [JSONValue]? {
        // Recurring events have no times around 1970, or other ones than the run will see: they are not taken for elements.
        try? format.records(in: bytes(value), now: 0)
    }

    // MARK: - Feeds

    /// The entries of a feed, and the text around them.
    private static func entries(of text: String) -> (String, [String], String)? {
        let found = text.ranges(of: #/<(?<name>(?:[A-Za-z0-9]+:)?(?:item|entry))(?:\s[^>]*)?>(?s:.*?)<\/\k<name>\s*>/#)
        guard let first = found.first, let last = found.last else { return nil }
        return (
            String(text[..<first.lowerBound]), found.map { String(text[$0]) }, String(text[last.upperBound...])
        )
    }

    /// Text and addresses may be replaced; everything else in an entry stays.
    private static func markup(_ element: String) -> [(fixed: String, free: String)] {
        let free =
            #/(?:>|<!\[CDATA\[)(?<text>[^<>\[\]]*[^<>\[\]\s][^<>\[\]]*)(?=<|\]\]>)|(?:href|src|url|about)="(?<address>[^"<>]+)"/#
        var pieces: [(String, String)] = []
        var end = element.startIndex
        for match in element.matches(of: free) {
            guard let piece = match.text ?? match.address else { continue }
            pieces.append((String(element[end..<piece.startIndex]), String(piece)))
            end = piece.endIndex
        }
        return pieces + [(String(element[end...]), "")]
    }

    // MARK: - Calendars

    /// The components of one calendar, and the text around them; time zones stay in front.
    private static func components(of text: String) -> (String, [String], String)? {
        let kinds = ["VEVENT", "VTODO", "VJOURNAL"]
        var (head, tail, elements) = ("", "", [String]())
        var open: (kind: String, text: String)?
        // A carriage return and a line feed are a single character.
        for line in text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline).dropLast(1) {
            let line = line + "\r\n"
            let word = line.uppercased().prefix { !$0.isNewline }
            if let (kind, text) = open {
                open = (kind, text + line)
                guard word == "END:\(kind)" else { continue }
                elements.append(text + line)
                open = nil
            } else if let kind = kinds.first(where: { word == "BEGIN:\($0)" }) {
                open = (kind, String(line))
            } else if word == "END:VCALENDAR" {
                guard tail.isEmpty else { return nil }
                tail = String(line)
            } else {
                guard tail.isEmpty else { return nil }
                head += line
            }
        }
        return open == nil && !tail.isEmpty ? (head, elements, tail) : nil
    }

    /// The value of a line may be replaced; its continuation on the next line stays.
    private static func lines(_ element: String) -> [(fixed: String, free: String)] {
        var pieces: [(fixed: String, free: String)] = []
        var fixed = ""
        for line in element.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline).dropLast(1) {
            let name = line.prefix { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "-") }
            let isPlain = line.dropFirst(name.count).first == ":" && !["BEGIN", "END"].contains(name.uppercased())
            guard isPlain, !name.isEmpty else {
                fixed += line + "\r\n"
                continue
            }
            pieces.append((fixed + name + ":", String(line.dropFirst(name.count + 1))))
            fixed = "\r\n"
        }
        return pieces + [(fixed, "")]
    }
}
