import PlugManifest

// A search that the source cuts short: the rest takes another search.
extension Pass {
    /// Why a search cannot continue.
    enum SearchFault: Error, Equatable {
        /// All its records share one value, or there were none.
        case full(at: SinceValue?)
        /// Its records did not come in order.
        case unordered
        /// It is a continued one, and its earlier records are not known.
        case unknown
    }

    /// Continues with a new search, from its first page: from the last record's value if records come in order, including those
    /// with the same value again; otherwise with the first half of the window.
    mutating func resetPage() throws(SearchFault) {
        guard let since else { return }
        if since.order == .none {
            guard let windows, let half = window.flatMap({ windows.halved($0) }) else { throw .full(at: window?.from) }
            let again = pager.rereading
            // The number of windows is bounded when they are completed.
            _ = begin(half)
            pager = again
            return
        }
        if isResuming, last == nil, !pager.isAtStart { throw .unknown }
        guard let last else { throw .full(at: nil) }
        guard since.order == .ascending ? isOrdered : isFalling else { throw .unordered }
        switch since.order {
        case .ascending:
            let before = resetBound ?? window?.from ?? lower
            if let before, !before.precedes(last) { throw .full(at: last) }
            resetBound = last
        case .descending, .none:
            // A service may exclude its upper bound, and sent values are truncated to the service's resolution.
            guard let bound = last.next(border), sentUpper.map({ bound.precedes($0) }) ?? true else {
                throw .full(at: last)
            }
            resetBound = bound
        }
        pager = pager.restarted
        (tail, self.last, isFalling, isResuming) = (nil, nil, true, false)
    }

    /// The smallest step that the service understands in an upper bound.
    private var border: Since.Step {
        guard let windows, let since else { return since?.step ?? .duration(.seconds(1)) }
        return windows.smallest(since.type)
    }
}
