internal import PlugDeliver

/// What became of records of the outbox.
struct SettledRecords: Equatable {
    var delivered = 0
    var duplicates = 0
    var deadLetters = 0

    mutating func add(_ fate: RecordFate) {
        switch fate {
        case .delivered: delivered += 1
        case .duplicate: duplicates += 1
        case .deadLetter: deadLetters += 1
        case .refused, .unanswered, .undelivered: break
        }
    }

    static func += (left: inout SettledRecords, right: SettledRecords) {
        left.delivered += right.delivered
        left.duplicates += right.duplicates
        left.deadLetters += right.deadLetters
    }
}

extension StreamCounts {
    /// Moves records out of the queue.
    mutating func settle(_ records: SettledRecords) {
        delivered += records.delivered
        duplicates += records.duplicates
        deadLetters += records.deadLetters
        queued -= records.delivered + records.duplicates + records.deadLetters
    }
}
