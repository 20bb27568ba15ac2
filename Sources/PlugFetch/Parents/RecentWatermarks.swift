/// The watermarks that a walk has delivered most recently, so that it never delivers an earlier one.
///
/// A parent may come twice in a pass: windows of parents share their borders, and changes move a record to a later page. A
/// prefetch for the second occurrence starts from the state before the first.
struct RecentWatermarks: Sendable {
    /// More than are delivered before the states of earlier ones are committed.
    private static let limit = 1000

    private var last: [String: SinceValue] = [:]
    private var before: [String: SinceValue] = [:]

    /// Notes a part's watermark.
    ///
    /// - Returns: Whether it is no earlier than the one delivered before.
    mutating func note(_ watermark: SinceValue, of part: String) -> Bool {
        if let earlier = last[part] ?? before[part], watermark.precedes(earlier) { return false }
        if last.count >= Self.limit { (before, last) = (last, [:]) }
        last[part] = watermark
        return true
    }
}
