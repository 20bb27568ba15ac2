internal import PlugCore
internal import PlugDeliver

extension StreamCounts {
    /// Adds the cost of reading a page.
    mutating func add(_ cost: FetchedPage.Cost) {
        requests += cost.requests
        pages += cost.pages
        bytesIn += cost.bytes
        filtered += cost.filtered
        skippedParents += cost.skippedParents
    }

    /// Counts a record that was sent. The fate of refused or unanswered records is decided elsewhere.
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
