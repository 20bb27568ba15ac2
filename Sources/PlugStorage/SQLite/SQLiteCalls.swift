internal import CMemory
internal import GRDBSQLite

/// System calls that SQLite makes through us.
enum SQLiteCalls {
    /// Lets SQLite map its index of the log (`-shm`) only once the disk has room for all of it.
    ///
    /// SQLite makes the file longer by one byte in each 4 KiB. On a file system with smaller blocks that leaves holes, and on
    /// a full disk the first access to one would end the process with SIGBUS, without a word. So it is an error of the
    /// call, which the run reports. Databases themselves are not mapped (`PRAGMA mmap_size` is 0).
    ///
    /// To be read before the first connection is opened.
    static let areOurs: Bool = {
        // sqlite3_vfs_find(NULL) gives the default VFS, which lives as long as the process.
        guard let vfs = sqlite3_vfs_find(nil), let replace = vfs.pointee.xSetSystemCall else { return false }
        typealias Call =
            @convention(c) (UnsafeMutableRawPointer?, Int, Int32, Int32, Int32, off_t) -> UnsafeMutableRawPointer?
        let call: Call = { plughost_mmap_allocated($0, $1, $2, $3, $4, $5) }
        // The contract of xSetSystemCall: any function pointer, cast to one type, called as what the name says.
        return replace(vfs, "mmap", unsafeBitCast(call, to: sqlite3_syscall_ptr.self)) == SQLITE_OK
    }()
}
