import LosslessJSON
import PlugManifest

/// What the pager needs to know of a page.
struct PageFacts: Sendable, Equatable {
    /// How many things the source's page lists; the number of records where that cannot be told.
    var count: Int
    /// Whether `count` is the source's.
    var countsAll = true
    /// What leads to the next page for `next`, `link` and `cursor`; `nil` where the page gives none.
    var following: Place?
    /// What `more` says.
    var more: Bool?
    /// What `total` says.
    var total: Int?
    /// Whether its records are the very bytes of the page before.
    var repeats = false
}

/// Why a pass cannot go on.
enum PagingFault: Error, Sendable, Equatable {
    /// A token was seen before in this pass, or page after page holds the same records.
    case loop
    /// Too many empty pages in a row.
    case empty
    /// More pages than `page.max` in one run.
    case limit
}

/// Finds its way from page to page: a state machine without a clock and without requests.
struct Pager: Sendable {
    /// How many empty pages in a row are followed.
    static let emptyLimit = 20
    /// How often the same records are taken for a page of their own.
    private static let repeatLimit = 2

    private let paging: Paging?
    /// The page to ask for.
    private(set) var place: Place
    /// How many pages the pass has had.
    private(set) var pages = 0
    /// How many records the pages before `place` had.
    private(set) var seen = 0
    /// How many records the last page had.
    private var last = 0
    /// Whether the page at `place` was read before the interruption already.
    private var isAgain = false
    /// Whether the last page was such a one. Then an interruption goes on at `place` itself: where each run gets a single
    /// page, going back every time would never get on.
    private var wasAgain = false
    private var empties = 0
    private var repeats = 0
    /// Hashes of the tokens that led to pages of this pass.
    private var tokens: Set<Int> = []

    /// At the start.
    init(_ paging: Paging?) {
        self.paging = paging
        place =
            switch paging?.kind {
            case .number(_, let from): .number(from)
            case .offset: .offset(0)
            default: .start
            }
    }

    /// At a page of an interrupted pass; `nil` where the place does not suit the way of paging, which changed since.
    ///
    /// - Parameter goesBack: Whether numbers and offsets, whose pages shift while nobody looks, go one page back.
    init?(_ paging: Paging?, resuming saved: JSONValue, goesBack: Bool = true) {
        self.init(paging)
        let start = place
        guard let place = Place(saved["place"] ?? .null) else { return nil }
        pages = Self.count(saved["pages"])
        seen = Self.count(saved["seen"])
        last = Self.count(saved["last"])
        let goesBack = goesBack && saved["again"]?.bool != true
        switch (paging?.kind, place) {
        case (.number(_, let from), .number(let number)) where goesBack && number > from:
            self.place = .number(number - 1)
            seen = max(0, seen - last)
            isAgain = true
        case (.offset(_, let size, _), .offset(let offset)) where goesBack && offset > 0:
            self.place = .offset(max(0, offset - (last > 0 ? last : size)))
            seen = max(0, seen - last)
            isAgain = true
        case (.number, .number), (.offset, .offset), (.next, .url), (.link, .url), (.cursor, .token): self.place = place
        case (_, .start) where start == .start: break
        default: return nil
        }
        last = 0
        remember(self.place)
    }

    /// Whether this is where a pass begins.
    var isAtStart: Bool { place == Pager(paging).place }

    /// What a state keeps of it.
    var members: [JSONObject.Member] {
        [
            ("place", place.json), ("pages", .integer(pages)), ("seen", .integer(seen)), ("last", .integer(last)),
        ] + (wasAgain ? [("again", .bool(true))] : [])
    }

    /// Takes in a page.
    ///
    /// - Returns: Whether there is another page, which `place` then names.
    /// - Throws: `PagingFault`; the pager is then as it was before the page. Only at the `limit` it stands behind it and
    ///   counts pages anew, for the run that goes on there.
    mutating func take(_ page: PageFacts) throws(PagingFault) -> Bool {
        var next = self
        do throws(PagingFault) {
            let goesOn = try next.advance(page)
            self = next
            return goesOn
        } catch {
            if error == .limit {
                self = next
                pages = 0
            }
            throw error
        }
    }

    private mutating func advance(_ page: PageFacts) throws(PagingFault) -> Bool {
        pages += 1
        seen += page.count
        last = page.count
        (wasAgain, isAgain) = (isAgain, false)
        guard let paging, page.more != false else { return false }
        // A negative total, and a zero beside records, is how some sources say that they do not know.
        if let total = page.total, total > 0 || (total == 0 && seen == 0), seen >= total { return false }
        if paging.stop == .empty, page.count == 0 { return false }
        if paging.stop == .short, page.countsAll, let size = paging.size, page.count < size { return false }
        guard let following = following(page, paging) else { return false }
        repeats = page.repeats ? repeats + 1 : 0
        if repeats >= Self.repeatLimit { throw .loop }
        empties = page.count == 0 ? empties + 1 : 0
        if empties > Self.emptyLimit { throw .empty }
        guard remember(following) else { throw .loop }
        place = following
        if pages >= paging.maximum { throw .limit }
        return true
    }

    /// Where the next page is, `nil` where this one was the last.
    private func following(_ page: PageFacts, _ paging: Paging) -> Place? {
        switch (paging.kind, place) {
        case (.number, .number(let number)):
            return page.count == 0 && (page.countsAll || page.more != true) ? nil : .number(number + 1)
        case (.offset(_, let size, _), .offset(let offset)):
            // A source may give fewer than were asked for and have more; what `records` filters is not counted.
            return page.count == 0 && (page.countsAll || page.more != true)
                ? nil : .offset(offset + (page.countsAll && page.count > 0 ? page.count : max(size, page.count)))
        default: return page.following
        }
    }

    /// - Returns: `false` where the place was seen before.
    @discardableResult
    private mutating func remember(_ place: Place) -> Bool {
        var hasher = Hasher()
        switch place {
        case .token(let token): hasher.combine(token)
        case .url(let url): hasher.combine(url)
        case .start, .number, .offset: return true
        }
        return tokens.insert(hasher.finalize()).inserted
    }

    private static func count(_ json: JSONValue?) -> Int { max(0, Int(json?.number?.int64 ?? 0)) }
}
