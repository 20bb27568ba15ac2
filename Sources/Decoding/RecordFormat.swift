/// The format of a stream's answers. A new one is a case here with its word and its decoder.
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

    /// The words for the formats in manifests, with their usual options. `json` is not among them: it is not decoded here.
    package static let words: [(word: String, format: RecordFormat)] = [
        ("jsonl", .jsonLines), ("csv", .delimited(DelimitedDialect())), ("tsv", .delimited(.tabs)),
        ("xml", .xml(XMLOptions())), ("feed", .feed), ("ics", .calendar(CalendarWindow())), ("lines", .lines),
        ("mbox", .mailbox), ("html", .tables),
    ]

    /// The format for a word; `nil` for any other, such as `json`.
    package init?(word: String) {
        guard let known = Self.words.first(where: { $0.word == word }) else { return nil }
        self = known.format
    }

    /// The `Accept` header of a request if the manifest does not set it: some services choose the answer's format by it.
    package var accept: String {
        switch self {
        case .json: "application/json"
        case .jsonLines: "application/x-ndjson, application/jsonl, application/json;q=0.5, */*;q=0.1"
        case .delimited: "text/csv, text/tab-separated-values, text/plain;q=0.5, */*;q=0.1"
        case .xml: "application/xml, text/xml, */*;q=0.1"
        case .feed: "application/atom+xml, application/rss+xml, application/xml;q=0.9, text/xml;q=0.9, */*;q=0.1"
        case .calendar: "text/calendar, */*;q=0.1"
        case .lines: "text/plain, */*;q=0.1"
        case .mailbox: "application/mbox, text/plain;q=0.5, */*;q=0.1"
        case .tables: "text/html, application/xhtml+xml, */*;q=0.1"
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
        case .json, .jsonLines, .delimited, .calendar, .lines, .mailbox, .tables: false
        }
    }

    /// Whether its decoder finds broken text itself.
    var trustsUTF8: Bool {
        switch self {
        // A mailbox has messages in many encodings.
        case .json, .jsonLines, .calendar, .mailbox: true
        case .delimited, .xml, .feed, .lines, .tables: false
        }
    }
}
