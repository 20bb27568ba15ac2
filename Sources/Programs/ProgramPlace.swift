internal import Glibc
internal import PlugCore

/// Where a program is, and the folders that it needs to start: its own, its interpreter's, and those of a Python environment in
/// which it is installed.
struct ProgramPlace: Equatable {
    /// The path by which it is started.
    var path: String
    /// The files that it sees, including the system's.
    var files: VisibleFiles
    /// Other names of these folders, if the system has links on the way to them.
    var links: [FolderLink] = []

    /// The system's programs and libraries, which every program may read.
    static let system = ["/usr", "/bin", "/sbin", "/lib", "/lib32", "/lib64", "/libx32"]

    /// Finds a program.
    ///
    /// - Parameters:
    ///   - command: A name to look up, or a path.
    ///   - folder: The base of relative paths.
    ///   - searched: The folders in which names are looked up.
    ///   - hidden: What must not become readable, wherever it is.
    ///   - guarded: Folders of which nothing may be readable.
    ///   - allowed: Folders that the operator lets every program read.
    /// - Throws: `program-not-found`; `program-sandbox` if the program needs a guarded folder, or there are too many entries
    ///   beside something hidden.
    init(
        _ command: String,
        in folder: String?,
        searching searched: [String],
        hiding hidden: [String],
        guarding guarded: [String] = [],
        allowing allowed: [String] = []
    ) throws(PlugError) {
        let path = try Self.path(of: command, in: folder, searching: searched)
        var collected = ReadableFolders(own: folder, searching: searched, hiding: hidden)
        for folder in allowed { collected.add(allowed: folder) }
        collected.add(program: path, saidBy: command.contains("/") ? .manifest : .operator)
        if let folder = collected.cover(guarded) {
            throw PlugError(
                .programSandbox,
                "the program '\(DisplayText.escaped(command))' was not started: it could read the tokens of other people in "
                    + DisplayText.escaped(folder),
                advice: "keep the token files of --connections in a folder of their own"
            )
        }
        self.path = RealPath.ofFile(path) ?? path
        files = try collected.visible
        links = collected.links
    }

    /// The path of a program.
    ///
    /// - Throws: `program-not-found`.
    static func path(
        of command: String,
        in folder: String?,
        searching searched: [String]
    ) throws(PlugError) -> String {
        let candidates: [String]
        if command.hasPrefix("/") {
            candidates = [command]
        } else if command.contains("/") {
            guard let folder else { throw notFound(command, "relative paths begin at the manifest's folder") }
            candidates = [absolute("\(folder)/\(command)")]
        } else {
            candidates = searched.filter { $0.hasPrefix("/") }.map { tidy("\($0)/\(command)") }
        }
        if let path = candidates.first(where: isProgram) { return path }
        throw notFound(
            command,
            command.contains("/")
                ? "it must be a file that may be executed"
                : "install it in a folder of PATH, or write its path: command: [/opt/taps/\(command)/bin/\(command)]"
        )
    }

    private static func notFound(_ command: String, _ advice: String) -> PlugError {
        PlugError(.programNotFound, "there is no program '\(DisplayText.escaped(command))'", advice: advice)
    }

    static func isProgram(_ path: String) -> Bool {
        var status = stat()
        return stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFREG && access(path, X_OK) == 0
    }

    /// An absolute path; a relative one is resolved in this process's working directory.
    static func absolute(_ path: String) -> String {
        if path.hasPrefix("/") { return tidy(path) }
        // getcwd(3) allocates its result, which free(3) releases; it returns none if the folder is gone.
        guard let folder = getcwd(nil, 0) else { return tidy(path) }
        defer { free(folder) }
        return tidy("\(String(cString: folder))/\(path)")
    }

    /// A path without `.`, `..` and doubled slashes, judged by its text alone.
    static func tidy(_ path: String) -> String {
        var steps: [Substring] = []
        for step in path.split(separator: "/") where step != "." {
            if step == ".." { _ = steps.popLast() } else { steps.append(step) }
        }
        return "/" + steps.joined(separator: "/")
    }
}
