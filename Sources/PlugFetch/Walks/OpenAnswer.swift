import Decoding
import LosslessJSON
import PlugCore

/// An answer that is decoded block by block: what is known of it until its last block is given, and with that its page ends.
struct OpenAnswer: Sendable {
    let decoder: AnswerDecoder
    let format: RecordFormat
    let reading: PageReading
    /// The page as it will be taken: its records so far are the first block's.
    var fetched: StreamWalk.Fetched
    /// The block to give next, or why there is none though the answer is not over.
    var pending: FollowingBlock
    /// How many bytes of the answer are kept in memory until its last block is given.
    let held: Int
    /// How many records there were in the blocks before it, broken ones included.
    var count: Int
    /// The last record of the blocks so far, without its block; `nil` where all were broken.
    var last: [UInt8]?
    /// What they say of `since`.
    var summary: SinceSummary?
}

/// What comes behind a block of an answer: another one, or a fault, before which the block is given all the same. It is looked
/// for before the block is given, which may be the last one.
typealias FollowingBlock = Result<DecodedBlock, PlugError>

extension DecodedBlock {
    /// What a block counts for where memory is shared: a page of JSON is counted with eight times its bytes, so that what is
    /// kept of the answer beside the block weighs an eighth.
    func weight(beside held: Int) -> Int {
        held / 8 + (document?.byteCount ?? 0) + broken.reduce(0) { $0 + $1.text.count }
    }
}

extension SinceSummary {
    /// The summary of these records and of those of the next block behind them. `older` is the next block's: that of these was
    /// used when they were given.
    ///
    /// - Parameter bound: The value before which records are old.
    func joined(_ next: SinceSummary, bound: SinceValue?) -> SinceSummary {
        var joined = next
        joined.maximum = SinceValue.later(maximum, next.maximum)
        joined.first = first ?? next.first
        joined.isAscending = isAscending && next.isAscending
        joined.rises += rises
        joined.falls += falls
        if let bound, let maximum, bound.precedes(maximum) { joined.isKnown = false }
        joined.isFine = isFine || next.isFine
        joined.reached += reached
        joined.inside += inside
        joined.beyond += beyond
        joined.count += count
        joined.without += without
        return joined
    }
}
