internal import LosslessJSON

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
        return EditDistance.between(left, right, swapsCountOnce: true)
    }
}
