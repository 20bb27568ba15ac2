package import LosslessJSON

/// What is known about one stream of a program.
struct SingerStream {
    let name: [UInt8]
    /// The name, for messages and results.
    let text: String
    /// Whether its records are wanted.
    let isWanted: Bool
    /// Whether its records are identified by the key in its SCHEMA.
    let takesKey: Bool
    /// The key in the SCHEMA; `nil` before it has arrived.
    var key: [String]?
    var bookmark: [UInt8]?

    /// Records since the last page.
    var records: [JSONView] = []
    var bytes = 0
    /// Whether any of its records followed the last STATE.
    var isBehindState = false
    /// The greatest bookmark seen.
    var watermark: JSONValue?
    /// What the last STATE says is done of it.
    var done: [StateBookmarks.Bookmark] = []
    /// Records that are not wanted.
    var unused = 0

    init(_ text: String, isWanted: Bool, takesKey: Bool) {
        (self.text, self.isWanted, self.takesKey) = (text, isWanted, takesKey)
        name = Array(text.utf8)
    }
}

/// Records of one stream of a program.
package struct SingerPage: Sendable {
    /// The program's name for the stream.
    package var stream: String
    /// The records, in order.
    package var records: [JSONView]
    /// The members that identify a record, from the SCHEMA; empty if it names none.
    package var key: [String]
    /// The greatest value of the bookmark property so far.
    package var watermark: JSONValue?
    /// Whether no STATE follows the records, so that they may never come again.
    package var isOneShot: Bool
    /// Their size as written.
    package var bytes: Int
    /// The number of the line read last.
    package var line: Int
}

/// The results of a program's messages, in order.
package enum SingerEvent: Sendable {
    /// Records to be delivered.
    case page(SingerPage)
    /// Where the program continues, once everything before is safe: the value of a STATE. `nil` for where the run began.
    case state([UInt8]?)
}
