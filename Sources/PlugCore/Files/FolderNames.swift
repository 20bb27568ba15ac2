internal import Glibc

/// The names in a folder.
package enum FolderNames {
    /// The names in the order of their bytes, without `.` and `..`.
    ///
    /// - Parameter limit: The maximum number of names read.
    /// - Throws: `FileError.system` if there is no such folder, or it cannot be read.
    package static func read(_ folder: String, limit: Int = .max) throws(FileError) -> [String] {
        // opendir(3): the stream is ours, and closedir(3) frees it. One thread uses it.
        guard let stream = opendir(folder) else { throw .system(errno) }
        defer { closedir(stream) }
        var names: [String] = []
        // readdir(3): the entry belongs to the stream and lives until the next call.
        while names.count < limit, let entry = readdir(stream) {
            let name = withUnsafeBytes(of: &entry.pointee.d_name) { bytes in
                String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
            }
            if name != ".", name != ".." { names.append(name) }
        }
        return names.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
    }
}
