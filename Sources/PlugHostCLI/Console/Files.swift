internal import Glibc
internal import PlugCore

/// The few things that commands do with files, with errors for people.
enum Files {
    /// All bytes of a file, at most `limit`; `-` is stdin.
    ///
    /// - Throws: `PlugError` `file-missing`, `file-unreadable` or `file-large` with this status.
    static func read(_ path: String, limit: Int = 16 << 20, failing status: ExitStatus) throws(PlugError) -> [UInt8] {
        let descriptor = path == "-" ? dup(STDIN_FILENO) : open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw failure(path, errno, status) }
        defer { close(descriptor) }
        var bytes: [UInt8] = []
        while let chunk = try next(descriptor, path, status) {
            bytes += chunk
            guard bytes.count <= limit else {
                let message = "\(path) is larger than \(limit) bytes"
                throw PlugError(.fileLarge, exit: status, message, advice: "check that you named the right file")
            }
        }
        return bytes
    }

    /// The next bytes of an open file, `nil` at its end.
    static func next(_ descriptor: Int32, _ path: String, _ status: ExitStatus) throws(PlugError) -> [UInt8]? {
        while true {
            var error: Int32 = 0
            let chunk = [UInt8](unsafeUninitializedCapacity: 64 << 10) { buffer, filled in
                let count = Glibc.read(descriptor, buffer.baseAddress, buffer.count)
                if count < 0 { error = errno }
                filled = max(0, count)
            }
            if !chunk.isEmpty { return chunk }
            if error == 0 { return nil }
            guard error == EINTR else { throw failure(path, error, status) }
        }
    }

    /// A file's text without white space around it: for tokens and passwords.
    static func secret(_ path: String, failing status: ExitStatus) throws(PlugError) -> String {
        let bytes = try read(path, limit: 64 << 10, failing: status)
        guard let text = String(validating: bytes, as: UTF8.self) else {
            throw PlugError(.fileUnreadable, exit: status, "\(path) is not UTF-8 text")
        }
        // As nearly every file is: without a look at Unicode.
        if bytes.allSatisfy({ $0 < 0x80 }) {
            let isBlank = { (byte: UInt8) in byte == 0x20 || 0x09...0x0D ~= byte }
            guard let first = bytes.firstIndex(where: { !isBlank($0) }),
                let last = bytes.lastIndex(where: { !isBlank($0) })
            else { return "" }
            return String(decoding: bytes[first...last], as: UTF8.self)
        }
        let isBlank = { (character: Unicode.Scalar) in character.properties.isWhitespace || character == "\u{FEFF}" }
        let trimmed = text.unicodeScalars.drop(while: isBlank).reversed().drop(while: isBlank).reversed()
        var scalars = String.UnicodeScalarView()
        scalars.append(contentsOf: trimmed)
        return String(scalars)
    }

    /// Writes a file that only its owner may read: whole or not at all.
    static func writePrivately(_ text: String, to path: String) throws(PlugError) {
        let draft = "\(path).new-\(getpid())"
        let descriptor = open(draft, O_CREAT | O_EXCL | O_WRONLY | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard descriptor >= 0 else { throw writeFailure(path, errno) }
        var rest = Array(text.utf8)[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else {
                let number = errno
                close(descriptor)
                unlink(draft)
                throw writeFailure(path, number)
            }
            rest = rest.dropFirst(count)
        }
        close(descriptor)
        guard rename(draft, path) == 0 else {
            let number = errno
            unlink(draft)
            throw writeFailure(path, number)
        }
    }

    /// Makes a folder (0700) and its parents if they are missing.
    static func makeFolder(_ path: String) throws(PlugError) {
        var made = path.hasPrefix("/") ? "/" : ""
        for part in path.split(separator: "/") {
            made += made.isEmpty || made.hasSuffix("/") ? part : "/\(part)"
            if mkdir(made, 0o700) != 0, errno != EEXIST { throw writeFailure(made, errno) }
        }
    }

    /// Whether there is something with this path.
    static func exists(_ path: String) -> Bool { access(path, F_OK) == 0 }

    /// Why a file cannot be read.
    static func failure(_ path: String, _ number: Int32, _ status: ExitStatus) -> PlugError {
        if number == ENOENT {
            return PlugError(
                .fileMissing,
                exit: status,
                "there is no file '\(DisplayText.escaped(path))'",
                advice: "check the path; it is relative to the folder you are in"
            )
        }
        let reason = String(cString: strerror(number))
        if number == EMFILE || number == ENFILE {
            // Nothing is wrong with the file: a token is not missing.
            return PlugError(
                .fileUnreadable,
                exit: .tryLater,
                "cannot read \(path): \(reason)",
                advice: "allow plughost to open more files (ulimit -n, or LimitNOFILE= of its "
                    + "unit), or lower --parallel"
            )
        }
        return PlugError(.fileUnreadable, exit: status, "cannot read \(path): \(reason)")
    }

    private static func writeFailure(_ path: String, _ number: Int32) -> PlugError {
        let reason = String(cString: strerror(number))
        return PlugError(
            .fileUnwritable,
            "cannot write \(path): \(reason)",
            advice: "choose another place, or check its permissions"
        )
    }
}
