internal import Glibc

/// Files that users name: read and written whole, with errors for people.
package enum Files {
    /// All bytes of a file, at most `limit`; `-` is stdin.
    ///
    /// - Throws: `PlugError` `file-missing`, `file-unreadable` or `file-large` with this status.
    package static func read(_ path: String, limit: Int = 16 << 20, failing status: ExitStatus) throws(PlugError)
        -> [UInt8]
    {
        do throws(FileError) {
            return try WholeFile.read(path, limit: limit, .dashIsInput)
        } catch .system(let number) {
            throw failure(path, number, status)
        } catch {
            let message = "\(path) is larger than \(limit) bytes"
            throw PlugError(.fileLarge, exit: status, message, advice: "check that you named the right file")
        }
    }

    /// A file's text without surrounding white space: for tokens and passwords.
    package static func secret(_ path: String, failing status: ExitStatus) throws(PlugError) -> String {
        let bytes = try read(path, limit: 64 << 10, failing: status)
        guard let text = String(validating: bytes, as: UTF8.self) else {
            throw PlugError(.fileUnreadable, exit: status, "\(path) is not UTF-8 text")
        }
        // Nearly every file is ASCII: skip Unicode processing.
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

    /// Writes a file that only its owner may read, whole or not at all.
    package static func writePrivately(_ text: String, to path: String) throws(PlugError) {
        do { try WholeFile.replace(path, with: Array(text.utf8)) } catch { throw writeFailure(path, error.reason) }
    }

    /// Writes a file that others may read, whole or not at all.
    package static func write(_ text: String, to path: String) throws(PlugError) {
        do { try WholeFile.replace(path, with: Array(text.utf8), mode: 0o644) } catch {
            throw writeFailure(path, error.reason)
        }
    }

    /// Makes a folder and its missing parents: for this user only, unless the mode says otherwise.
    package static func makeFolder(_ path: String, mode: UInt32 = 0o700) throws(PlugError) {
        if let missing = WholeFile.makeFolders(path, mode: mode) {
            throw writeFailure(missing, FileError.system(errno).reason)
        }
    }

    /// Whether anything exists at this path.
    package static func exists(_ path: String) -> Bool { access(path, F_OK) == 0 }

    /// Whether there is a folder with this path.
    package static func isFolder(_ path: String) -> Bool {
        var status = stat()
        // Returns -1 if there is nothing.
        return stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
    }

    /// Why a file cannot be read.
    package static func failure(_ path: String, _ number: Int32, _ status: ExitStatus) -> PlugError {
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
        let advice =
            number == EACCES
            ? "the user that this runs as (a host: plughost) has to read it: 'namei -l \(path)' shows who may, "
                + "for each folder of the path"
            : nil
        return PlugError(.fileUnreadable, exit: status, "cannot read \(path): \(reason)", advice: advice)
    }

    private static func writeFailure(_ path: String, _ reason: String) -> PlugError {
        PlugError(
            .fileUnwritable,
            "cannot write \(path): \(reason)",
            advice: "choose another place, or check its permissions"
        )
    }
}
