/// What the pager needs to know about a page.
struct PageFacts: Sendable, Equatable {
    /// How many items the source's page lists; the number of records if that cannot be determined.
    var count: Int
    /// Whether `count` is the source's.
    var countsAll = true
    /// How many requested records of the previous page it repeats; they are not in `count`.
    var overlap = 0
    /// Leads to the next page for `next`, `link` and `cursor`; `nil` if the page has none.
    var following: Place?
    /// The value of `more`.
    var more: Bool?
    /// The value of `total`.
    var total: Int?
    /// The value of `pages`.
    var pages: Int?
    /// Whether it lacks the member for the next page's token, even one that says there is none.
    var lacksToken = false
    /// Whether its headers link to no page, if such a link leads to the next one.
    var lacksLink = false
    /// A sign of further pages, in a stream that reads one page.
    var unread: MoreToRead?
    /// Identifies the page if it comes again; `nil` if it has no records, or this is not needed.
    var mark: PageMark?
    /// Whether it has the list that `records` takes, even an empty one: an answer without it proves nothing.
    var showsList = false
    /// Whether it says that the requested item does not exist, which for a window may mean that it is empty.
    var isAbsent = false

    /// Whether only the token could indicate another page.
    var hangsOnToken: Bool { lacksToken && countsAll && saysNothing }

    /// Whether only a link could do so.
    var hangsOnLink: Bool { lacksLink && countsAll && saysNothing }

    private var saysNothing: Bool { more == nil && total == nil && pages == nil }
}

/// Why a pass cannot continue.
enum PagingFault: Error, Sendable, Equatable {
    /// A token occurred before in this pass, or page after page holds the same records.
    case loop
    /// Too many empty pages in a row.
    case empty
    /// More pages than `page.max` in one run.
    case limit
    /// More windows than a run reads.
    case windows
    /// The source ignores the windows it is asked for.
    case ignored
}
