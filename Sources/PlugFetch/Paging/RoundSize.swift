import PlugManifest

/// Page sizes that a service may impose whatever was requested: those are round numbers.
///
/// A page of 37 of 100 records is the last one. One of 50 may be, or the service returns no larger ones: the page itself does not
/// tell.
enum RoundSize {
    static func contains(_ count: Int) -> Bool {
        count >= 10 && (count.isMultiple(of: 10) || count.isMultiple(of: 25))
    }

    /// Whether many services give pages of this size if nobody asks for another.
    static func isUsual(_ count: Int) -> Bool { [20, 25, 30, 50, 100, 200, 250, 500, 1000].contains(count) }
}

extension Paging {
    /// Whether a page with this many records may be full.
    func mayBeFull(_ count: Int) -> Bool { size.map { count >= $0 } ?? RoundSize.contains(count) }
}
