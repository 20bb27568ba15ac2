/// What is written differently in a new version of the manifest language, as an edit of an author's file.
package enum LanguageChange: Sendable, Equatable {
    /// A key has another name.
    ///
    /// - Parameters:
    ///   - path: The names that lead to it, `*` for any; lists on the way are traversed element by element.
    ///   - name: The new name.
    case rename(path: [String], to: String)
    /// A word that a key takes has another name.
    case reword(path: [String], from: String, to: String)
    /// A key was removed, and what to write instead depends on the author's intention.
    case remove(path: [String], advice: String)
}

/// The changes from one version of the manifest language to the next.
package struct LanguageVersion: Sendable {
    /// The version that they lead to, from the previous one.
    package var number: Int
    /// The changes, in the order in which they are applied.
    package var changes: [LanguageChange]

    /// Creates a version with its changes.
    package init(number: Int, changes: [LanguageChange]) {
        self.number = number
        self.changes = changes
    }

    /// All versions after the first. None yet: `api: 1` only grows by new keys, so that every manifest stays valid.
    package static let all: [LanguageVersion] = []
}
