/// Which known word somebody meant.
enum Spelling {
    /// The nearest of some words by edit distance, `nil` where none is near: one edit in three letters, at most three.
    static func nearest(_ word: String, in candidates: [String]) -> String? {
        let limit = min(3, max(1, word.count / 3))
        var best: (distance: Int, word: String)?
        for candidate in candidates {
            let distance = distance(Array(word.utf8), Array(candidate.utf8))
            if distance <= limit, distance < best?.distance ?? .max { best = (distance, candidate) }
        }
        return best?.word
    }

    /// How many insertions, deletions, replacements and swaps of neighbours lead from one to the other.
    private static func distance(_ left: [UInt8], _ right: [UInt8]) -> Int {
        var before: [Int] = []
        var row = Array(0...right.count)
        for (at, letter) in left.enumerated() {
            var next = [at + 1]
            for (other, rightLetter) in right.enumerated() {
                var best = min(row[other] + (letter == rightLetter ? 0 : 1), row[other + 1] + 1, next[other] + 1)
                if at > 0, other > 0, letter == right[other - 1], left[at - 1] == rightLetter {
                    best = min(best, before[other - 1] + 1)
                }
                next.append(best)
            }
            (before, row) = (row, next)
        }
        return row[right.count]
    }
}
