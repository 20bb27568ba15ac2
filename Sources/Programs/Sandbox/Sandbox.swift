internal import Glibc
internal import PlugCore

/// What bubblewrap is told: the smallest world in which a program runs.
///
/// Bubblewrap is a kit, and what protects are its arguments: every namespace of its own, no privileges, the system's programs and
/// libraries and the program's own folder for reading, some megabytes of memory for files that vanish, and a network with nothing
/// in it but our proxy.
struct Sandbox {
    /// Where the program's files are inside.
    static let folder = "/home/program"
    /// Where the proxy listens inside.
    static let proxyPort: UInt16 = 3128
    /// Its user inside, whoever it is outside.
    private static let user = 1000

    /// The path of `bwrap`.
    let wrapper: String

    /// - Throws: `program-sandbox` where there is no bubblewrap, or none of our filters fits this machine.
    init(searching folders: [String]) throws(PlugError) {
        guard SeccompFilter.bytes != nil else {
            throw Self.impossible("there is no filter of system calls for this processor")
        }
        let candidates = (folders + ["/usr/bin", "/usr/local/bin"]).map { "\($0)/bwrap" }
        guard let found = candidates.first(where: { $0.hasPrefix("/") && access($0, X_OK) == 0 }) else {
            throw Self.impossible("bubblewrap (bwrap) is not installed")
        }
        wrapper = found
    }

    /// The error of a program that is not run, because it would run without walls.
    static func impossible(_ reason: String) -> PlugError {
        PlugError(
            .programSandbox,
            "the program was not started, because its sandbox cannot be built: \(reason)",
            advice:
                "install bubblewrap ('apt-get install bubblewrap'), and allow user namespaces; or, if you know and trust the "
                + "program, let it run without a sandbox with --trust-programs or 'programs: {trust: [PLUG]}' in plughost.yaml"
        )
    }

    /// Bubblewrap's arguments, its own name first.
    ///
    /// - Parameters:
    ///   - files: The program's files with the descriptors that their content is read from.
    ///   - filter: The descriptor of the filter of system calls.
    ///   - status: The descriptor that bubblewrap tells of the program's end.
    func arguments(
        for place: ProgramPlace,
        _ arguments: [String],
        files: [(name: String, descriptor: Int32)],
        limits: ProgramLimits,
        filter: Int32,
        status: Int32,
        accounts: Int32,
        hosts: Int32
    ) -> [String] {
        var words = [
            wrapper, "--unshare-user", "--unshare-ipc", "--unshare-pid", "--unshare-uts", "--unshare-cgroup-try",
            "--disable-userns", "--uid", "\(Self.user)", "--gid", "\(Self.user)", "--hostname", "program",
            "--die-with-parent", "--new-session", "--cap-drop", "ALL",
        ]
        for file in [
            "ld.so.cache", "ssl/certs", "ssl/openssl.cnf", "ca-certificates", "pki", "localtime", "mime.types",
        ] {
            words += ["--ro-bind-try", "/etc/\(file)", "/etc/\(file)"]
        }
        words += ["--ro-bind-data", "\(accounts)", "/etc/passwd", "--ro-bind-data", "\(hosts)", "/etc/hosts"]
        // Where plughost is root, so is the program to files: what is in /proc is for reading.
        words += ["--proc", "/proc", "--remount-ro", "/proc", "--dev", "/dev"]
        words += ["--size", "\(16 << 20)", "--tmpfs", "/dev/shm", "--remount-ro", "/dev"]
        words += ["--size", "\(limits.disk)", "--tmpfs", "/tmp", "--size", "\(limits.disk)", "--tmpfs", Self.folder]
        words += Self.mounts(place)
        for file in files {
            words += ["--perms", "0600", "--file", "\(file.descriptor)", "\(Self.folder)/\(file.name)"]
        }
        words += ["--remount-ro", "/", "--chdir", Self.folder]
        words += ["--json-status-fd", "\(status)", "--seccomp", "\(filter)", "--"]
        // The number of processes is counted for each user of each namespace, so that it has to be set inside.
        let limiter = "/usr/bin/prlimit"
        if access(limiter, X_OK) == 0 { words += [limiter, "--nproc=\(limits.processes)", "--"] }
        return words + [place.path] + arguments
    }

    /// The files that the program sees. Later ones lie above earlier ones.
    private static func mounts(_ place: ProgramPlace) -> [String] {
        var words: [String] = []
        for folder in place.files.opened { words += ["--dir", folder] }
        for path in place.files.whole {
            // Where `/lib` is a link, it is one inside.
            if ProgramPlace.system.contains(path), let target = RealPath.linkTarget(path) {
                words += ["--symlink", target, path]
            } else {
                // An entry may have gone since it was listed.
                words += ["--ro-bind-try", path, path]
            }
        }
        for link in place.files.links + place.links { words += ["--symlink", link.target, link.path] }
        return words
    }

    /// What the program finds in its environment: nothing of ours.
    static func environment(for place: ProgramPlace) -> [String] {
        let proxy = "http://127.0.0.1:\(proxyPort)"
        let names = ["HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY", "http_proxy", "https_proxy", "all_proxy"]
        return ProgramEnvironment.variables(of: place, home: folder) + names.map { "\($0)=\(proxy)" }
    }

    /// The one account there is.
    static let accounts = "program:x:\(user):\(user)::\(folder):/bin/sh\n"
    /// The one name that needs no network.
    static let hosts = "127.0.0.1 localhost program\n"
}

/// The environment of programs, in a sandbox or not: what every program needs, and nothing that this process has.
enum ProgramEnvironment {
    static func variables(of place: ProgramPlace, home: String) -> [String] {
        let own = place.path.split(separator: "/").dropLast().joined(separator: "/")
        return [
            "PATH=/\(own):/usr/local/bin:/usr/bin:/bin", "HOME=\(home)",
            "TMPDIR=\(home == Sandbox.folder ? "/tmp" : home)",
            "LANG=C.UTF-8", "TZ=UTC", "PYTHONDONTWRITEBYTECODE=1", "PYTHONUTF8=1",
        ]
    }
}
