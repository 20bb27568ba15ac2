import LosslessJSON

/// Finds the name that was intended.
enum NearestName {
    /// The nearest of some names that differs in at most a third of its letters; of several, the first by the alphabet.
    static func to(_ name: String, among names: [String]) -> String? {
        let wanted = Array(name.utf8)
        var best: (String, Int)?
        for candidate in Set(names).sorted() where candidate != name {
            let letters = Array(candidate.utf8)
            guard abs(wanted.count - letters.count) <= 3 else { continue }
            let distance = EditDistance.between(wanted, letters)
            if distance <= max(1, min(wanted.count, letters.count) / 3), distance < best?.1 ?? .max {
                best = (candidate, distance)
            }
        }
        return best?.0
    }
}
