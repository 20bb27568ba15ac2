internal import Glibc
internal import PlugCore

/// What a program sees of the folders that it may read.
///
/// In a folder with something hidden in it, every other entry is mounted separately. Covering what is hidden would not do: a file
/// that is replaced, as tokens are, loses its cover (rename(2) detaches mounts of other namespaces), and the new one is readable.
struct VisibleFiles: Equatable {
    /// Files and folders that are mounted whole.
    private(set) var whole: [String] = []
    /// Folders that contain something hidden. Each exists, with its other entries.
    private(set) var opened: [String] = []
    /// Symbolic links in those folders.
    private(set) var links: [FolderLink] = []

    /// How many entries may be mounted separately.
    static let limit = 1_000

    /// - Parameters:
    ///   - roots: Files and folders that may be read.
    ///   - hidden: What must not be seen, as real paths. Paths outside the roots make no difference.
    /// - Throws: `program-sandbox` if there are too many entries beside what is hidden.
    init(_ roots: [String], hiding hidden: [String]) throws(PlugError) {
        for root in roots { try add(root, hidden) }
    }

    private mutating func add(_ path: String, _ hidden: [String]) throws(PlugError) {
        let inside = hidden.filter { RealPath.isInside($0, path) }
        if inside.isEmpty { return whole.append(path) }
        if inside.contains(path) { return }
        opened.append(path)
        // If it cannot be listed, the program cannot read it either.
        for name in (try? FolderNames.read(path, limit: Self.limit + 1)) ?? [] {
            let entry = "\(path)/\(name)"
            if let target = RealPath.linkTarget(entry) {
                links.append(FolderLink(path: entry, target: target))
            } else {
                try add(entry, inside)
            }
            guard whole.count + links.count > Self.limit else { continue }
            throw PlugError(
                .programSandbox,
                "the program was not started: \(DisplayText.escaped(path)) holds more than \(Self.limit) files beside "
                    + "\(DisplayText.escaped(inside[0])), which it must not see",
                advice: "move the secret file or the state into a folder of its own"
            )
        }
    }
}
