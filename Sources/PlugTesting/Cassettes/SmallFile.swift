import Glibc
package import PlugCore

/// Files in a plug's folder, read and written whole.
package enum SmallFile {
    /// The maximum size of a fixture.
    static let byteLimit = 32 << 20

    /// The bytes of a file.
    ///
    /// - Throws: `PlugError` `fixture-unreadable`, exit 78.
    package static func read(_ path: String) throws(PlugError) -> [UInt8] {
        guard let bytes = try readIfPresent(path) else {
            throw PlugError(
                .fixtureUnreadable,
                "there is no \(path)",
                advice: "name a fixture"
            )
        }
        return bytes
    }

    /// The bytes of a file, `nil` if there is none.
    static func readIfPresent(_ path: String) throws(PlugError) -> [UInt8]? {
        do throws(FileError) {
            return try WholeFile.read(path, limit: byteLimit, .regular)
        } catch .system(ENOENT), .system(ENOTDIR) {
            return nil
        } catch {
            throw unreadable(path, error == .tooLarge ? "it is larger than 32 MiB" : error.reason)
        }
    }

    /// Replaces a file's content in one step: no reader ever sees half of it.
    static func write(_ bytes: [UInt8], to path: String) throws(PlugError) {
        do { try WholeFile.replace(path, with: bytes, mode: 0o644) } catch {
            throw unwritable(path, error.reason)
        }
    }

    /// The names in a folder, sorted by their bytes; `nil` if the folder does not exist.
    package static func names(in folder: String) throws(PlugError) -> [String]? {
        do throws(FileError) { return try FolderNames.read(folder) } catch {
            if error == .system(ENOENT) || error == .system(ENOTDIR) { return nil }
            throw unreadable(folder, error.reason)
        }
    }

    private static func unreadable(_ path: String, _ reason: String) -> PlugError {
        PlugError(.fixtureUnreadable, "cannot read \(path): \(reason)", advice: advice)
    }

    private static func unwritable(_ path: String, _ reason: String) -> PlugError {
        PlugError(.goldenUnwritable, exit: .configuration, "cannot write \(path): \(reason)", advice: advice)
    }

    private static let advice = "check its permissions"
}
