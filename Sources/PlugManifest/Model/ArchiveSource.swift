package import Archives

extension Manifest {
    /// Whether all streams of these names are read from exports, so that nothing is requested for them.
    package func readsArchivesOnly(_ names: Set<String>) -> Bool {
        !names.isEmpty && names.allSatisfy { stream($0)?.archive != nil }
    }
}

/// Where the records of a stream stand that is read from an export.
package struct ArchiveSource: Sendable, Equatable {
    /// The config key that holds the file's path.
    package var file: String
    /// The entries to read.
    package var entries: [EntryPattern]

    /// Whether an entry is read, by its name: not a folder, nor what macOS adds where somebody packs an export anew.
    package func takes(_ name: String) -> Bool {
        // Beside `a.json`, macOS packs a file's attributes into `._a.json` (AppleDouble), in a zip under `__MACOSX/`.
        let file = name.split(separator: "/", omittingEmptySubsequences: false).last ?? ""
        guard !file.isEmpty, !file.hasPrefix("._"), !name.hasPrefix("__MACOSX/") else { return false }
        return entries.contains { $0.matches(name) }
    }
}
