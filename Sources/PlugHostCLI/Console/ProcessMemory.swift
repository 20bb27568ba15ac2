internal import CMemory
internal import Glibc
internal import PlugCore
internal import Synchronization

/// How much memory the process shows, where the defaults would cost half as much again.
enum ProcessMemory {
    /// The tables of a large ledger grow again and again, and on the heap each leaves a hole that the next one does not
    /// fit into. glibc raises the size from which a block has pages of its own to the largest that was ever freed; with
    /// a fixed size the pages go back to the system at once.
    static func keepLargeTablesOffTheHeap() {
        // Each returns 0 where glibc refuses, which costs memory and nothing else.
        _ = mallopt(M_MMAP_THRESHOLD, 512 << 10)
        _ = mallopt(M_TRIM_THRESHOLD, 4 << 20)
    }

    /// Gives back the pages of code that were touched so far: most of what a start needs never runs again, and what does
    /// comes back from the page cache. Only executable pages go, which nobody has written to.
    static func forgetCode() { plughost_forget_code() }
}

/// Gives code pages back while a long run goes on: what the first pages of a source needed, the thousandth does not.
final class CodePages: Sendable {
    private let count = Atomic<Int>(0)

    /// Counts a page of a source; after 64 of them, and at each doubling, the code's pages go.
    func notePage() {
        let count = count.add(1, ordering: .relaxed).newValue
        if count >= 64, count.nonzeroBitCount == 1 { ProcessMemory.forgetCode() }
    }
}
