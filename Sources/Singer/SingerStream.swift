package import LosslessJSON

/// What is known of one stream of a program.
struct SingerStream {
    let name: [UInt8]
    /// The name, for messages and answers.
    let text: String
    /// Whether anybody wants its records.
    let isWanted: Bool
    /// Whether its records are told apart by what its SCHEMA says.
    let takesKey: Bool
    /// What the SCHEMA says; `nil` before it has come.
    var key: [String]?
    var bookmark: [UInt8]?

    /// Records since the last page.
    var records: [JSONView] = []
    var bytes = 0
    /// Whether any of all its records came behind the last STATE.
    var isBehindState = false
    /// The greatest bookmark that was seen.
    var watermark: JSONValue?
    /// What the last STATE says is done of it.
    var done: [StateBookmarks.Bookmark] = []
    /// Records that nobody wants.
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
    /// The members that identify a record, as SCHEMA says; empty where it names none.
    package var key: [String]
    /// The greatest value of the bookmark property so far.
    package var watermark: JSONValue?
    /// Whether no STATE stands behind the records, so that they may never come again.
    package var isOneShot: Bool
    /// Their size as they were written.
    package var bytes: Int
    /// The number of the line that was read last.
    package var line: Int
}

/// What a program's messages lead to, in order.
package enum SingerEvent: Sendable {
    /// Records to be delivered.
    case page(SingerPage)
    /// Where the program continues, once everything before is safe: the value of a STATE. `nil` for where the run began.
    case state([UInt8]?)
}
