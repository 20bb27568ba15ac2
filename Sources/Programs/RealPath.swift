internal import Glibc

/// Paths as the system resolves them: a `..` after a link leads elsewhere than its text suggests.
package enum RealPath {
    /// The path without links; `nil` if nothing is there.
    package static func of(_ path: String) -> String? {
        // realpath(3) allocates its result, which free(3) releases.
        guard let found = realpath(path, nil) else { return nil }
        defer { free(found) }
        return String(cString: found)
    }

    /// The path of a file that may itself be a link, without links on the way to it: some programs act by their own name.
    static func ofFile(_ path: String) -> String? {
        guard let slash = path.lastIndex(of: "/") else { return nil }
        let name = path[path.index(after: slash)...]
        guard !name.isEmpty, name != ".", name != "..",
            let folder = of(slash == path.startIndex ? "/" : String(path[..<slash]))
        else { return of(path) }
        return folder == "/" ? "/\(name)" : "\(folder)/\(name)"
    }

    /// The target of a symbolic link, as written; `nil` if the path is not one.
    static func linkTarget(_ path: String) -> String? {
        var buffer = [UInt8](repeating: 0, count: Int(PATH_MAX))
        // readlink(2) writes no final zero, and fails for anything but a link.
        let length = readlink(path, &buffer, buffer.count)
        return length > 0 ? String(decoding: buffer.prefix(length), as: UTF8.self) : nil
    }

    /// The target as an absolute path.
    static func linkEnd(_ path: String) -> String? {
        linkTarget(path).map { $0.hasPrefix("/") ? $0 : "\(parent(path))/\($0)" }
    }

    /// The folder that contains a file.
    package static func parent(_ path: String) -> String {
        "/" + path.split(separator: "/").dropLast().joined(separator: "/")
    }

    /// Whether a path is the folder itself or inside it.
    package static func isInside(_ path: String, _ folder: String) -> Bool {
        path == folder || path.hasPrefix(folder == "/" ? "/" : folder + "/")
    }
}
