internal import Glibc
internal import PlugCore

/// A link to a readable folder.
struct FolderLink: Equatable {
    var path: String
    var target: String
}

/// Collects what a program has to read: itself, its installation, its interpreter.
///
/// A manifest may come from anyone, with everything in its folder: links, the first lines of scripts, `pyvenv.cfg`. What those
/// name outside it is readable only if it is a program, or an installation of programs. PATH is trusted: it is the operator's.
struct ReadableFolders {
    /// The origin of a program's location.
    enum Source { case `operator`, manifest }

    /// The manifest's folder; `nil` if there is none.
    private let own: String?
    private let searched: [String]
    private var hidden: [String]
    private(set) var paths: [String] = []
    private(set) var links: [FolderLink] = []
    /// Programs and folders already examined: links, interpreters and environments may form cycles.
    private var visited: Set<String> = []
    /// How many programs are examined.
    private static let most = 64
    /// The parts of an installation, as opposed to its users' data.
    private static let installed = ["bin", "lib", "lib64", "libexec", "pyvenv.cfg"]

    init(own: String?, searching searched: [String], hiding hidden: [String]) {
        self.own = own.flatMap { RealPath.of(ProgramPlace.absolute($0)) }
        self.searched = searched
        // Paths that do not exist yet may appear before the program ends.
        let real = Set(
            hidden.map(ProgramPlace.absolute).compactMap { RealPath.of($0) ?? RealPath.ofFile($0) }
        )
        let own = self.own
        // Inside a hidden folder nothing needs to be covered separately.
        self.hidden = Self.outermost(real).flatMap { Self.parts(of: $0, around: own) }
    }

    private static func outermost(_ paths: Set<String>) -> [String] {
        paths.sorted().reduce(into: []) { kept, path in
            if !kept.contains(where: { RealPath.isInside(path, $0) }) { kept.append(path) }
        }
    }

    /// The hidden parts of a hidden folder that contains the manifest's folder: all but the path there.
    private static func parts(of hidden: String, around own: String?) -> [String] {
        guard let own, own != hidden, RealPath.isInside(own, hidden), let names = try? FolderNames.read(hidden) else {
            return [hidden]
        }
        return names.flatMap { name in
            let path = hidden == "/" ? "/\(name)" : "\(hidden)/\(name)"
            return path == own ? [] : parts(of: path, around: own)
        }
    }

    private static let home = getenv("HOME").flatMap { RealPath.of(String(cString: $0)) }

    /// What the program sees in the end.
    var visible: VisibleFiles {
        get throws(PlugError) { try VisibleFiles(ProgramPlace.system + paths, hiding: hidden) }
    }

    /// Adds a folder that the operator lets every program read.
    mutating func add(allowed folder: String) {
        guard let real = RealPath.of(folder) else { return }
        addLink(from: ProgramPlace.tidy(folder), to: real)
        paths.append(real)
    }

    /// A readable folder that must not be, and that cannot be covered, because the program needs it.
    ///
    /// - Parameter guarded: The folders that must not be readable. Those that can be covered are.
    mutating func cover(_ guarded: [String]) -> String? {
        for folder in guarded.compactMap({ RealPath.of($0) }) {
            guard (ProgramPlace.system + paths).contains(where: { RealPath.isInside(folder, $0) }) else { continue }
            if paths.contains(where: { RealPath.isInside($0, folder) }) { return folder }
            if !hidden.contains(where: { RealPath.isInside(folder, $0) }) { hidden.append(folder) }
        }
        return nil
    }

    mutating func add(program written: String, saidBy source: Source) {
        guard let program = RealPath.ofFile(written), ProgramPlace.isProgram(program) else { return }
        addLink(from: RealPath.parent(ProgramPlace.tidy(written)), to: RealPath.parent(program))
        guard visited.count < Self.most, visited.insert(program).inserted else { return }
        // PATH may also lead into the manifest's folder.
        let isOwn = own.map { RealPath.isInside(program, $0) } ?? false
        let source = isOwn ? .manifest : source
        add(installationOf: program, saidBy: source)
        // A link must exist on each path to its target.
        if let target = RealPath.linkEnd(program) { add(program: target, saidBy: source) }
        guard let (interpreter, isSearched) = interpreter(of: program) else { return }
        add(program: interpreter, saidBy: isSearched ? .operator : source)
    }

    /// Adds a program's installation, or the folder that it is in.
    private mutating func add(installationOf program: String, saidBy source: Source) {
        let folder = RealPath.parent(program)
        let prefix = folder.hasSuffix("/bin") ? RealPath.parent(folder) : folder
        if let own, RealPath.isInside(program, own) {
            // Not above the manifest's folder, which may itself be called `bin`.
            let inside = RealPath.isInside(prefix, own) ? prefix : own
            add(isTooWide(inside) ? program : inside)
            addBase(ofPythonEnvironment: inside, saidBy: .manifest)
        } else if source == .manifest || isTooWide(prefix) || isOfAPerson(prefix) {
            add(program)
            if prefix != folder, !isTooWide(prefix), Self.isInstallation(prefix) {
                for name in Self.installed
                where RealPath.of("\(prefix)/\(name)").map({ RealPath.isInside($0, prefix) }) == true {
                    add("\(prefix)/\(name)")
                }
                addBase(ofPythonEnvironment: prefix, saidBy: source)
            }
        } else {
            add(prefix)
            addBase(ofPythonEnvironment: prefix, saidBy: source)
        }
    }

    /// Whether it is a settings folder in a home, such as `.local` or `.cargo`: it contains more than programs.
    private func isOfAPerson(_ folder: String) -> Bool {
        guard let home = Self.home, RealPath.isInside(folder, home) else { return false }
        return folder.split(separator: "/").last?.hasPrefix(".") == true
    }

    /// Whether programs are installed into a folder, such as a Python environment: in others not even the `lib` is readable.
    private static func isInstallation(_ prefix: String) -> Bool {
        if access("\(prefix)/pyvenv.cfg", R_OK) == 0 { return true }
        let names = (try? FolderNames.read("\(prefix)/lib")) ?? []
        return names.contains { $0.hasPrefix("python") || $0 == "node_modules" }
    }

    /// A virtual environment is based on another Python, which its configuration identifies by the folder of its programs.
    private mutating func addBase(ofPythonEnvironment prefix: String, saidBy source: Source) {
        guard visited.insert("\(prefix)/pyvenv.cfg").inserted,
            let bytes = try? WholeFile.read("\(prefix)/pyvenv.cfg", limit: 64 << 10, .regular)
        else { return }
        let homes = String(decoding: bytes, as: UTF8.self).split(separator: "\n").filter { line in
            line.split(separator: "=", maxSplits: 1).first?.filter { $0 != " " } == "home"
        }
        // As in Python, which accepts only one.
        guard let home = homes.first?.split(separator: "=", maxSplits: 1).dropFirst().first else { return }
        let folder = String(home.drop { $0 == " " }.prefix { $0 != "\r" })
        for name in ["python3", "python"] {
            guard let python = RealPath.ofFile("\(folder)/\(name)"), ProgramPlace.isProgram(python) else { continue }
            addLink(from: ProgramPlace.tidy(folder), to: RealPath.parent(python))
            return add(installationOf: python, saidBy: source)
        }
    }

    private mutating func add(_ path: String) {
        let isCovered = (ProgramPlace.system + paths).contains { RealPath.isInside(path, $0) }
        let isHidden = hidden.contains { $0 != path && RealPath.isInside(path, $0) }
        if !isCovered, path != "/", !isHidden || ProgramPlace.isProgram(path) { paths.append(path) }
    }

    /// A path may contain links. The link is recreated in place, or Python would not find its library beside its programs.
    private mutating func addLink(from written: String, to real: String) {
        var (path, target) = (written, real)
        guard path != target, RealPath.of(path) == target else { return }
        while path.split(separator: "/").count > 2, RealPath.parent(path) != RealPath.parent(target),
            path.split(separator: "/").last == target.split(separator: "/").last,
            RealPath.of(RealPath.parent(path)) == RealPath.parent(target)
        {
            (path, target) = (RealPath.parent(path), RealPath.parent(target))
        }
        let taken = ProgramPlace.system + paths + links.map(\.path)
        if !taken.contains(where: { RealPath.isInside(path, $0) }) {
            links.append(FolderLink(path: path, target: target))
        }
    }

    /// Whether a folder contains much besides programs: a home, or a top-level folder.
    private func isTooWide(_ folder: String) -> Bool {
        folder.split(separator: "/").count < 2
            || folder.hasPrefix("/home/") && folder.split(separator: "/").count < 3
            || Self.home.map { RealPath.isInside($0, folder) } == true
            || hidden.contains { RealPath.isInside(folder, $0) }
    }

    /// The interpreter of a script, from its first line, and whether it was looked up in PATH.
    private func interpreter(of program: String) -> (path: String, isSearched: Bool)? {
        guard let file = FileDescriptor(program, O_RDONLY), let start = file.read(limit: 512),
            start.starts(with: "#!".utf8)
        else { return nil }
        let line = String(decoding: start.dropFirst(2).prefix { $0 != 0x0A }, as: UTF8.self)
        let words = line.split { $0 == " " || $0 == "\t" || $0 == "\r" }.map(String.init)
        guard let first = words.first, first.hasPrefix("/") else { return nil }
        guard first.hasSuffix("/env") else { return (first, false) }
        // `env NAME`, or `env -S OPTIONS NAME`: with options a different program may run than the one found here.
        let isPlain = words.count > 1 && !words[1].hasPrefix("-") && !words[1].contains("=")
        guard let name = words.dropFirst().first(where: { !$0.hasPrefix("-") && !$0.contains("=") }),
            !name.contains("/")
        else { return nil }
        return searched.filter { $0.hasPrefix("/") }.map { "\($0)/\(name)" }.first(where: ProgramPlace.isProgram)
            .map { ($0, isPlain) }
    }
}
