/// The format of a stream's answers.
package enum RecordFormat: Sendable, Equatable {
    /// A JSON value, whose list is read in pieces.
    case json(JSONList)
    /// A JSON value on each line.
    case jsonLines
    /// Rows of cells.
    case delimited(DelimitedDialect)
    /// Elements of an XML file.
    case xml(XMLOptions)
    /// The entries of a feed.
    case feed
    /// The components of a calendar, and each occurrence within a window of those that recur.
    case calendar(CalendarWindow)
    /// Each line of a text.
    case lines
    /// The messages of a mailbox.
    case mailbox
    /// The rows of the tables of an HTML page.
    case tables

    /// The word for it in messages.
    package var name: String {
        switch self {
        case .json: "JSON"
        case .jsonLines: "JSONL"
        case .delimited: "delimited text"
        case .xml: "XML"
        case .feed: "a feed"
        case .calendar: "a calendar"
        case .lines: "text"
        case .mailbox: "a mailbox"
        case .tables: "HTML"
        }
    }

    /// A decoder of one file.
    ///
    /// - Parameter now: Seconds since 1970.
    func decoder(_ limits: DecodingLimits, now: Int64) throws(DecodingFault) -> any RecordDecoder {
        switch self {
        case .json(let list): JSONElements(list, limits)
        case .jsonLines: JSONLines(limits)
        case .delimited(let dialect): DelimitedText(dialect, limits)
        case .xml(let options): try XMLRecords(options, limits)
        case .feed: try XMLRecords.feed(limits)
        case .calendar(let window): CalendarDecoder(window, now: now, limits)
        case .lines: Lines(limits)
        case .mailbox: MailboxDecoder(limits)
        case .tables: try HTMLTables(limits)
        }
    }

    /// Whether the file states its encoding in an XML declaration.
    var isXML: Bool {
        switch self {
        case .xml, .feed: true
        default: false
        }
    }
    /// Whether its decoder finds broken text itself.
    var trustsUTF8: Bool {
        switch self {
        // A mailbox has messages in many encodings.
        case .json, .jsonLines, .calendar, .mailbox: true
        default: false
        }
    }
}
