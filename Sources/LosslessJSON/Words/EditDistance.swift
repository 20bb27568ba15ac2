/// How far two words are apart, for suggestions. It is here because both JQ and PlugCore make some, and neither sees the other.
package enum EditDistance {
    /// The number of letters that are missing, added or replaced.
    ///
    /// - Parameter swapsCountOnce: Whether two neighbours that changed places count once instead of twice.
    package static func between<Letter: Equatable>(
        _ left: [Letter],
        _ right: [Letter],
        swapsCountOnce: Bool = false
    ) -> Int {
        var beforeLast: [Int] = []
        var last = Array(0...right.count)
        for (i, a) in left.enumerated() {
            var row = [i + 1]
            row.reserveCapacity(right.count + 1)
            for (j, b) in right.enumerated() {
                var cost = min(last[j + 1] + 1, row[j] + 1, last[j] + (a == b ? 0 : 1))
                if swapsCountOnce, i > 0, j > 0, a == right[j - 1], left[i - 1] == b {
                    cost = min(cost, beforeLast[j - 1] + 1)
                }
                row.append(cost)
            }
            (beforeLast, last) = (last, row)
        }
        return last[right.count]
    }
}
