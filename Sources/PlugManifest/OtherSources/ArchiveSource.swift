package import Archives

extension Manifest {
    /// Whether all streams of these names are read from exports, so that nothing is requested for them.
    package func readsArchivesOnly(_ names: Set<String>) -> Bool {
        !names.isEmpty && names.allSatisfy { stream($0)?.archive != nil }
    }
}

/// Where a stream that is read from an export has its records.
package struct ArchiveSource: Sendable, Equatable {
    /// The config key that holds the file's path.
    package var file: String
    /// The entries to read.
    package var entries: [EntryPattern]

    /// Whether an entry of this name is read: not folders, nor what macOS adds when someone repacks an export.
    package func takes(_ name: String) -> Bool {
        // Besides `a.json`, macOS packs a file's attributes into `._a.json` (AppleDouble), in a zip under `__MACOSX/`.
        let file = name.split(separator: "/", omittingEmptySubsequences: false).last ?? ""
        guard !file.isEmpty, !file.hasPrefix("._"), !name.hasPrefix("__MACOSX/") else { return false }
        return entries.contains { $0.matches(name) }
    }
}
