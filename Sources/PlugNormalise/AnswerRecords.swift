internal import PlugCore

/// What the pages of one answer have shown so far: one that goes on with the answer of the page before is judged together with it.
package struct AnswerRecords: Sendable {
    /// The records with equal keys.
    package var equal: EqualRecords
    /// How many records did not fit the manifest.
    package var failures = 0

    package init(_ equal: EqualRecords = EqualRecords()) { self.equal = equal }

    /// A page begins, which may go on with the answer of the page before.
    mutating func begin(_ page: FetchedPage) {
        let isNew = page.preceding == 0
        equal.begin(isNew: isNew)
        if isNew { failures = 0 }
    }

    /// A page is over.
    ///
    /// - Parameter failures: How many records of its answer did not fit so far.
    mutating func end(_ page: FetchedPage, failures: Int) {
        // Whose failures they are is not told apart, and the next page goes on with the last of several answers.
        self.failures = page.isOfSeveralAnswers ? 0 : failures
    }
}
