internal import PlugCore
internal import PlugDeliver

extension StreamCounts {
    /// Adds what reading a page cost.
    mutating func add(_ cost: FetchedPage.Cost) {
        requests += cost.requests
        pages += cost.pages
        bytesIn += cost.bytes
        filtered += cost.filtered
        skippedParents += cost.skippedParents
    }

    /// Counts a record that was sent. What is to become of those that were refused or unanswered is decided elsewhere.
    mutating func add(_ fate: RecordFate) {
        switch fate {
        case .delivered: delivered += 1
        case .duplicate: duplicates += 1
        case .deadLetter: deadLetters += 1
        case .undelivered: undelivered += 1
        case .refused, .unanswered: break
        }
    }
}
