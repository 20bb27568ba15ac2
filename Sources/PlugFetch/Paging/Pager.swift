import LosslessJSON
import PlugManifest

/// Navigates from page to page: a state machine without a clock and without requests.
struct Pager: Sendable {
    /// How many empty pages in a row are followed.
    static let emptyLimit = 20
    /// How often the same records are accepted as a separate page.
    private static let repeatLimit = 2

    /// How pages are found, with the current size: a source that refuses larger pages is asked for smaller ones.
    private(set) var paging: Paging?
    /// The size from the manifest.
    private var wanted: Int?
    /// Whether every page so far had as many records as requested: then a page number determines the record offset.
    private(set) var isEven = true
    /// Whether pages before `place` had another size.
    private(set) var isResized = false
    /// The page to request.
    private(set) var place: Place
    /// How many pages the pass has had since a run ended at `page.max`.
    private(set) var pages = 0
    /// How many of them `page.max` does not count: they are read again, and runs that get no further would deliver nothing.
    private var spared = 0
    /// How many it has had in total.
    private var read = 0
    /// How many records the pages before `place` had.
    private(set) var seen = 0
    /// How many records the last page had.
    private var last = 0
    /// How many records the largest page had, as far as this run knows.
    private var fullest = 0
    /// Whether the page at `place` was already read before the interruption.
    private var isAgain = false
    /// Whether the last page was such a one. Then an interruption continues at `place` itself: if each run gets a single page,
    /// going back every time would never make progress.
    private var wasAgain = false
    /// How many records the last page had, if the source may have limited it to a size of its own.
    private var cut: Int?
    /// The most records the source returns when more are requested, once that is known.
    private(set) var sourceSize: Int?
    /// What the pages said about the whole stream.
    private var counts = DeclaredCounts()
    private var empties = 0
    /// The last page's records, and how often they were repeated.
    private var mark: PageMark?
    private var repeats = 0
    /// Hashes of the tokens that led to pages of this pass, as far as this run has read it.
    private var tokens: Set<UInt64> = []
    /// One token of the pass, kept across interruptions: a cycle of any length comes back to it.
    private var anchor = LoopAnchor()

    /// A pager at the start.
    init(_ paging: Paging?) {
        self.paging = paging
        wanted = paging?.size
        place = paging?.kind.start ?? .start
    }

    /// A pager at a page of an interrupted pass; `nil` if the place does not suit the kind of paging, which has changed since.
    ///
    /// - Parameter goesBack: Whether numbers and offsets, whose pages shift between runs, go one page back.
    init?(_ paging: Paging?, resuming saved: JSONValue, goesBack: Bool = true) {
        self.init(paging)
        guard let place = Place(saved["place"] ?? .null), paging?.kind.suits(place) ?? (place == .start) else {
            return nil
        }
        pages = Self.count(saved["pages"])
        read = saved["read"].map { Self.count($0) } ?? pages
        seen = Self.count(saved["seen"])
        last = Self.count(saved["last"])
        self.place = place
        isEven = saved["uneven"]?.bool != true
        isResized = saved["resized"]?.bool == true
        guard restoreSize(saved) else { return nil }
        if goesBack, saved["again"]?.bool != true,
            let before = self.paging?.kind.place(1, before: self.place, last: last)
        {
            self.place = before
            seen = max(0, seen - last)
            isAgain = true
        }
        (fullest, last) = (last, 0)
        counts = DeclaredCounts(
            total: saved["total"]?.number?.int64.map { Int($0) },
            pages: saved["of"]?.number?.int64.map { Int($0) },
            onTrial: isAgain ? nil : saved["trial"]?.stringText.flatMap(DeclaredCounts.Key.init)
        )
        anchor = LoopAnchor(saved["anchor"])
        remember(self.place)
    }

    /// Restores the size of an interrupted pass, or continues with the manifest's if that has changed since.
    ///
    /// - Returns: `false` if the place means nothing with pages of that size.
    private mutating func restoreSize(_ saved: JSONValue) -> Bool {
        let isNumber = if case .number = place { !isAtStart } else { false }
        let inForce = saved["size"]?.number?.int64.flatMap { (1...1_000_000).contains($0) ? Int($0) : nil }
        guard let inForce else { return !isNumber || paging?.sendsSize != true }
        guard let paging, let wanted else { return !isNumber }
        let was = saved["wanted"]?.number?.int64.map { Int($0) } ?? inForce
        self.paging = paging.sized(inForce)
        // A changed size is intended to apply from here on.
        return was == wanted || convert(to: wanted)
    }

    /// Continues with pages of another size.
    ///
    /// - Parameter place: Where; `nil` for the first page.
    mutating func resize(to size: Int, at place: Place?) {
        guard let resized = paging?.sized(size) else { return }
        paging = resized
        (fullest, cut, sourceSize) = (0, nil, nil)
        // The previous page now counts as one of the new size.
        last = min(last, size)
        counts.resize()
        guard let place, place != resized.kind.start else {
            (self.place, seen, read, last, isEven, isResized) = (resized.kind.start, 0, 0, 0, true, false)
            counts = DeclaredCounts()
            return
        }
        if case .number(let number) = place, case .number(_, let from, _) = resized.kind {
            seen = (number - from) * size
        }
        self.place = place
        isResized = true
    }

    /// The pager at an earlier page of a counted stream, to read it and what follows again; `nil` if this one is at the first
    /// page, or the stream is not counted.
    ///
    /// - Parameter pages: How many pages back, stopping at the first page.
    func back(_ pages: Int) -> Pager? {
        guard let before = paging?.kind.place(pages, before: place, last: last) else { return nil }
        var earlier = self
        earlier.place = before
        earlier.seen = earlier.isAtStart ? 0 : max(0, seen - last)
        earlier.last = 0
        earlier.isAgain = false
        return earlier
    }

    /// A pager at the start, for other records of the stream.
    var restarted: Pager {
        var pager = Pager(paging)
        pager.wanted = wanted
        return pager
    }

    /// The same if most of the records on the pages already read will occur again.
    var rereading: Pager {
        var pager = restarted
        pager.spared = read
        return pager
    }

    /// Whether this is where a pass begins.
    var isAtStart: Bool { place == paging?.kind.start ?? .start }

    /// What a state keeps of it.
    var members: [JSONObject.Member] {
        [
            ("place", place.json), ("pages", .integer(pages)), ("seen", .integer(seen)), ("last", .integer(last)),
        ] + (wasAgain ? [("again", .bool(true))] : []) + (counts.total.map { [("total", .integer($0))] } ?? [])
            + (read == pages ? [] : [("read", .integer(read))]) + (counts.pages.map { [("of", .integer($0))] } ?? [])
            + (counts.onTrial.map { [("trial", .text($0.rawValue))] } ?? [])
            + (anchor.json.map { [(JSONString("anchor"), $0)] } ?? []) + sizeMembers
    }

    /// The size if the place, or the next request, depends on it.
    private var sizeMembers: [JSONObject.Member] {
        guard let size = paging?.size else { return [] }
        let isNumber = if case .number = place { true } else { false }
        return (isNumber || size != wanted ? [("size", .integer(size))] : [])
            + (size != wanted ? wanted.map { [(JSONString("wanted"), .integer($0))] } ?? [] : [])
            + (isNumber && !isEven ? [("uneven", .bool(true))] : []) + (isResized ? [("resized", .bool(true))] : [])
    }

    /// How many records there should have been, if the pages so far had fewer.
    var missedTotal: Int? { counts.total.flatMap { seen < $0 ? $0 : nil } }

    /// `page.total` or `page.pages`, if there is a page that it does not include.
    var wrongCount: DeclaredCounts.Key? { counts.wrong }

    /// Whether the page at `place` follows the last page according to a count.
    var isBehindTheLast: Bool { counts.onTrial != nil }

    /// How many pages there should have been, if fewer were read; `nil` also if all records are known to be read.
    ///
    /// A source that returns smaller pages than requested counts those: then the offset is less reliable than the pages read.
    var missedPages: (count: Int, read: Int)? {
        guard let paging, let pageCount = counts.pages, (counts.total ?? 0) == 0 || missedTotal != nil else {
            return nil
        }
        let reached = max(paging.kind.number(of: place, read: read), read)
        return reached < pageCount ? (pageCount, reached) : nil
    }

    /// Processes a page.
    ///
    /// - Returns: Whether there is another page, whose place is then in `place`.
    /// - Throws: `PagingFault`; the pager is then as it was before the page. Only at the `limit` is it after the page, and counts
    ///   pages afresh, for the run that continues there.
    mutating func take(_ page: PageFacts) throws(PagingFault) -> Bool {
        var page = page
        // If only the pages read are counted, a page count for a single size says nothing about them.
        if isResized, paging?.isCounted != true { page.pages = nil }
        var next = self
        do throws(PagingFault) {
            let goesOn = try next.advance(page)
            self = next
            return goesOn
        } catch {
            if error == .limit {
                self = next
                (pages, spared) = (0, 0)
            }
            throw error
        }
    }

    private mutating func advance(_ page: PageFacts) throws(PagingFault) -> Bool {
        pages += 1
        read += 1
        seen += page.count
        last = page.count
        isEven = isEven && page.countsAll && page.count + page.overlap == paging?.size ?? 0
        defer { fullest = max(fullest, page.count + page.overlap) }
        (wasAgain, isAgain) = (isAgain, false)
        let isSame = page.mark != nil && page.mark == mark
        mark = page.mark
        // The page after the last one leads back to the beginning.
        if counts.onTrial != nil, let following = page.following, isKnown(following) { return false }
        let isLast = counts.isLast(
            page,
            seen: seen,
            number: paging?.kind.number(of: place, read: read) ?? 1,
            repeats: isSame,
            reachesPages: page.pages.flatMap { paging?.kind.isLast(page, at: place, of: $0, read: read) } ?? false,
            mayGoOn: paging.map { mayGoOn(page, $0) } ?? false
        )
        guard let paging, page.more != false, !isLast else { return false }
        if paging.stop == .empty, page.count == 0 { return false }
        if paging.stop == .short, page.countsAll, let size = paging.size {
            let given = page.count + page.overlap
            if let cut, page.count > 0 { sourceSize = cut }
            cut = nil
            if given < size {
                // One more request decides.
                guard RoundSize.contains(given) else { return false }
                cut = given
            }
        }
        guard let following = paging.kind.following(page, at: place) else { return false }
        // Services whose tokens are places in a list always name one: behind the last record, the one they were asked with.
        if page.count == 0, page.countsAll, page.more != true, following == place { return false }
        repeats = isSame ? repeats + 1 : 0
        if repeats >= Self.repeatLimit { throw .loop }
        empties = page.count == 0 ? empties + 1 : 0
        if empties > Self.emptyLimit {
            // The source has not named the place of a counted page: its 'more' may be true for ever.
            if paging.isCounted { return false }
            throw .empty
        }
        guard remember(following) else { throw .loop }
        place = following
        // The next run would restart the count of empty pages, and continue for ever.
        if pages - spared >= paging.maximum, empties == 0 || !paging.isCounted { throw .limit }
        return true
    }

    /// Whether anything indicates another page: the answer names it, or this one may be full.
    private func mayGoOn(_ page: PageFacts, _ paging: Paging) -> Bool {
        guard paging.isCounted else { return page.following != nil }
        guard page.countsAll, page.count > 1 else { return false }
        let given = page.count + page.overlap
        return paging.mayBeFull(given) || (paging.size == nil && given == fullest)
    }

    /// - Returns: `false` if the place was seen before.
    @discardableResult
    private mutating func remember(_ place: Place) -> Bool {
        guard let hash = Self.hash(place) else { return true }
        let isNew = tokens.insert(hash).inserted
        return anchor.pass(hash) && isNew
    }

    /// Whether a token or an address was seen before in this pass, as far as this run has read it.
    private func isKnown(_ place: Place) -> Bool { Self.hash(place).map { tokens.contains($0) } ?? false }

    /// `nil` for places that are counted.
    private static func hash(_ place: Place) -> UInt64? {
        var hash = StableHash()
        switch place {
        case .token(let token): hash.combine(Array(token.compactText.utf8))
        case .url(let url): hash.combine(Array(url.utf8))
        case .start, .number, .offset: return nil
        }
        return hash.value
    }

    private static func count(_ json: JSONValue?) -> Int { max(0, Int(json?.number?.int64 ?? 0)) }
}
