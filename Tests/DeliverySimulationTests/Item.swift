import LosslessJSON

/// What becomes of a record that a source has.
enum Destiny: Sendable {
    case delivered, refusedByPDA, unmappable, dropped
    /// It is a row or a line that nobody can read. Only where answers are decoded.
    case broken
    /// The PDA fails at it until it is mended, and takes it then.
    case stumbling

    /// Whether it becomes a dead letter before the PDA sees it.
    var fitsNothing: Bool { self == .unmappable || self == .broken }
}

/// A thing that a source has, in its present version.
struct Item: Sendable {
    /// Beyond what a double holds.
    static let firstID = 9_007_199_254_740_993

    var id: Int
    var version = 1
    /// Grows with every change in the stream.
    var sequence: Int
    /// In seconds since 1970, by the source's clock.
    var updated: Int64
    var parent: Int?
    var destiny = Destiny.delivered
    /// Whether the source says that it is gone.
    var isGone = false

    /// Whether a page with it may be too big.
    var isHeavy: Bool { id.isMultiple(of: 2) }
}

/// One version of a thing as the auditor knows it.
struct Version: Sendable, Hashable {
    /// The `_id` without which the record would be another, empty with `identity: off`.
    var identity: String
    /// The record as the PDA has to hold it.
    var content: JSONValue
    /// The record as the source gives it.
    var raw: JSONValue
    var destiny: Destiny
    /// The stream that gives it.
    var stream: String
    /// The thing's id, and its version as the source counts it.
    var item: Int
    var number: Int
    /// Whether it says that the thing is gone.
    var isDeletion = false
}

/// A page that was handed over to the host.
struct HandedPage: Sendable {
    var person: Int
    var stream: Int
    /// Its records, in the blocks in which they are delivered: in one where they are not decoded.
    var blocks: [[Version]]
}
