/// Suggestions for a misspelt word.
public enum Spelling {
    /// The nearest of some words, if one is near: within a third of the length, where swapping two neighbours counts once.
    ///
    /// Case is ignored, and part of the word must remain. Of several equally near words, the first.
    public static func nearest(_ word: String, in known: some Sequence<String>) -> String? {
        let limit = max(1, (word.count + 1) / 3)
        var best: (name: String, distance: Int)?
        for name in known {
            let distance = distance(Array(word.lowercased()), Array(name.lowercased()), limit: limit)
            guard distance < max(word.count, name.count) else { continue }
            if distance <= limit, distance < best?.distance ?? .max { best = (name, distance) }
        }
        return best?.name
    }

    /// `did you mean 'x'?`, `nil` if no word is near.
    public static func question(_ word: String, in known: some Sequence<String>) -> String? {
        nearest(word, in: known).map { "did you mean '\($0)'?" }
    }

    private static func distance(_ left: [Character], _ right: [Character], limit: Int) -> Int {
        guard abs(left.count - right.count) <= limit else { return limit + 1 }
        var beforeLast: [Int] = []
        var last = Array(0...right.count)
        for (i, a) in left.enumerated() {
            var row = [i + 1]
            for (j, b) in right.enumerated() {
                var cost = min(last[j + 1] + 1, row[j] + 1, last[j] + (a == b ? 0 : 1))
                if i > 0, j > 0, a == right[j - 1], left[i - 1] == b { cost = min(cost, beforeLast[j - 1] + 1) }
                row.append(cost)
            }
            (beforeLast, last) = (last, row)
        }
        return last[right.count]
    }
}
