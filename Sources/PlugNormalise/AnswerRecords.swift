internal import PlugCore

/// What the blocks of one answer have shown so far: a page that goes on with the answer of the page before is judged together with it.
package struct AnswerRecords: Sendable {
    /// The records with equal keys.
    package var equal: EqualRecords
    /// How many records did not fit the manifest.
    var failures = 0

    package init(_ equal: EqualRecords = EqualRecords()) { self.equal = equal }

    /// A page begins, which may go on with the answer of the page before.
    mutating func begin(_ page: FetchedPage) {
        equal.begin(page)
        if page.preceding == 0 { failures = 0 }
    }

    /// The same, with nothing but equal records known: for a part of a page that is judged by itself.
    package var forPart: AnswerRecords { AnswerRecords(equal) }
}
