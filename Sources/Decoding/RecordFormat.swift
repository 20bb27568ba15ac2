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
    /// Each line of a text.
    case lines

    /// The word for it in messages.
    package var name: String {
        switch self {
        case .jsonLines: "JSONL"
        case .delimited: "delimited text"
        case .xml: "XML"
        case .feed: "a feed"
        case .lines: "text"
        }
    }

    /// A decoder of one file.
    func decoder(_ limits: DecodingLimits) throws(DecodingFault) -> any RecordDecoder {
        switch self {
        case .jsonLines: JSONLines(limits)
        case .delimited(let dialect): DelimitedText(dialect, limits)
        case .xml(let options): try XMLRecords(options, limits)
        case .feed: try XMLRecords.feed(limits)
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
    var trustsUTF8: Bool { self == .jsonLines }
}
