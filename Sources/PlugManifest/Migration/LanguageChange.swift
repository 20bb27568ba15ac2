/// What a new version of the manifest language says differently, as an edit of a file that an author has written.
package enum LanguageChange: Sendable, Equatable {
    /// A key has another name.
    ///
    /// - Parameters:
    ///   - path: The names that lead to it, `*` for any; lists on the way stand for each of their elements.
    ///   - name: The new name.
    case rename(path: [String], to: String)
    /// A word that a key takes has another name.
    case reword(path: [String], from: String, to: String)
    /// A key is gone, and what to write instead depends on what the author means.
    case remove(path: [String], advice: String)
}

/// The changes from one version of the manifest language to the next.
package struct LanguageVersion: Sendable {
    /// The version that they lead to, from the one before.
    package var number: Int
    /// The changes, in the order in which they are made.
    package var changes: [LanguageChange]

    /// The changes that lead to a version.
    package init(number: Int, changes: [LanguageChange]) {
        self.number = number
        self.changes = changes
    }

    /// All versions after the first. There is none yet: `api: 1` grows by new keys alone, so that every manifest stays valid.
    package static let all: [LanguageVersion] = []
}
