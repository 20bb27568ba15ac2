/// What the pages of a pass say about the whole stream: its number of records, and of pages.
///
/// Such a number ends a pass. Some manifests use one that counts something else, such as the records of its own page, and some
/// services cap it; then the pass would end too early, unnoticed. So if the page is full, or the answer names another page, one
/// more request decides: if that page has no records, the number was right; otherwise it is no longer trusted.
struct DeclaredCounts: Sendable {
    /// The key of a count.
    enum Key: String, Sendable {
        case total = "page.total"
        case pages = "page.pages"
    }

    /// The number of records; of several values the smallest. Records created meanwhile may be on pages already read; deleted
    /// ones are on none. 0 if it cannot be determined.
    private(set) var total: Int?
    /// The number of pages; of several values the smallest.
    private(set) var pages: Int?
    /// The count that turned out to be wrong: there is a page that it does not include. Neither is trusted any more.
    private(set) var wrong: Key?
    /// The count that the previous page reached, although there may be another page.
    private(set) var onTrial: Key?

    /// - Parameters:
    ///   - total: The value from before an interruption.
    ///   - pages: The same.
    ///   - onTrial: The count that the page before the interruption reached.
    init(total: Int? = nil, pages: Int? = nil, onTrial: Key? = nil) {
        (self.total, self.pages, self.onTrial) = (total, pages, onTrial)
    }

    /// Adds a page.
    ///
    /// - Parameters:
    ///   - seen: How many records the pass has had, including this page's.
    ///   - number: The page's number, counted from 1.
    ///   - repeats: Whether it has exactly the records of the page before.
    ///   - reachesPages: Whether it is the last of `page.pages`.
    ///   - mayGoOn: Whether anything indicates another page.
    /// - Returns: Whether it is the last page according to the counts.
    mutating func isLast(
        _ page: PageFacts,
        seen: Int,
        number: Int,
        repeats: Bool,
        reachesPages: Bool,
        mayGoOn: Bool
    ) -> Bool {
        note(page)
        if let key = onTrial {
            if page.count == 0 || repeats { return true }
            if isExceeded(key, by: page, seen: seen, number: number) { distrust(key) }
        }
        onTrial = nil
        guard wrong == nil, let reached = reached(page, seen: seen, reachesPages) else { return false }
        guard mayGoOn, page.count > 0 else { return true }
        onTrial = reached
        return false
    }

    /// Discards the page count: from here on pages have another size, and their number changes.
    mutating func resize() {
        pages = nil
        if onTrial == .pages { onTrial = nil }
    }

    private func reached(_ page: PageFacts, seen: Int, _ reachesPages: Bool) -> Key? {
        // A negative total, or a zero beside records, is how some sources say that they do not know.
        if let total = page.total, total > 0 || (total == 0 && seen == 0), seen >= total { return .total }
        return reachesPages ? .pages : nil
    }

    /// If records are not counted the way the source counts them, the total is not usable.
    private mutating func note(_ page: PageFacts) {
        guard wrong == nil else { return }
        if let count = page.pages, count > 0 { pages = min(pages ?? count, count) }
        if !page.countsAll {
            total = 0
        } else if let count = page.total, count > 0 {
            total = min(total ?? count, count)
        }
    }

    private func isExceeded(_ key: Key, by page: PageFacts, seen: Int, number: Int) -> Bool {
        switch key {
        case .total: page.total.map { seen > $0 } ?? false
        case .pages: page.pages.map { number > $0 } ?? false
        }
    }

    private mutating func distrust(_ key: Key) {
        wrong = key
        (total, pages) = (0, nil)
    }
}
