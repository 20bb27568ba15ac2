internal import CMemory
internal import Glibc

/// How much memory the process shows, where the defaults would cost half as much again.
enum ProcessMemory {
    /// The tables of a large ledger grow again and again, and on the heap each leaves a hole that the next one does not
    /// fit into. glibc raises the size from which a block has pages of its own to the largest that was ever freed; with
    /// a fixed size the pages go back to the system at once.
    static func keepLargeTablesOffTheHeap() {
        // Each returns 0 where glibc refuses, which costs memory and nothing else.
        _ = mallopt(M_MMAP_THRESHOLD, 512 << 10)
        _ = mallopt(M_TRIM_THRESHOLD, 4 << 20)
        // Each thread's heap grows by so much at a time: the usual 128 KiB are a system call for every second small run.
        _ = mallopt(M_TOP_PAD, 1 << 20)
    }
}
