import Decoding
import LosslessJSON
import PlugCore
import PlugManifest

// Answers that are decoded, and given block by block.
extension StreamWalk {
    /// The rest of an answer that is decoded.
    struct Blocks: Sendable {
        let decoder: AnswerDecoder
        let format: RecordFormat
        let reading: PageReading
        /// What comes behind the first block.
        let following: FollowingBlock
        /// How many records the first one has.
        let count: Int
        /// The last of them that is not broken.
        let last: [UInt8]?
        /// The bytes of the answer that are in memory.
        let held: Int
    }

    /// What the first block of a decoded answer has shown beside its records.
    struct Decoded {
        /// Records of the page that are broken.
        var broken: [FetchedPage.Broken] = []
        /// What gives the page's further blocks, where it has any; `nil` for a page that is whole.
        var open: Blocks?
        /// What it counts for in memory, where it was decoded.
        var weight: Int?
    }

    /// The first block of an answer: the whole page, or what has to be known to give the others.
    func firstBlock(
        of answer: Answer,
        _ decoder: AnswerDecoder,
        _ format: RecordFormat,
        _ reading: PageReading
    ) async throws -> (PageReading.Page, Decoded) {
        let (exchange, name) = (plan.exchange, reading.name)
        guard let first = try await exchange.block(decoder, format, name, plan.stream.name) else {
            return (
                try reading.page(decoded: [], count: 0, last: nil, answer, after: previous),
                Decoded(weight: answer.held / 8)
            )
        }
        let following = try await exchange.following(decoder, format, name, plan.stream.name)
        let records = try reading.records(of: first)
        let count = first.count + first.broken.count
        var decoded = Decoded(broken: first.brokenRecords, weight: first.weight(beside: answer.held))
        guard let following else {
            let last = first.records.last?.slice
            return (try reading.page(decoded: records, count: count, last: last, answer, after: previous), decoded)
        }
        if plan.decodesWhole {
            _ = try following.get()
            throw PageLimits(exchange.settings.maximumPage).tooManyRecords(name)
        }
        decoded.open = Blocks(
            decoder: decoder,
            format: format,
            reading: reading,
            following: following,
            count: count,
            last: first.records.last?.slice,
            held: answer.held
        )
        return ((records, PageFacts(count: 0), nil), decoded)
    }

    /// Gives the first block of an answer that has several. Its state leads to this answer again: only with the last block
    /// the page is done.
    mutating func begin(_ blocks: Blocks, _ fetched: Fetched) throws(PlugError) -> WalkedPage {
        var fetched = fetched
        var page = block(fetched.page.records, fetched.decoded.broken, of: fetched)
        page.weight = fetched.decoded.weight
        fetched.answer.cost = FetchedPage.Cost()
        var scan = scan
        let summary = try scan?.summary(
            of: fetched.page.records,
            after: pass.last,
            bound: pass.oldBound,
            windows: pass.windows,
            window: pass.window,
            globals
        )
        self.scan = scan
        if let summary { leaveOut(summary.older, of: &page) }
        open = OpenAnswer(
            decoder: blocks.decoder,
            format: blocks.format,
            reading: blocks.reading,
            fetched: fetched,
            pending: blocks.following,
            held: blocks.held,
            count: blocks.count,
            last: blocks.last,
            summary: summary
        )
        return page
    }

    func block(_ records: [JSONView], _ broken: [FetchedPage.Broken], of fetched: Fetched) -> WalkedPage {
        var page = WalkedPage(
            records: records,
            lineage: lineage,
            mark: fetched.mark,
            following: fetched.mark,
            cost: fetched.answer.cost,
            origin: fetched.origin
        )
        page.bounds = fetched.bounds
        page.broken = broken
        return page
    }

    /// Gives the next block of an answer, and with the last one ends its page.
    mutating func nextBlock(of answer: OpenAnswer) async throws -> WalkedPage {
        var answer = answer
        let (exchange, name) = (plan.exchange, answer.fetched.name)
        do {
            let current = try answer.pending.get()
            let before = answer.count
            let records = try answer.reading.records(of: current)
            let next = try await exchange.following(answer.decoder, answer.format, name, plan.stream.name)
            answer.count += current.count + current.broken.count
            // A block may have none: the next page's place is made of the last one in the answer.
            answer.last = current.records.last?.slice ?? answer.last
            var scan = scan
            let last = answer.summary?.last ?? pass.last
            let summary = try scan?.summary(
                of: records,
                after: last,
                bound: pass.oldBound,
                windows: pass.windows,
                window: pass.window,
                globals
            )
            if let summary { answer.summary = answer.summary?.joined(summary, bound: pass.oldBound) ?? summary }
            self.scan = scan
            if let next {
                answer.pending = next
                open = answer
                var page = block(records, current.brokenRecords, of: answer.fetched)
                page.preceding = before
                page.weight = current.weight(beside: answer.held)
                if let summary { leaveOut(summary.older, of: &page) }
                return page
            }
            open = nil
            var fetched = answer.fetched
            let first = fetched.page.records
            fetched.page = try answer.reading.page(
                decoded: first,
                count: answer.count,
                last: answer.last,
                fetched.answer,
                after: previous
            )
            fetched.page.records = records
            fetched.decoded.broken = current.brokenRecords
            fetched.decoded.weight = current.weight(beside: answer.held)
            var page = try take(fetched, answer.summary)
            page.preceding = before
            previous = first
            return page
        } catch {
            // What came before was given; the answer is read again by the next run.
            open = nil
            fault = error as? PlugError
            throw error
        }
    }
}
