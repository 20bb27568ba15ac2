import Archives
import Glibc
import PlugCore

/// The archives of a fixture, as readable files. A folder of plain files, which people can inspect, is made into an archive; it
/// is removed with this object.
final class FixtureArchives: Sendable {
    /// The path of each config key's archive.
    let paths: [String: String]
    /// What was made for it, and is removed with it.
    private let made: [String]
    private let folder: String?

    /// How many files an archive may be made from, and how deeply their folders may be nested.
    private static let fileLimit = 10_000
    private static let depthLimit = 32

    /// - Parameters:
    ///   - names: Paths below the folder of the fixture, by config keys.
    ///   - fixture: The fixture's path.
    init(_ names: [(key: String, path: String)], of fixture: String) throws(PlugError) {
        let parts = fixture.split(separator: "/", omittingEmptySubsequences: false)
        let beside = parts.count > 1 ? parts.dropLast().joined(separator: "/") + "/" : ""
        var (paths, made): ([String: String], [String]) = ([:], [])
        var folder: String?
        defer {
            if paths.count < names.count { Self.remove(made, folder) }
        }
        for (key, name) in names {
            let path = beside + name
            var status = stat()
            // lstat(2): a link could lead to any folder of whoever tests a stranger's plug.
            if lstat(path, &status) == 0, status.st_mode & S_IFMT == S_IFLNK {
                throw Self.unreadable(path, "it is a link")
            }
            guard try SmallFile.names(in: path) != nil else {
                paths[key] = path
                continue
            }
            let target: String
            if let folder { target = folder } else { target = try Self.makeFolder() }
            folder = target
            let form: ArchiveWriter.Form = name.hasSuffix(".tgz") || name.hasSuffix(".tar.gz") ? .tarGzip : .zip
            let archive = "\(target)/\(made.count).\(form == .zip ? "zip" : "tgz")"
            var files: [ArchiveWriter.File] = []
            try Self.collect(path, "", 0, &files)
            made.append(archive)
            do throws(ArchiveFault) { try ArchiveWriter.write(files, to: archive, as: form) } catch {
                throw Self.unreadable(path, error.reason)
            }
            paths[key] = archive
        }
        (self.paths, self.made, self.folder) = (paths, made, folder)
    }

    deinit { Self.remove(made, folder) }

    private static func remove(_ made: [String], _ folder: String?) {
        // unlink(2) and rmdir(2): what no longer exists need not be removed.
        for path in made { unlink(path) }
        if let folder { rmdir(folder) }
    }

    private static func makeFolder() throws(PlugError) -> String {
        var template = Array("\(ScratchFile.defaultFolder)/plughost-fixture-XXXXXX".utf8CString)
        // mkdtemp(3) writes the name that it made (0700) into the template, and returns NULL on failure.
        guard mkdtemp(&template) != nil else {
            throw unreadable(ScratchFile.defaultFolder, String(cString: strerror(errno)))
        }
        return String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }

    /// All files below a folder, by their names relative to it, in a stable order.
    private static func collect(
        _ folder: String,
        _ prefix: String,
        _ depth: Int,
        _ files: inout [ArchiveWriter.File]
    ) throws(PlugError) {
        for name in try SmallFile.names(in: folder) ?? [] {
            let path = "\(folder)/\(name)"
            var status = stat()
            // lstat(2): links are not followed, and are not files of an archive.
            guard lstat(path, &status) == 0 else { throw unreadable(path, String(cString: strerror(errno))) }
            switch status.st_mode & S_IFMT {
            case S_IFDIR where depth < depthLimit: try collect(path, "\(prefix)\(name)/", depth + 1, &files)
            case S_IFREG: files.append(ArchiveWriter.File(prefix + name, try SmallFile.read(path)))
            default: throw unreadable(path, "it is not a file")
            }
            if files.count > fileLimit { throw unreadable(folder, "it has more than \(fileLimit) files") }
        }
    }

    private static func unreadable(_ path: String, _ reason: String) -> PlugError {
        PlugError(
            .fixtureUnreadable,
            "cannot make an archive of \(path): \(reason)",
            advice: "put the archive's files into a folder beside the fixture, or name a real archive"
        )
    }
}
