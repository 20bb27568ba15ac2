package import Foundation

/// An empty folder for files without a name, and a look at those that are open in it.
package struct ScratchSpace: Sendable {
    /// Where it is.
    package let path: String

    /// Makes the folder.
    package init() throws {
        let folder = FileManager.default.temporaryDirectory.resolvingSymlinksInPath()
        path = folder.path + "/plughost-scratch-" + UUID().uuidString
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    }

    /// Removes the folder.
    package func remove() { try? FileManager.default.removeItem(atPath: path) }

    /// The names in it.
    package var names: [String] { (try? FileManager.default.contentsOfDirectory(atPath: path)) ?? ["unreadable"] }

    /// The modes of the files without a name that this process has open there.
    package var openModes: [mode_t] {
        let descriptors = (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd")) ?? []
        return descriptors.compactMap { descriptor in
            let link = try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/fd/\(descriptor)")
            var status = stat()
            guard let link, link.hasPrefix(path + "/"), let number = Int32(descriptor), fstat(number, &status) == 0,
                status.st_nlink == 0
            else { return nil }
            return status.st_mode & 0o777
        }
    }

    /// Whether this process may mount a disk of its own, which then is full soon.
    package static let canBeSmall: Bool = {
        guard let space = try? ScratchSpace() else { return false }
        defer { space.remove() }
        guard space.becomeSmall(bytes: 65_536) else { return false }
        space.unmount()
        return true
    }()

    /// Mounts a disk of so many bytes on it; `false` if that is not allowed.
    package func becomeSmall(bytes: Int) -> Bool { mount("tmpfs", path, "tmpfs", 0, "size=\(bytes)") == 0 }

    /// Takes the disk away.
    package func unmount() { umount2(path, Int32(MNT_DETACH)) }
}
