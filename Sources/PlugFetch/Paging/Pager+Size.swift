import LosslessJSON
import PlugManifest

// Changes of the page size, because the source refuses larger pages or the manifest has changed since.
extension Pager {
    /// Requests smaller pages from the same place on: half as many records, but no fewer than the manifest allows. The caller has
    /// checked that there is such a size.
    ///
    /// A page number means another place with another size. So this takes the largest size, up to half, that evenly divides the
    /// records read; if there is none, or the pages before were not full, reading starts at the first page.
    mutating func shrink() {
        guard let paging, let size = paging.size else { return }
        let half = max(size / 2, paging.minimumSize, 1)
        guard case .number = place, let read = recordsBefore, read > 0 else { return resize(to: half, at: place) }
        let fitting = stride(from: half, through: max(1, paging.minimumSize), by: -1).first { read.isMultiple(of: $0) }
        guard let fitting else { return resize(to: half, at: nil) }
        resize(to: fitting, at: paging.kind.number(of: read / fitting))
    }

    /// Continues with the manifest's current page size. The page number is rounded down: its first records may have been read.
    ///
    /// - Returns: `false` if the corresponding place with that size is unknown.
    mutating func convert(to size: Int) -> Bool {
        guard case .number = place, !isAtStart else {
            resize(to: size, at: place)
            return true
        }
        guard let paging, let read = recordsBefore else { return false }
        resize(to: size, at: paging.kind.number(of: read / size))
        return true
    }

    /// How many records come before a numbered page; `nil` if the pages before were not all full, so that a service may return
    /// fewer than requested.
    private var recordsBefore: Int? {
        guard isEven, case .number(let number) = place, case .number(_, let from, _) = paging?.kind,
            let size = paging?.size, number >= from
        else { return nil }
        let (records, overflows) = (number - from).multipliedReportingOverflow(by: size)
        return overflows ? nil : records
    }
}

extension Paging.Kind {
    /// The place after this many pages, if they are numbered.
    fileprivate func number(of pages: Int) -> Place? {
        if case .number(_, let from, _) = self { .number(from + pages) } else { nil }
    }
}
