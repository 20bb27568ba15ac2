/// What the pager needs to know of a page.
struct PageFacts: Sendable, Equatable {
    /// How many things the source's page lists; the number of records where that cannot be told.
    var count: Int
    /// Whether `count` is the source's.
    var countsAll = true
    /// How many records of the page before it repeats, because they were asked for; they are not in `count`.
    var overlap = 0
    /// What leads to the next page for `next`, `link` and `cursor`; `nil` where the page gives none.
    var following: Place?
    /// What `more` says.
    var more: Bool?
    /// What `total` says.
    var total: Int?
    /// What `pages` says.
    var pages: Int?
    /// Whether it has no member where the next page's token belongs, not even one that says that there is none.
    var lacksToken = false
    /// Whether its headers have no link to a page, where such a link leads to the next one.
    var lacksLink = false
    /// What of the answer says that there is more, of a stream that reads one page.
    var unread: MoreToRead?
    /// By what it is told when it comes again; `nil` where it has no records, or nobody asks.
    var mark: PageMark?
    /// Whether it has the list that `records` takes, be it an empty one: an answer without it proves nothing.
    var showsList = false
    /// Whether it says that what was asked for is not there, which of a window may mean that it has nothing.
    var isAbsent = false

    /// Whether nothing but the token could say that there is another page.
    var hangsOnToken: Bool { lacksToken && countsAll && saysNothing }

    /// Whether nothing but a link could say so.
    var hangsOnLink: Bool { lacksLink && countsAll && saysNothing }

    private var saysNothing: Bool { more == nil && total == nil && pages == nil }
}

/// Why a pass cannot go on.
enum PagingFault: Error, Sendable, Equatable {
    /// A token was seen before in this pass, or page after page holds the same records.
    case loop
    /// Too many empty pages in a row.
    case empty
    /// More pages than `page.max` in one run.
    case limit
    /// More windows than a run reads.
    case windows
    /// The source does not keep to the windows that it is asked for.
    case ignored
}
