internal import Glibc
internal import PlugCore

/// Bubblewrap's arguments: the smallest environment in which a program runs.
///
/// Bubblewrap is a toolkit; its arguments provide the protection: every namespace unshared, no privileges, read access to the
/// system's programs and libraries and the program's own folder, some megabytes of memory for temporary files, and a network that
/// contains only our proxy.
struct Sandbox {
    /// Where the program's files are inside.
    static let folder = "/home/program"
    /// Where the proxy listens inside.
    static let proxyPort: UInt16 = 3128
    /// Its user id inside, whatever it is outside.
    private static let user = 1000

    /// The path of `bwrap`.
    let wrapper: String

    /// - Throws: `program-sandbox` if there is no bubblewrap, or no filter for this machine.
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

    /// The error of a program that is not run, because it would run without a sandbox.
    static func impossible(_ reason: String) -> PlugError {
        PlugError(
            .programSandbox,
            "the program was not started, because its sandbox cannot be built: \(reason)",
            advice:
                "install bubblewrap ('apt-get install bubblewrap'), and allow user namespaces; a systemd unit also needs "
                + "programs.conf (Documentation/singer.md). Or, if you know and trust the program, let it run without a sandbox with --trust-programs or 'programs: {trust: [PLUG]}' in plughost.yaml"
        )
    }

    /// Bubblewrap's arguments, starting with its own name.
    ///
    /// - Parameters:
    ///   - files: The program's files with the descriptors from which their content is read.
    ///   - filter: The descriptor of the system-call filter.
    ///   - status: The descriptor to which bubblewrap reports the program's end.
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
        // If plughost is root, the program may be root with regard to files: /proc is made read-only.
        words += ["--proc", "/proc", "--remount-ro", "/proc", "--dev", "/dev"]
        words += ["--size", "\(16 << 20)", "--tmpfs", "/dev/shm", "--remount-ro", "/dev"]
        words += ["--size", "\(limits.disk)", "--tmpfs", "/tmp", "--size", "\(limits.disk)", "--tmpfs", Self.folder]
        words += Self.mounts(place)
        for file in files {
            words += ["--perms", "0600", "--file", "\(file.descriptor)", "\(Self.folder)/\(file.name)"]
        }
        words += ["--remount-ro", "/", "--chdir", Self.folder]
        words += ["--json-status-fd", "\(status)", "--seccomp", "\(filter)", "--"]
        return words + [place.path] + arguments
    }

    /// The files that the program sees. Later mounts cover earlier ones.
    private static func mounts(_ place: ProgramPlace) -> [String] {
        var words: [String] = []
        for folder in place.files.opened { words += ["--dir", folder] }
        for path in place.files.whole {
            // If `/lib` is a link outside, it is a link inside.
            if ProgramPlace.system.contains(path), let target = RealPath.linkTarget(path) {
                words += ["--symlink", target, path]
            } else {
                // An entry may have disappeared since it was listed.
                words += ["--ro-bind-try", path, path]
            }
        }
        for link in place.files.links + place.links { words += ["--symlink", link.target, link.path] }
        return words
    }

    /// The program's environment: nothing of ours.
    static func environment(for place: ProgramPlace) -> [String] {
        let proxy = "http://127.0.0.1:\(proxyPort)"
        let names = ["HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY", "http_proxy", "https_proxy", "all_proxy"]
        return ProgramEnvironment.variables(of: place, home: folder) + names.map { "\($0)=\(proxy)" }
    }

    /// The only account.
    static let accounts = "program:x:\(user):\(user)::\(folder):/bin/sh\n"
    /// The only name that needs no network.
    static let hosts = "127.0.0.1 localhost program\n"
}

/// The environment of programs, sandboxed or not: what every program needs, and nothing from this process.
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
