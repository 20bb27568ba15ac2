internal import Glibc
internal import PlugCore

/// Files that hold secrets.
enum PrivateFile {
    /// - Throws: `PlugError` `providers-open` (78) if the file's group or others can read or change it.
    static func check(_ path: String) throws(PlugError) {
        var status = stat()
        // Fills the structure, or returns -1 if the file has since gone: then no one can read it.
        guard stat(path, &status) == 0, status.st_mode & (S_IRGRP | S_IWGRP | S_IROTH | S_IWOTH) != 0 else { return }
        throw PlugError(
            .providersOpen,
            "\(DisplayText.escaped(path)) holds a secret, and others on this machine can read or change it",
            advice: "run: chmod 600 \(DisplayText.escaped(path))"
        )
    }
}
