import JQ
import LosslessJSON
import PlugManifest

// The places of each kind of paging. A new kind needs a case in each of these.
extension Paging.Kind {
    /// Where a pass begins.
    var start: Place {
        switch self {
        case .number(_, let from, _): .number(from)
        case .offset: .offset(0)
        case .next, .link, .cursor: .start
        }
    }

    /// Whether a place of an earlier run suits this kind: the manifest may have changed since.
    func suits(_ place: Place) -> Bool {
        switch self {
        case .number: if case .number = place { true } else { false }
        case .offset: if case .offset = place { true } else { false }
        case .cursor: if case .token = place { true } else { place == .start }
        case .next, .link: if case .url = place { true } else { place == .start }
        }
    }

    /// The place some pages before another one, stopping at the first page; `nil` if it is the first, or places are not counted.
    ///
    /// - Parameter last: How many records the page just before it had; 0 if that is not known.
    func place(_ pages: Int, before place: Place, last: Int) -> Place? {
        switch (self, place) {
        case (.number(_, let from, _), .number(let number)) where number > from:
            return .number(max(from, number - min(pages, number)))
        case (.offset(_, let size, _, _), .offset(let offset)) where offset > 0:
            let (rest, overflows) = size.multipliedReportingOverflow(by: pages - 1)
            return .offset(overflows ? 0 : max(0, offset - (last > 0 ? last : size) - rest))
        default: return nil
        }
    }

    /// The place after a page, `nil` if it is the last.
    func following(_ page: PageFacts, at place: Place) -> Place? {
        switch (self, place) {
        case (.number, .number(let number)):
            return page.count == 0 && page.more != true ? nil : .number(number + 1)
        case (.offset(_, let size, _, _), .offset(let offset)):
            // A source may return fewer than requested and have more; records filtered by `records` do not count.
            if page.count == 0, page.countsAll || page.more != true { return nil }
            let step = page.countsAll && page.count > 0 ? page.count : max(size - page.overlap, page.count)
            return .offset(offset + step)
        default: return page.following
        }
    }

    /// The number of the page at a place within the pass, counted from 1.
    ///
    /// - Parameter read: How many pages the pass has had.
    func number(of place: Place, read: Int) -> Int {
        switch (self, place) {
        case (.number(_, let from, _), .number(let number)): number - from + 1
        case (.offset(_, let size, _, _), .offset(let offset)): offset / max(1, size) + 1
        default: read
        }
    }

    /// Whether a page is the last one by a page count. Overlapping offsets reach the end of a page some records later.
    func isLast(_ page: PageFacts, at place: Place, of pages: Int, read: Int) -> Bool {
        guard number(of: place, read: read) >= pages else { return false }
        guard case .offset(_, let size, _, _) = self, case .offset(let offset) = place else { return true }
        return page.count + page.overlap < size || (offset + page.count) / max(1, size) >= pages
    }

    /// The parameters that request the page at a place.
    func parameters(for place: Place, size: Int?) -> [(String, JSONValue)] {
        func sized(_ name: String?) -> [(String, JSONValue)] {
            guard let name, let size else { return [] }
            return [(name, .integer(size))]
        }
        return switch (self, place) {
        case (.number(let param?, _, let sizeParam), .number(let number)):
            [(param, .integer(number))] + sized(sizeParam)
        case (.offset(let param?, _, let sizeParam, let from), .offset(let offset)):
            [(param, .integer(offset + from))] + sized(sizeParam)
        case (.number(nil, _, let sizeParam), .number), (.offset(nil, _, let sizeParam, _), .offset): sized(sizeParam)
        case (.cursor(_, let param?, let sizeParam), .token(let token)): [(param, token)] + sized(sizeParam)
        case (.cursor(_, nil, let sizeParam), .token), (.cursor(_, _, let sizeParam), .start): sized(sizeParam)
        default: []
        }
    }
}
