/// The watermarks that a walk has given last, so that it never gives an earlier one.
///
/// A parent may come twice in a pass: windows of parents share their borders, and what changes moves to a later page. What is
/// fetched ahead for the second time begins where the state was before the first one.
struct RecentWatermarks: Sendable {
    /// More than are given before the states of earlier ones are committed.
    private static let limit = 1000

    private var last: [String: SinceValue] = [:]
    private var before: [String: SinceValue] = [:]

    /// Notes a part's watermark.
    ///
    /// - Returns: Whether it is no earlier than the one that was given before.
    mutating func note(_ watermark: SinceValue, of part: String) -> Bool {
        if let earlier = last[part] ?? before[part], watermark.precedes(earlier) { return false }
        if last.count >= Self.limit { (before, last) = (last, [:]) }
        last[part] = watermark
        return true
    }
}
