import Decoding
import LosslessJSON
import PlugCore
import PlugManifest

/// An answer that comes block by block, until its last block is delivered, which ends its page.
struct OpenAnswer: Sendable {
    var blocks: AnswerBlocks
    /// The block to deliver next, or the error that prevents it although the answer is not over.
    var pending: FollowingBlock
    /// The page as it will be processed.
    var fetched: StreamWalk.Fetched
    /// How many records were delivered, broken ones included.
    var given: Int
    /// What the records so far say about `since`.
    var summary: SinceSummary?
}

/// The source of an answer's blocks, and what is known of those so far.
struct AnswerBlocks: Sendable {
    let decoder: AnswerDecoder
    let format: RecordFormat
    let reading: PageReading
    /// How many bytes of the answer stay in memory until its last block is delivered.
    let held: Int
    /// The totals of the blocks so far.
    private(set) var totals: BlockTotals
    private var single = SingleOutput()

    init(_ answer: Answer, _ decoder: AnswerDecoder, _ format: RecordFormat, _ reading: PageReading) {
        (self.decoder, self.format, self.reading) = (decoder, format, reading)
        held = answer.held
        totals = BlockTotals(tellsRepeats: reading.plan.stream.paging != nil)
    }

    /// The records of the next block.
    ///
    /// - Parameter isLast: Whether this is the answer's last block.
    mutating func records(of block: DecodedBlock, isLast: Bool) throws(PlugError) -> [JSONView] {
        let records = try reading.records(of: block, format, isLast: isLast, &single)
        totals.add(block, records, isLast: isLast)
        return records
    }
}

/// The combined totals of an answer's blocks, as far as they are read.
struct BlockTotals: Sendable {
    /// The number of records in the answer, including broken ones and those that `records` leaves out.
    private(set) var count = 0
    /// The last one that is not broken, detached from its block.
    private(set) var last: [UInt8]?
    /// Identifies the answer if it comes again.
    private(set) var mark: PageMark?
    /// `nil` if not needed.
    private var hash: PageHash?

    init(tellsRepeats: Bool) { hash = tellsRepeats ? PageHash() : nil }

    /// The totals as a document, for the programs of `page`.
    var document: [UInt8] {
        Array(#"{"records":\#(count),"last":"#.utf8) + (last ?? Array("null".utf8)) + Array("}".utf8)
    }

    /// - Parameter records: What `records` yields for the block.
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

/// What follows a block of an answer: another one, or a fault, before which the block is delivered all the same. It is determined
/// before the block is delivered, which may be the last one.
typealias FollowingBlock = Result<DecodedBlock, PlugError>

extension DecodedBlock {
    /// What a block counts for in shared memory: a page of JSON is counted with eight times its bytes, so what is kept of the
    /// answer besides the block weighs an eighth.
    func weight(beside held: Int) -> Int {
        held / 8 + (document?.byteCount ?? 0) + broken.reduce(0) { $0 + $1.text.count }
    }
}

extension SinceSummary {
    /// The summary of these records and of those of the next block. `older` is the next block's: that of these was used when they
    /// were delivered.
    ///
    /// - Parameter bound: The value before which records are old.
    func joined(_ next: SinceSummary, bound: SinceValue?) -> SinceSummary {
        var joined = next
        joined.maximum = SinceValue.later(maximum, next.maximum)
        joined.first = first ?? next.first
        // The last record with a value may be in an earlier block.
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
