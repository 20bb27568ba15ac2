import LosslessJSON
import PlugManifest

/// Finds its way from page to page: a state machine without a clock and without requests.
struct Pager: Sendable {
    /// How many empty pages in a row are followed.
    static let emptyLimit = 20
    /// How often the same records are taken for a page of their own.
    private static let repeatLimit = 2

    /// How pages are found, with the size in force: a source that refuses larger pages is asked for smaller ones.
    private(set) var paging: Paging?
    /// The size that the manifest asks for.
    private var wanted: Int?
    /// Whether every page so far had as many records as were asked for: then its number tells where it lies.
    private(set) var isEven = true
    /// Whether pages before `place` had another size.
    private(set) var isResized = false
    /// The page to ask for.
    private(set) var place: Place
    /// How many pages the pass has had, since a run ended at `page.max`.
    private(set) var pages = 0
    /// How many of them `page.max` does not count: they are read again, and runs that get no further than that would give
    /// nothing.
    private var spared = 0
    /// How many it has had in all.
    private var read = 0
    /// How many records the pages before `place` had.
    private(set) var seen = 0
    /// How many records the last page had.
    private var last = 0
    /// How many records the largest page had, as far as this run knows.
    private var fullest = 0
    /// Whether the page at `place` was read before the interruption already.
    private var isAgain = false
    /// Whether the last page was such a one. Then an interruption goes on at `place` itself: where each run gets a single
    /// page, going back every time would never get on.
    private var wasAgain = false
    /// How many records the last page had, where the source may have cut it to a size of its own.
    private var cut: Int?
    /// How many records the source gives at most where more were asked for, once that has shown.
    private(set) var sourceSize: Int?
    /// What the pages said of the whole stream.
    private var counts = DeclaredCounts()
    private var empties = 0
    /// The last page's records, and how often they came again.
    private var mark: PageMark?
    private var repeats = 0
    /// Hashes of the tokens that led to pages of this pass, as far as this run has read it.
    private var tokens: Set<UInt64> = []
    /// One token of the pass, kept over interruptions: a circle of any length comes back to it.
    private var anchor = LoopAnchor()

    /// At the start.
    init(_ paging: Paging?) {
        self.paging = paging
        wanted = paging?.size
        place = paging?.kind.start ?? .start
    }

    /// At a page of an interrupted pass; `nil` where the place does not suit the way of paging, which changed since.
    ///
    /// - Parameter goesBack: Whether numbers and offsets, whose pages shift while nobody looks, go one page back.
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

    /// Takes up the size of an interrupted pass, or goes on with another one that the manifest has since.
    ///
    /// - Returns: `false` if the place means nothing with pages of that size.
    private mutating func restoreSize(_ saved: JSONValue) -> Bool {
        let isNumber = if case .number = place { !isAtStart } else { false }
        let inForce = saved["size"]?.number?.int64.flatMap { (1...1_000_000).contains($0) ? Int($0) : nil }
        guard let inForce else { return !isNumber || paging?.sendsSize != true }
        guard let paging, let wanted else { return !isNumber }
        let was = saved["wanted"]?.number?.int64.map { Int($0) } ?? inForce
        self.paging = paging.sized(inForce)
        // Another size is what somebody wants from here on.
        return was == wanted || convert(to: wanted)
    }

    /// Goes on with pages of another size.
    ///
    /// - Parameter place: Where; `nil` for the first page.
    mutating func resize(to size: Int, at place: Place?) {
        guard let resized = paging?.sized(size) else { return }
        paging = resized
        (fullest, cut, sourceSize) = (0, nil, nil)
        // The page before is one of the new size now.
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

    /// The pager at an earlier page of a counted stream, to read it and what follows again; `nil` where this one stands at
    /// the first page, or the stream is not counted.
    ///
    /// - Parameter pages: How many pages back; as far as the first page at the most.
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

    /// The same where most of the records on the pages that were read will be met again.
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

    /// The size where the place, or the next request, depends on it.
    private var sizeMembers: [JSONObject.Member] {
        guard let size = paging?.size else { return [] }
        let isNumber = if case .number = place { true } else { false }
        return (isNumber || size != wanted ? [("size", .integer(size))] : [])
            + (size != wanted ? wanted.map { [(JSONString("wanted"), .integer($0))] } ?? [] : [])
            + (isNumber && !isEven ? [("uneven", .bool(true))] : []) + (isResized ? [("resized", .bool(true))] : [])
    }

    /// How many records there should have been, where the pages so far gave fewer.
    var missedTotal: Int? { counts.total.flatMap { seen < $0 ? $0 : nil } }

    /// `page.total` or `page.pages`, where there is a page that it does not count.
    var wrongCount: DeclaredCounts.Key? { counts.wrong }

    /// Whether the page at `place` follows what a number calls the last page.
    var isBehindTheLast: Bool { counts.onTrial != nil }

    /// How many pages there should have been, where fewer were read; `nil` too where all records are known to be read.
    ///
    /// A source that makes smaller pages than were asked for counts those: then the offset tells less than the pages read.
    var missedPages: (count: Int, read: Int)? {
        guard let paging, let pageCount = counts.pages, (counts.total ?? 0) == 0 || missedTotal != nil else {
            return nil
        }
        let reached = max(paging.kind.number(of: place, read: read), read)
        return reached < pageCount ? (pageCount, reached) : nil
    }

    /// Takes in a page.
    ///
    /// - Returns: Whether there is another page, which `place` then names.
    /// - Throws: `PagingFault`; the pager is then as it was before the page. Only at the `limit` it stands behind it and
    ///   counts pages anew, for the run that goes on there.
    mutating func take(_ page: PageFacts) throws(PagingFault) -> Bool {
        var page = page
        // Where only the pages read are counted, a number of pages of one size says nothing of them.
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
        // The page behind the last one leads round to the beginning.
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
                // One more request tells.
                guard RoundSize.contains(given) else { return false }
                cut = given
            }
        }
        guard let following = paging.kind.following(page, at: place) else { return false }
        repeats = isSame ? repeats + 1 : 0
        if repeats >= Self.repeatLimit { throw .loop }
        empties = page.count == 0 ? empties + 1 : 0
        if empties > Self.emptyLimit {
            // Counted pages have no place that the source has named: its 'more' may be true for ever.
            if paging.isCounted { return false }
            throw .empty
        }
        guard remember(following) else { throw .loop }
        place = following
        // The next run would begin to count empty pages anew, and go on for ever.
        if pages - spared >= paging.maximum, empties == 0 || !paging.isCounted { throw .limit }
        return true
    }

    /// Whether something says that there is another page: the answer names it, or this one is as full as pages are.
    private func mayGoOn(_ page: PageFacts, _ paging: Paging) -> Bool {
        guard paging.isCounted else { return page.following != nil }
        guard page.countsAll, page.count > 1 else { return false }
        let given = page.count + page.overlap
        return paging.mayBeFull(given) || (paging.size == nil && given == fullest)
    }

    /// - Returns: `false` where the place was seen before.
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
