/// What the pages of a pass say of the whole stream: how many records there are, and how many pages.
///
/// Such a number ends a pass. Some manifests take one that counts something else, such as the records of its own page, and some
/// services cap it; then the pass would end too early, unnoticed. So where the page is full, or the answer names another
/// page, one more request tells: if that page has no records, the number was right; otherwise it is not believed any more.
struct DeclaredCounts: Sendable {
    /// The key of a number.
    enum Key: String, Sendable {
        case total = "page.total"
        case pages = "page.pages"
    }

    /// How many records there are; of several numbers the smallest. Records created meanwhile may be on pages already read;
    /// deleted ones are on none. 0 where nothing can be told.
    private(set) var total: Int?
    /// How many pages there are; of several numbers the smallest.
    private(set) var pages: Int?
    /// The number that turned out to be wrong: there is a page that it does not count. None is believed any more.
    private(set) var wrong: Key?
    /// Which number the page before reached, though there may be another page.
    private(set) var onTrial: Key?

    /// - Parameters:
    ///   - total: What an interrupted pass was told.
    ///   - pages: The same.
    ///   - onTrial: The number that the page before the interruption reached.
    init(total: Int? = nil, pages: Int? = nil, onTrial: Key? = nil) {
        (self.total, self.pages, self.onTrial) = (total, pages, onTrial)
    }

    /// Takes in a page.
    ///
    /// - Parameters:
    ///   - seen: How many records the pass has had, with this page's.
    ///   - number: Which page it is, counted from 1.
    ///   - repeats: Whether it has the very records of the page before.
    ///   - reachesPages: Whether it is the last of `page.pages`.
    ///   - mayGoOn: Whether something says that there is another page.
    /// - Returns: Whether it is the last page by what it says.
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

    /// Forgets what was said of pages: from here on they have another size, and there are more or fewer of them.
    mutating func resize() {
        pages = nil
        if onTrial == .pages { onTrial = nil }
    }

    private func reached(_ page: PageFacts, seen: Int, _ reachesPages: Bool) -> Key? {
        // A negative total, and a zero beside records, is how some sources say that they do not know.
        if let total = page.total, total > 0 || (total == 0 && seen == 0), seen >= total { return .total }
        return reachesPages ? .pages : nil
    }

    /// Of records that are not counted as the source does nothing can be told.
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
