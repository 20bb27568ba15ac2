import LosslessJSON
import PlugManifest

// Pages of another size than the ones before, because the source refuses larger ones or the manifest has changed since.
extension Pager {
    /// Asks for the same place with smaller pages from here on: half as many records, but at least as many as the manifest
    /// allows. What asks for the page has seen that there is such a size.
    ///
    /// The number of a page is another place with another size. So the largest size is taken, up to half, of which a whole
    /// number of pages was read; where there is none, or the pages before were not full, reading begins at the first page.
    mutating func shrink() {
        guard let paging, let size = paging.size else { return }
        let half = max(size / 2, paging.minimumSize, 1)
        guard case .number = place, let read = recordsBefore, read > 0 else { return resize(to: half, at: place) }
        let fitting = stride(from: half, through: max(1, paging.minimumSize), by: -1).first { read.isMultiple(of: $0) }
        guard let fitting else { return resize(to: half, at: nil) }
        resize(to: fitting, at: paging.kind.number(of: read / fitting))
    }

    /// Goes on with pages of the size that the manifest has by now. The number of the page is rounded down: its first records
    /// may have been read.
    ///
    /// - Returns: `false` if nobody knows where the place lies with pages of that size.
    mutating func convert(to size: Int) -> Bool {
        guard case .number = place, !isAtStart else {
            resize(to: size, at: place)
            return true
        }
        guard let paging, let read = recordsBefore else { return false }
        resize(to: size, at: paging.kind.number(of: read / size))
        return true
    }

    /// How many records there are before a page with a number; `nil` if the pages before were not all full, so that a service
    /// may give fewer than were asked for.
    private var recordsBefore: Int? {
        guard isEven, case .number(let number) = place, case .number(_, let from, _) = paging?.kind,
            let size = paging?.size, number >= from
        else { return nil }
        let (records, overflows) = (number - from).multipliedReportingOverflow(by: size)
        return overflows ? nil : records
    }
}

extension Paging.Kind {
    /// The place behind so many pages, of those that have numbers.
    fileprivate func number(of pages: Int) -> Place? {
        if case .number(_, let from, _) = self { .number(from + pages) } else { nil }
    }
}
