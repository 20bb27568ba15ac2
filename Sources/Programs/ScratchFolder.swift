internal import CProgram
internal import Glibc
internal import PlugCore

/// A folder for one program that runs without a sandbox: in memory if the system has such a place, accessible only to its owner.
enum ScratchFolder {
    private static let prefix = "plughost-program-"

    /// - Throws: `program-not-started`.
    static func make() throws(PlugError) -> String {
        let own = getenv("XDG_RUNTIME_DIR").map { String(cString: $0) }
        for folder in [own, "/dev/shm", "/tmp"].compactMap(\.self) where folder.hasPrefix("/") {
            var template = Array("\(folder)/\(prefix)XXXXXX".utf8CString)
            // mkdtemp(3) creates it with mode 0700, and writes its name into the template.
            if mkdtemp(&template) != nil {
                return String(decoding: template.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
            }
        }
        throw RunningProgram.notStarted("no folder for it", errno)
    }

    /// Removes it with everything that the program has left in it.
    static func remove(_ folder: String) {
        if folder.contains("/\(prefix)") { plughost_remove_tree(folder) }
    }
}
