internal import Glibc
internal import PlugCore

/// Where a program is, and the folders without which it would not start: its own, its interpreter's, and those of a Python
/// environment that it is installed in.
struct ProgramPlace: Equatable {
    /// The path by which it is started.
    var path: String
    /// Folders and files that it has to read, beside the system's.
    var readable: [String] = []

    /// Where the system's programs and libraries are, which every program may read.
    static let system = ["/usr", "/bin", "/sbin", "/lib", "/lib32", "/lib64", "/libx32"]

    /// Finds a program.
    ///
    /// - Parameters:
    ///   - command: A name, which is searched for, or a path.
    ///   - folder: Where relative paths begin.
    ///   - searched: The folders in which names are looked for.
    ///   - hidden: What must not become readable: no folder that holds any of it is given whole.
    /// - Throws: `program-not-found`.
    init(
        _ command: String,
        in folder: String?,
        searching searched: [String],
        hiding hidden: [String]
    ) throws(PlugError) {
        let candidates: [String]
        if command.hasPrefix("/") {
            candidates = [command]
        } else if command.contains("/") {
            guard let folder else { throw Self.notFound(command, "relative paths begin at the manifest's folder") }
            candidates = [Self.absolute("\(folder)/\(command)")]
        } else {
            candidates = searched.filter { $0.hasPrefix("/") }.map { Self.tidy("\($0)/\(command)") }
        }
        guard let path = candidates.first(where: Self.isProgram) else {
            throw Self.notFound(
                command,
                command.contains("/")
                    ? "it must be a file that may be executed"
                    : "install it in a folder of PATH, or write its path: command: [/opt/taps/\(command)/bin/\(command)]"
            )
        }
        self.path = path
        var collected = ReadableFolders(hiding: hidden)
        collected.add(program: path, searching: searched)
        readable = collected.paths
    }

    private static func notFound(_ command: String, _ advice: String) -> PlugError {
        PlugError(.programNotFound, "there is no program '\(DisplayText.escaped(command))'", advice: advice)
    }

    private static func isProgram(_ path: String) -> Bool {
        var status = stat()
        return stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFREG && access(path, X_OK) == 0
    }

    /// A path from the top, where one that is relative begins in this process's working directory.
    static func absolute(_ path: String) -> String {
        if path.hasPrefix("/") { return tidy(path) }
        // getcwd(3) allocates its answer, which free(3) gives back; none where the folder is gone.
        guard let folder = getcwd(nil, 0) else { return tidy(path) }
        defer { free(folder) }
        return tidy("\(String(cString: folder))/\(path)")
    }

    /// A path without `.`, `..` and doubled slashes, as it is written.
    static func tidy(_ path: String) -> String {
        var steps: [Substring] = []
        for step in path.split(separator: "/") where step != "." {
            if step == ".." { _ = steps.popLast() } else { steps.append(step) }
        }
        return "/" + steps.joined(separator: "/")
    }
}

/// Collects what a program has to read.
private struct ReadableFolders {
    private let hidden: [String]
    private(set) var paths: [String] = []
    /// Interpreters of interpreters, links of links.
    private static let depth = 16

    init(hiding hidden: [String]) {
        self.hidden = hidden.map { ProgramPlace.absolute($0) } + [Self.home].compactMap(\.self)
    }

    private static let home = getenv("HOME").map { ProgramPlace.tidy(String(cString: $0)) }

    mutating func add(program: String, searching searched: [String], depth: Int = Self.depth) {
        guard depth > 0 else { return }
        add(own: program)
        // A link has to be there on each way to its end.
        if let target = Self.linkTarget(program) { add(program: target, searching: searched, depth: depth - 1) }
        guard let interpreter = Self.interpreter(of: program, searched) else { return }
        add(program: interpreter, searching: searched, depth: depth - 1)
    }

    /// The folder that a program was installed in: that of its `bin`, or the one it lies in.
    private mutating func add(own program: String) {
        let folder = Self.parent(program)
        let isInBin = folder.hasSuffix("/bin")
        let prefix = isInBin ? Self.parent(folder) : folder
        if prefix.hasSuffix("/.local") {
            // Home of more than programs.
            add(program)
            add("\(prefix)/lib")
        } else if isTooWide(prefix) {
            add(program)
        } else {
            add(prefix)
            addBase(ofPythonEnvironment: prefix)
        }
    }

    /// A virtual environment is made of another Python, which its configuration names.
    private mutating func addBase(ofPythonEnvironment prefix: String) {
        guard let bytes = try? WholeFile.read("\(prefix)/pyvenv.cfg", limit: 64 << 10) else { return }
        for line in String(decoding: bytes, as: UTF8.self).split(separator: "\n") {
            let parts = line.split(separator: "=", maxSplits: 1)
            guard parts.count == 2, parts[0].filter({ $0 != " " }) == "home" else { continue }
            let home = ProgramPlace.tidy(String(parts[1].drop { $0 == " " }))
            let base = home.hasSuffix("/bin") ? Self.parent(home) : home
            if !isTooWide(base) { add(base) }
        }
    }

    private mutating func add(_ path: String) {
        let isCovered = (ProgramPlace.system + paths).contains { path == $0 || path.hasPrefix($0 + "/") }
        if !isCovered { paths.append(path) }
    }

    /// Whether a folder is one in which much lies that is no program's: a home, a folder at the top, or one that holds what is
    /// hidden.
    private func isTooWide(_ folder: String) -> Bool {
        folder.split(separator: "/").count < 2
            || folder.hasPrefix("/home/") && folder.split(separator: "/").count < 3
            || hidden.contains { $0 == folder || $0.hasPrefix(folder + "/") }
    }

    static func parent(_ path: String) -> String {
        let steps = path.split(separator: "/").dropLast()
        return "/" + steps.joined(separator: "/")
    }

    /// Where a symbolic link leads; `nil` where a path is none.
    private static func linkTarget(_ path: String) -> String? {
        var buffer = [UInt8](repeating: 0, count: Int(PATH_MAX))
        // readlink(2) ends without a zero, and fails for what is no link.
        let length = readlink(path, &buffer, buffer.count)
        guard length > 0 else { return nil }
        let target = String(decoding: buffer.prefix(length), as: UTF8.self)
        return ProgramPlace.tidy(target.hasPrefix("/") ? target : "\(parent(path))/\(target)")
    }

    /// What runs a script, by its first line.
    private static func interpreter(of program: String, _ searched: [String]) -> String? {
        guard let file = FileDescriptor(program, O_RDONLY), let start = file.read(limit: 512),
            start.starts(with: "#!".utf8)
        else { return nil }
        let line = String(decoding: start.dropFirst(2).prefix { $0 != 0x0A }, as: UTF8.self)
        let words = line.split { $0 == " " || $0 == "\t" || $0 == "\r" }.map(String.init)
        guard let first = words.first, first.hasPrefix("/") else { return nil }
        if first.hasSuffix("/env"), let name = words.dropFirst().first(where: { !$0.hasPrefix("-") }) {
            return searched.map { ProgramPlace.tidy("\($0)/\(name)") }.first { access($0, X_OK) == 0 }
        }
        return ProgramPlace.tidy(first)
    }
}
