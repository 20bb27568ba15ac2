internal import Glibc
internal import PlugCore

/// The paths of `plugs`, and the manifests in folders.
package enum PlugPaths {
    /// The number of names in a folder that are looked at.
    private static let limit = 10_000

    /// The manifests that a path leads to: itself if it is a file, the `plug.yaml` of a folder that has one, or else those of
    /// the folders in it, by name.
    ///
    /// - Returns: Nothing if there are none; a faulty manifest is reported when it is read.
    package static func manifests(at path: String) -> [String] {
        guard Files.isFolder(path) else { return mayExist(path) ? [path] : [] }
        let own = join(path, "plug.yaml")
        if mayExist(own) { return [own] }
        return names(in: path).map { join(path, "\($0)/plug.yaml") }.filter(mayExist)
    }

    /// Whether the path exists or cannot be checked: reading it then reports that it is not readable. A plug must not be left out
    /// because its folder is closed to this user.
    private static func mayExist(_ path: String) -> Bool { Files.exists(path) || errno == EACCES }

    /// The path of an entry in a folder.
    package static func join(_ folder: String, _ name: String) -> String {
        folder.hasSuffix("/") ? folder + name : "\(folder)/\(name)"
    }

    /// The entries of a folder except hidden ones; none if it cannot be read.
    package static func names(in folder: String) -> [String] {
        let names = (try? FolderNames.read(folder, limit: limit)) ?? []
        return names.filter { !$0.hasPrefix(".") }
    }
}
