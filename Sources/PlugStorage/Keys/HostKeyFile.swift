internal import Cryptography
internal import Glibc
internal import PlugCore

/// Where the host's key is kept: a named file, a service manager's credential, or the state folder.
struct HostKeyFile: Sendable {
    let path: String
    /// Permissions that others must not have. systemd gives credentials to a service's group through its own folder.
    private let forbidden: mode_t
    /// Whether we may create the file.
    private let isOurs: Bool

    /// The first that applies: `named` (even if it does not exist), `plughost-key` in the credentials, `key` here.
    init(named: String?, credentials: String?, folder: StateFolder) {
        let credential = credentials.map { $0 + "/plughost-key" }
        if let named {
            (path, forbidden, isOurs) = (named, 0o077, false)
        } else if let credential, access(credential, F_OK) == 0 || errno != ENOENT {
            // Even if it is unreachable: a host whose key is out of reach must not create another.
            (path, forbidden, isOurs) = (credential, 0o007, false)
        } else {
            (path, forbidden, isOurs) = (folder.key, 0o077, true)
        }
    }

    /// Refers to a file named by a person.
    init(at path: String) { (self.path, forbidden, isOurs) = (path, 0o077, false) }

    /// The absolute path.
    var absolutePath: String {
        // realpath(3) returns memory that we must free; `nil` if there is no such file.
        guard let resolved = realpath(path, nil) else { return path }
        defer { free(resolved) }
        return String(cString: resolved)
    }

    /// Reads the key; `nil` if there is no file.
    func read() throws(PlugError) -> HostKey? {
        // Without O_NONBLOCK a named pipe would block us; a link may only lead to a file that a person named.
        guard let file = FileDescriptor(path, O_RDONLY | O_NONBLOCK | (isOurs ? O_NOFOLLOW : 0)) else {
            if errno == ENOENT { return nil }
            if lastSystemErrorPasses() {
                let (words, advice) = (lastSystemError(), lastSystemErrorAdvice())
                throw PlugError(.storeFailed, exit: .tryLater, "\(path) cannot be read: \(words)", advice: advice)
            }
            throw unreadable("\(path) cannot be read: \(lastSystemError())")
        }
        guard let status = file.status(), status.st_mode & S_IFMT == S_IFREG else {
            throw unreadable("\(path) is not a regular file")
        }
        guard status.st_mode & forbidden == 0 else {
            let mode = String(status.st_mode & 0o777, radix: 8)
            throw PlugError(
                .keyExposed,
                "the key file \(path) can be read by others (mode 0\(mode))",
                advice: "chmod 600 \(path), and consider who may have read it"
            )
        }
        guard let bytes = file.read(limit: 1_024), let key = KeyText.key(in: bytes) else {
            throw PlugError(
                .keyMalformed,
                "\(path) does not hold a key of 32 bytes",
                advice: "a key is 64 hex digits, as in: openssl rand -hex 32"
            )
        }
        return HostKey(SecretBytes(key))
    }

    /// Creates a key at first use, as a draft next to its final place: `keepDraft` follows once it has sealed something. So a key
    /// in its place shows that there was a database, and a crash leaves a whole key or none.
    ///
    /// Only the state folder's own key is created: a named one has to exist.
    func makeDraft(in folder: StateFolder) throws(PlugError) -> HostKey {
        guard isOurs else { throw missing(folder) }
        let secret = SecretBytes.random(count: 32)
        let text = secret.withUnsafeBytes { Hexadecimal.encoded($0) } + "\n"
        unlink(draft)
        guard let file = FileDescriptor(draft, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW, mode: 0o600) else {
            throw failed()
        }
        guard file.replaceContent(with: Array(text.utf8)), file.synchronise(), folder.synchronise() else {
            throw failed()
        }
        return HostKey(secret)
    }

    /// The draft left by a process that died before it put the key in its place.
    func readDraft() -> HostKey? {
        isOurs ? Self.read(draft) : nil
    }

    /// Puts the draft in its place.
    func keepDraft(in folder: StateFolder) throws(PlugError) {
        // link(2) refuses to replace an existing key, as O_EXCL does.
        guard link(draft, path) == 0 else { throw failed() }
        unlink(draft)
        guard folder.synchronise() else { throw failed() }
    }

    private var draft: String { path + ".new" }

    /// The key in a file of ours; `nil` if there is none.
    private static func read(_ path: String) -> HostKey? {
        let bytes = try? WholeFile.read(path, upTo: 1_024, [.regular, .noLink])
        return bytes.flatMap { KeyText.key(in: $0) }.map { HostKey(SecretBytes($0)) }
    }

    // MARK: - Another key

    private var next: String { path + ".next" }

    /// The key of a rotation that has completed all but its last step, putting the key in its place.
    func readNext() -> HostKey? {
        isOurs ? Self.read(next) : nil
    }

    /// Creates the key that is to replace this one, next to it. The remains of an earlier attempt are overwritten: nothing is
    /// sealed with them, or `readNext` would have found the key.
    func makeNext(in folder: StateFolder) throws(PlugError) -> HostKey {
        let secret = SecretBytes.random(count: 32)
        let text = secret.withUnsafeBytes { Hexadecimal.encoded($0) } + "\n"
        unlink(next)
        guard let file = FileDescriptor(next, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW, mode: 0o600),
            file.replaceContent(with: Array(text.utf8)), file.synchronise(), folder.synchronise()
        else { throw failed() }
        return HostKey(secret)
    }

    /// Puts the new key in the place of the old one, which is then gone.
    func keepNext(in folder: StateFolder) throws(PlugError) {
        // rename(2) replaces the old key in one step.
        guard rename(next, path) == 0, folder.synchronise() else { throw failed() }
    }

    /// The error if the key is not the folder's own, and no other is available.
    func elsewhere() -> PlugError {
        PlugError(
            .keyElsewhere,
            "the key \(path) is kept outside the state folder, so it cannot be replaced here",
            advice: "make another one (umask 077; openssl rand -hex 32 > FILE) and name it with --new-key-file FILE"
        )
    }

    /// Whether the key is the folder's own.
    var isFoldersOwn: Bool { isOurs }

    /// Whether the key was put in the folder when its database was complete.
    var showsThatThereWasAState: Bool { isOurs && access(path, F_OK) == 0 }

    private func unreadable(_ message: String) -> PlugError {
        PlugError(.keyUnreadable, message, advice: "check its owner and its permissions")
    }

    /// The error for data whose key is missing.
    func missing(_ folder: StateFolder) -> PlugError {
        PlugError(
            .keyMissing,
            "the key \(path) of the state in \(folder.path) is missing",
            advice: "restore the key, or name it with PLUGHOST_KEY_FILE; without it the state cannot be read"
        )
    }

    /// The error for data that another key sealed.
    func wrong(_ folder: StateFolder) -> PlugError {
        PlugError(
            .keyWrong,
            "\(path) is not the key of the state in \(folder.path)",
            advice: "restore the right key, or name it with PLUGHOST_KEY_FILE; nothing was changed"
        )
    }

    private func failed() -> PlugError {
        PlugError(.storeFailed, exit: .tryLater, "the key \(path) cannot be created: \(lastSystemError())")
    }
}
