import PlugManifest

// A search of which the source gives no more: what follows is another one.
extension Pass {
    /// Why a search cannot go on.
    enum SearchFault: Error, Equatable {
        /// All that it gave lies at one value, or it gave nothing.
        case full(at: SinceValue?)
        /// Its records did not come in their order.
        case unordered
        /// It is a continued one, and what it gave is not known.
        case unknown
    }

    /// Goes on with a new search, from its first page: from the last record's value where records come in their order, those of
    /// the same value once more; otherwise with the first half of the window.
    mutating func resetPage() throws(SearchFault) {
        guard let since else { return }
        if since.order == .none {
            guard let windows, let half = window.flatMap({ windows.halved($0) }) else { throw .full(at: window?.from) }
            let again = pager.rereading
            // The number of windows is bounded where they are complete.
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
            // A service may leave out its upper bound, and what is sent is cut to the steps that it shows.
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
