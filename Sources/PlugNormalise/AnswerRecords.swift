internal import PlugCore

/// What the pages of one answer have shown so far: a page that continues the previous page's answer is judged together with it.
package struct AnswerRecords: Sendable {
    /// The records with equal keys.
    package var equal: EqualRecords
    /// How many records did not fit the manifest.
    package var failures = 0

    package init(_ equal: EqualRecords = EqualRecords()) { self.equal = equal }

    /// Begins a page, which may continue the previous page's answer.
    mutating func begin(_ page: FetchedPage) {
        let isNew = page.preceding == 0
        equal.begin(isNew: isNew)
        if isNew { failures = 0 }
    }

    /// Ends a page.
    ///
    /// - Parameter failures: How many records of its answer have not fitted so far.
    mutating func end(_ page: FetchedPage, failures: Int) {
        // The failures are not told apart by answer, and the next page continues the last of several.
        self.failures = page.isOfSeveralAnswers ? 0 : failures
    }
}
