internal import Glibc

/// Paths as the system understands them: a `..` behind a link leads elsewhere than it reads.
package enum RealPath {
    /// The path without links; `nil` where there is nothing.
    package static func of(_ path: String) -> String? {
        // realpath(3) allocates its answer, which free(3) gives back.
        guard let found = realpath(path, nil) else { return nil }
        defer { free(found) }
        return String(cString: found)
    }

    /// The path of a file that may be a link itself, without links on the way to it: by its name a program is told what it is.
    static func ofFile(_ path: String) -> String? {
        guard let slash = path.lastIndex(of: "/") else { return nil }
        let name = path[path.index(after: slash)...]
        guard !name.isEmpty, name != ".", name != "..",
            let folder = of(slash == path.startIndex ? "/" : String(path[..<slash]))
        else { return of(path) }
        return folder == "/" ? "/\(name)" : "\(folder)/\(name)"
    }

    /// Where a symbolic link leads, as it is written; `nil` where a path is none.
    static func linkTarget(_ path: String) -> String? {
        var buffer = [UInt8](repeating: 0, count: Int(PATH_MAX))
        // readlink(2) ends without a zero, and fails for what is no link.
        let length = readlink(path, &buffer, buffer.count)
        return length > 0 ? String(decoding: buffer.prefix(length), as: UTF8.self) : nil
    }

    /// The same from the top.
    static func linkEnd(_ path: String) -> String? {
        linkTarget(path).map { $0.hasPrefix("/") ? $0 : "\(parent(path))/\($0)" }
    }

    /// The folder that a file lies in.
    package static func parent(_ path: String) -> String {
        "/" + path.split(separator: "/").dropLast().joined(separator: "/")
    }

    /// Whether a path is a folder, or lies in it.
    package static func isInside(_ path: String, _ folder: String) -> Bool {
        path == folder || path.hasPrefix(folder == "/" ? "/" : folder + "/")
    }
}
