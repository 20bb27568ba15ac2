import Decoding
import LosslessJSON
import PlugCore
import PlugManifest

// Answers that come block by block: decoded ones, and large JSON lists.
extension StreamWalk {
    /// What the first block of a decoded answer contains besides its records.
    struct Decoded {
        /// The broken records of the page.
        var broken: [FetchedPage.Broken] = []
        /// The source of the page's further blocks, and the next of them; `nil` for a page that is whole.
        var open: (blocks: AnswerBlocks, next: FollowingBlock)?
        /// What it counts for in memory, if it was decoded.
        var weight: Int?
    }

    /// The first block of an answer: the whole page, or what is needed to deliver the others.
    func firstBlock(
        of answer: Answer,
        _ decoder: AnswerDecoder,
        _ format: RecordFormat,
        _ reading: PageReading
    ) async throws -> (PageReading.Page, Decoded) {
        let (exchange, name) = (plan.exchange, reading.name)
        var blocks = AnswerBlocks(answer, decoder, format, reading)
        guard let first = try await exchange.block(decoder, format, name, plan.stream.name) else {
            let page = try reading.page(decoded: [], blocks.totals, beside: nil, answer)
            return (page, Decoded(weight: answer.held / 8))
        }
        let following = try await exchange.following(decoder, format, name, plan.stream.name)
        let records = try blocks.records(of: first, isLast: following == nil)
        let rest = await decoder.rest(of: format)
        var decoded = Decoded(
            broken: first.brokenRecords,
            weight: first.weight(beside: answer.held + (rest?.count ?? 0))
        )
        guard let following else {
            return (try reading.page(decoded: records, blocks.totals, beside: rest, answer), decoded)
        }
        if plan.needsWholePages {
            _ = try following.get()
            throw PageLimits(exchange.settings.answers.page).tooManyRecords(name)
        }
        decoded.open = (blocks, following)
        return ((records, PageFacts(count: 0), nil), decoded)
    }

    /// Delivers the first block of an answer that has several. Its state leads to this answer again: only the last block
    /// completes the page.
    mutating func begin(_ blocks: AnswerBlocks, _ next: FollowingBlock, _ fetched: Fetched) throws(PlugError)
        -> WalkedPage
    {
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
        open = OpenAnswer(blocks: blocks, pending: next, fetched: fetched, given: page.given, summary: summary)
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

    /// Delivers the next block of an answer, and with the last one ends its page.
    mutating func nextBlock(of answer: OpenAnswer) async throws -> WalkedPage {
        var (answer, blocks) = (answer, answer.blocks)
        let (exchange, name) = (plan.exchange, answer.fetched.name)
        do {
            let current = try answer.pending.get()
            let next = try await exchange.following(blocks.decoder, blocks.format, name, plan.stream.name)
            let records = try blocks.records(of: current, isLast: next == nil)
            let rest = await blocks.decoder.rest(of: blocks.format)
            let weight = current.weight(beside: blocks.held + (rest?.count ?? 0))
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
                (answer.blocks, answer.pending) = (blocks, next)
                open = answer
                var page = block(records, current.brokenRecords, of: answer.fetched)
                page.preceding = answer.given
                page.weight = weight
                if let summary { leaveOut(summary.older, of: &page) }
                open?.given += page.given
                return page
            }
            open = nil
            var fetched = answer.fetched
            fetched.page = try blocks.reading.page(
                decoded: records,
                blocks.totals,
                beside: rest,
                fetched.answer
            )
            fetched.decoded.broken = current.brokenRecords
            fetched.decoded.weight = weight
            var page = try take(fetched, answer.summary)
            page.preceding = answer.given
            return page
        } catch {
            // What came before was delivered; the next run reads the answer again.
            open = nil
            fault = error as? PlugError
            throw error
        }
    }
}
