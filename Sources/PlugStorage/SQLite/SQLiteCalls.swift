internal import CMemory
internal import GRDBSQLite

/// How SQLite works in this process: what it does not do, and the system calls that it makes through our code.
enum SQLiteCalls {
    /// Lets SQLite map its index of the log (`-shm`) only once the disk has room for all of it, and not count its memory.
    ///
    /// SQLite extends the file by writing one byte in each 4 KiB. On a file system with smaller blocks that leaves holes, and on
    /// a full disk the first access to one would kill the process with SIGBUS, without a message. This turns it into an error of
    /// the call, which the run reports. Databases themselves are not mapped (`PRAGMA mmap_size` is 0).
    ///
    /// Must be read before the first connection is opened. A process that has used SQLite before counts as usual.
    static let isSetUp: Bool = {
        // Before anything that initialises SQLite.
        plughost_sqlite_stop_counting_memory()
        // sqlite3_vfs_find(NULL) returns the default VFS, which lives as long as the process.
        guard let vfs = sqlite3_vfs_find(nil), let replace = vfs.pointee.xSetSystemCall else { return false }
        typealias Call =
            @convention(c) (UnsafeMutableRawPointer?, Int, Int32, Int32, Int32, off_t) -> UnsafeMutableRawPointer?
        let call: Call = { plughost_mmap_allocated($0, $1, $2, $3, $4, $5) }
        // Proof for the cast, which is the contract of xSetSystemCall: any function pointer, cast to one type and called as its name implies.
        return replace(vfs, "mmap", unsafeBitCast(call, to: sqlite3_syscall_ptr.self)) == SQLITE_OK
    }()
}
