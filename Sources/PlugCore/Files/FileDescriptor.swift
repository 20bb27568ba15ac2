internal import Glibc

/// An open file, closed with its owner. A call that fails leaves its reason in `errno`.
package struct FileDescriptor: ~Copyable, Sendable {
    package let number: Int32

    /// Opens a file; `nil` if open(2) failed. Never inherited by programs that are started.
    package init?(_ path: String, _ flags: Int32, mode: UInt32 = 0) {
        let opened = open(path, flags | O_CLOEXEC, mode)
        guard opened >= 0 else { return nil }
        number = opened
    }

    /// Opens the file of this name in an open folder; `nil` if openat(2) failed.
    init?(_ name: String, in folder: borrowing FileDescriptor, _ flags: Int32) {
        let opened = openat(folder.number, name, flags | O_CLOEXEC)
        guard opened >= 0 else { return nil }
        number = opened
    }

    /// Stdin under a descriptor of its own, which can be closed; `nil` if dup(2) failed.
    package static func standardInput() -> FileDescriptor? {
        let copy = dup(STDIN_FILENO)
        return copy >= 0 ? FileDescriptor(taking: copy) : nil
    }

    private init(taking number: Int32) { self.number = number }

    /// close(2): the descriptor is gone even if it fails, and it reports nothing that we rely on (fsync does). `errno` is
    /// preserved: the owner may end just before a caller words an error.
    deinit {
        let error = errno
        close(number)
        errno = error
    }

    /// Whether it is a regular file and not a folder, pipe or device, as fstat(2) says of the open descriptor, so it cannot be
    /// swapped in between. `nil` if that failed.
    var isRegular: Bool? {
        var status = stat()
        return fstat(number, &status) == 0 ? status.st_mode & S_IFMT == S_IFREG : nil
    }

    /// Reads up to `limit` bytes from the beginning, for seekable files; `nil` if reading fails.
    package func read(limit: Int) -> [UInt8]? {
        var bytes = [UInt8](repeating: 0, count: limit)
        var length = 0
        while length < limit {
            // pread(2) fills at most the remaining space; 0 is the end of the file.
            let count = bytes.withUnsafeMutableBytes { buffer in
                pread(number, buffer.baseAddress.map { $0 + length }, limit - length, off_t(length))
            }
            if count < 0 {
                if errno == EINTR { continue }
                return nil
            }
            if count == 0 { break }
            length += count
        }
        return Array(bytes.prefix(length))
    }

    /// Reads the next bytes, also from a pipe: empty at the end, `nil` if reading fails.
    ///
    /// - Parameter count: How many at most.
    package func next(upTo count: Int = 64 << 10) -> [UInt8]? {
        while true {
            var error: Int32 = 0
            let chunk = [UInt8](unsafeUninitializedCapacity: count) { buffer, filled in
                // read(2): 0 is the end; -1 with EINTR is a signal, not a failure.
                let count = Glibc.read(number, buffer.baseAddress, buffer.count)
                if count < 0 { error = errno }
                filled = max(0, count)
            }
            if error == 0 { return chunk }
            errno = error
            if error != EINTR { return nil }
        }
    }

    /// Replaces the content; `false` if that failed.
    package func replaceContent(with bytes: [UInt8]) -> Bool {
        guard ftruncate(number, 0) == 0 else { return false }
        var offset = 0
        while offset < bytes.count {
            let count = bytes.withUnsafeBytes { buffer in
                pwrite(number, buffer.baseAddress.map { $0 + offset }, bytes.count - offset, off_t(offset))
            }
            if count < 0 {
                if errno == EINTR { continue }
                return false
            }
            offset += count
        }
        return true
    }

    /// Waits until the content is on the disk; `false` if that failed.
    package func synchronise() -> Bool { fsync(number) == 0 }
}
