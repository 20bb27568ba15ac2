internal import Glibc
package import PlugCore

/// A file without a name for what does not fit into memory: it is gone with its owner, also when the process dies.
package final class ScratchFile: Sendable {
    private let file: FileDescriptor

    /// Makes one.
    ///
    /// - Parameter folder: A folder on a disk with room, such as the state's; the file never appears in it for long.
    /// - Throws: `PlugError` `store-failed` (75).
    package init(in folder: String) throws(PlugError) {
        // Several processes make such files in a state folder, perhaps each with process id 1 in a container of its own: a
        // random number of 64 bits keeps them apart, and O_EXCL shows it if ever it does not.
        let path = "\(folder)/scratch-\(getpid())-\(UInt64.random(in: 0 ... .max))"
        guard let file = FileDescriptor(path, O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW, mode: 0o600) else {
            throw Self.failure("made")
        }
        // unlink(2): the open file continues to exist without its name.
        unlink(path)
        self.file = file
    }

    /// Writes values, as they lie in memory, at an offset in bytes.
    ///
    /// - Throws: `PlugError` `store-failed` (75), such as for a full disk.
    package func write<Value: BitwiseCopyable>(_ values: [Value], at start: Int) throws(PlugError) {
        var done = 0
        let failed = values.withUnsafeBytes { bytes in
            while done < bytes.count {
                let count = pwrite(
                    file.number,
                    bytes.baseAddress.map { $0 + done },
                    bytes.count - done,
                    off_t(start + done)
                )
                if count < 0, errno == EINTR { continue }
                // A disk that takes nothing is full.
                if count <= 0 { return true }
                done += count
            }
            return false
        }
        if failed { throw Self.failure("written") }
    }

    /// Fills values from an offset in bytes.
    ///
    /// - Throws: `PlugError` `store-failed` (75), also if the file is shorter.
    package func read<Value: BitwiseCopyable>(into values: inout [Value], at start: Int) throws(PlugError) {
        var failure: PlugError?
        values.withUnsafeMutableBytes { bytes in
            do throws(PlugError) { try read(into: bytes, at: start) } catch { failure = error }
        }
        if let failure { throw failure }
    }

    /// Fills a buffer from an offset in bytes.
    ///
    /// - Throws: `PlugError` `store-failed` (75), also if the file is shorter.
    package func read(into bytes: UnsafeMutableRawBufferPointer, at start: Int) throws(PlugError) {
        var done = 0
        while done < bytes.count {
            let count = pread(
                file.number,
                bytes.baseAddress.map { $0 + done },
                bytes.count - done,
                off_t(start + done)
            )
            if count < 0, errno == EINTR { continue }
            if count <= 0 { throw Self.failure("read") }
            done += count
        }
    }

    private static func failure(_ done: String) -> PlugError {
        PlugError(
            .storeFailed,
            exit: .tryLater,
            "a file for the ledger could not be \(done) in the state folder: \(lastSystemError())",
            advice: "check whether the disk is full; nothing is lost: run it again"
        )
    }
}
