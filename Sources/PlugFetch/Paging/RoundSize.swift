import PlugManifest

/// Sizes that a service may give its pages of its own, whatever was asked for: those are round.
///
/// A page of 37 of 100 records is the last one. One of 50 may be, or the service makes no larger ones: the page itself does
/// not tell.
enum RoundSize {
    static func contains(_ count: Int) -> Bool {
        count >= 10 && (count.isMultiple(of: 10) || count.isMultiple(of: 25))
    }
}

extension Paging {
    /// Whether a page of so many records may be as full as pages are.
    func mayBeFull(_ count: Int) -> Bool { size.map { count >= $0 } ?? RoundSize.contains(count) }
}
