internal import Glibc
package import PlugCore

/// Where this machine has programs.
package enum ProgramLookup {
    /// The folders in which names are looked up: those of `PATH`.
    static var folders: [String] {
        let path = getenv("PATH").map { String(cString: $0) } ?? "/usr/local/bin:/usr/bin:/bin"
        return path.split(separator: ":").map(String.init)
    }

    /// Checks that a program is here, without starting it.
    ///
    /// - Parameters:
    ///   - command: A name to look up, or a path.
    ///   - folder: The base of relative paths.
    /// - Throws: `PlugError` `program-not-found`.
    package static func check(_ command: String, in folder: String?) throws(PlugError) {
        _ = try ProgramPlace.path(of: command, in: folder, searching: folders)
    }
}
