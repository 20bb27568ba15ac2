/// What the pages of a pass say of the whole stream: how many records there are, and how many pages.
///
/// Such a number ends a pass. Some manifests take one that counts something else, such as the records of its own page; then
/// the pass would end too early, unnoticed. So a number that the page itself contradicts is believed only where
/// the page before said the same. Where the answer names another page, that page tells; a page beyond the last number would
/// be an error for some services, so there the end is only reported as doubtful.
struct DeclaredCounts: Sendable {
    /// What says that there is another page.
    enum Sign: Sendable {
        /// Nothing.
        case none
        /// The page is as full as pages are.
        case full
        /// The answer names the next page.
        case named
    }

    /// The key of a number.
    enum Key: String, Sendable {
        case total = "page.total"
        case pages = "page.pages"
    }

    /// How many records there are; of several numbers the smallest. Records created meanwhile may be on pages already
    /// read; deleted ones are on none. 0 where nothing can be told.
    private(set) var total: Int?
    /// How many pages there are; of several numbers the smallest.
    private(set) var pages: Int?
    /// The number that turned out to be wrong: there is a page that it does not count. None is believed any more.
    private(set) var wrong: Key?
    /// The number that ended the pass, though the page was full, and no page before said the same.
    private(set) var doubtful: Key?
    /// What the page before said.
    private var latest: (total: Int?, pages: Int?) = (nil, nil)
    /// Which number the page before reached, though it named another page.
    private var onTrial: Key?
    /// Whether the next page tells: where the service has none, the number was right.
    var isOnTrial: Bool { onTrial != nil }

    /// - Parameters:
    ///   - total: What an interrupted pass was told.
    ///   - pages: The same.
    init(total: Int? = nil, pages: Int? = nil) {
        (self.total, self.pages) = (total, pages)
        latest = (total, pages)
    }

    /// Takes in a page.
    ///
    /// - Parameters:
    ///   - seen: How many records the pass has had, with this page's.
    ///   - isFirst: Whether it is the first page of the pass.
    ///   - number: Which page it is, counted from 1.
    ///   - reachesPages: Whether it is the last of `page.pages`.
    ///   - sign: What says that there is another page.
    /// - Returns: Whether it is the last page by what it says.
    mutating func isLast(
        _ page: PageFacts,
        seen: Int,
        isFirst: Bool,
        number: Int,
        reachesPages: Bool,
        sign: Sign
    ) -> Bool {
        let before = latest
        note(page)
        if let key = onTrial {
            if page.count == 0 || page.repeats { return true }
            if isExceeded(key, by: page, seen: seen, number: number) { distrust(key) }
        }
        (onTrial, doubtful) = (nil, nil)
        guard wrong == nil else { return false }
        var contradicted: Key?
        // A negative total, and a zero beside records, is how some sources say that they do not know.
        if let total = page.total, total > 0 || (total == 0 && seen == 0), seen >= total {
            guard sign != .none, isFirst || total != before.total || seen > total else { return true }
            contradicted = .total
        }
        if reachesPages {
            guard sign != .none, isFirst || page.pages != before.pages else { return true }
            contradicted = contradicted ?? .pages
        }
        guard let contradicted else { return false }
        if sign == .full {
            doubtful = contradicted
            return true
        }
        onTrial = contradicted
        return false
    }

    /// Of records that are not counted as the source does nothing can be told.
    private mutating func note(_ page: PageFacts) {
        latest = (page.total, page.pages)
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
