public import LosslessJSON

/// A page of a stream, as returned by a fetcher.
public struct StreamPage: Sendable {
    /// The records of a page.
    package enum Records: Sendable {
        /// Values.
        case values([JSONValue])
        /// A JSON array of records, as the source wrote it.
        case array([UInt8])
    }

    /// The records.
    package let records: Records
    /// Where to continue after this page.
    public let cursor: JSONValue?
    /// Whether the pass is complete with this page.
    public let isLast: Bool

    /// A page of values.
    ///
    /// - Parameters:
    ///   - records: The records in order, as objects. A page may have none.
    ///   - cursor: Leads to the next page; on the last page, to what will be new in the next pass, or `nil` if the next pass reads
    ///     everything again. At most 64 KiB as JSON.
    ///   - isLast: Whether the pass is complete.
    public init(_ records: [JSONValue], cursor: JSONValue?, isLast: Bool) {
        (self.records, self.cursor, self.isLast) = (.values(records), cursor, isLast)
    }

    /// A page of JSON as the source wrote it, which saves the work of making values from it.
    ///
    /// - Parameters:
    ///   - array: An array of records, UTF-8.
    ///   - cursor: As for a page of values.
    ///   - isLast: Whether the pass is complete.
    public init(json array: [UInt8], cursor: JSONValue?, isLast: Bool) {
        (records, self.cursor, self.isLast) = (.array(array), cursor, isLast)
    }
}
