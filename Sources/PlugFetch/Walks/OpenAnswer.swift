import Decoding
import LosslessJSON
import PlugCore
import PlugManifest

/// An answer that comes block by block, until its last block is given, and with that its page ends.
struct OpenAnswer: Sendable {
    var blocks: AnswerBlocks
    /// The block to give next, or why there is none though the answer is not over.
    var pending: FollowingBlock
    /// The page as it will be taken.
    var fetched: StreamWalk.Fetched
    /// How many records were given, broken ones included.
    var given: Int
    /// What the records so far say of `since`.
    var summary: SinceSummary?
}

/// What gives the blocks of an answer, and what is known of those so far.
struct AnswerBlocks: Sendable {
    let decoder: AnswerDecoder
    let format: RecordFormat
    let reading: PageReading
    /// How many bytes of the answer are kept in memory until its last block is given.
    let held: Int
    /// What the blocks so far have.
    private(set) var totals: BlockTotals
    private var single = SingleOutput()

    init(_ answer: Answer, _ decoder: AnswerDecoder, _ format: RecordFormat, _ reading: PageReading) {
        (self.decoder, self.format, self.reading) = (decoder, format, reading)
        held = answer.held
        totals = BlockTotals(tellsRepeats: reading.plan.stream.paging != nil)
    }

    /// The records of the next block.
    ///
    /// - Parameter isLast: Whether the answer has no other block behind it.
    mutating func records(of block: DecodedBlock, isLast: Bool) throws(PlugError) -> [JSONView] {
        let records = try reading.records(of: block, format, isLast: isLast, &single)
        totals.add(block, records, isLast: isLast)
        return records
    }
}

/// What the blocks of an answer have together, as far as they are read.
struct BlockTotals: Sendable {
    /// How many records the answer has, broken ones and those that `records` leaves out included.
    private(set) var count = 0
    /// The last one that is not broken, without its block.
    private(set) var last: [UInt8]?
    /// By what the answer is told when it comes again.
    private(set) var mark: PageMark?
    /// `nil` where nobody asks for that.
    private var hash: PageHash?

    init(tellsRepeats: Bool) { hash = tellsRepeats ? PageHash() : nil }

    /// The totals as a document, for the programs of `page`.
    var document: [UInt8] {
        Array(#"{"records":\#(count),"last":"#.utf8) + (last ?? Array("null".utf8)) + Array("}".utf8)
    }

    /// - Parameter records: What `records` makes of the block.
    mutating func add(_ block: DecodedBlock, _ records: [JSONView], isLast: Bool) {
        if hash != nil, isLast, count == 0 {
            mark = PageMark(records)
        } else {
            hash?.add(records)
            mark = hash?.mark
        }
        count += block.count + block.broken.count
        last = block.records.last?.slice ?? last
    }
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
        // The last record that says anything may stand in a block before.
        if next.first == nil { joined.isKnown = isKnown }
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
