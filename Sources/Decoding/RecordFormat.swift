/// What the answers of a stream are.
package enum RecordFormat: Sendable, Equatable {
    /// A JSON value on each line.
    case jsonLines
    /// Rows of cells.
    case delimited(DelimitedDialect)
    /// Elements of an XML file.
    case xml(XMLOptions)
    /// The entries of a feed.
    case feed
    /// The components of a calendar, and of what recurs each time within a window.
    case calendar(CalendarWindow)
    /// Each line of a text.
    case lines

    /// The word for it in messages.
    package var name: String {
        switch self {
        case .jsonLines: "JSONL"
        case .delimited: "delimited text"
        case .xml: "XML"
        case .feed: "a feed"
        case .calendar: "a calendar"
        case .lines: "text"
        }
    }

    /// A decoder of one file.
    ///
    /// - Parameter now: Seconds since 1970.
    func decoder(_ limits: DecodingLimits, now: Int64) throws(DecodingFault) -> any RecordDecoder {
        switch self {
        case .jsonLines: JSONLines(limits)
        case .delimited(let dialect): DelimitedText(dialect, limits)
        case .xml(let options): try XMLRecords(options, limits)
        case .feed: try XMLRecords.feed(limits)
        case .calendar(let window): CalendarDecoder(window, now: now, limits)
        case .lines: Lines(limits)
        }
    }

    /// Whether the file says in an XML declaration how it is encoded.
    var isXML: Bool {
        switch self {
        case .xml, .feed: true
        default: false
        }
    }
    /// Whether its decoder finds broken text itself.
    var trustsUTF8: Bool {
        switch self {
        case .jsonLines, .calendar: true
        default: false
        }
    }
}
