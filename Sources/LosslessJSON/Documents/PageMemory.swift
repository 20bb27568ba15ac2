internal import Glibc
internal import Synchronization

/// Page-sized memory, kept between pages: new memory from the system is mapped and zeroed four kilobytes at a time, which
/// costs more than parsing what is then written there.
enum PageMemory {
    /// Blocks that wait for their next page.
    ///
    /// - Note: `@unchecked Sendable` proof: a block is in the list or in one owner's hands, never in both.
    private struct Idle: @unchecked Sendable { var blocks: [UnsafeMutableRawBufferPointer] = [] }
    private static let idle = Mutex(Idle())
    /// The maximum kept, in total.
    private static let keptBytes = 8 << 20
    /// Smaller blocks are as quick to get from the heap; larger ones are rare, and tie up memory needed elsewhere.
    private static let keptSizes = 64 << 10...4 << 20
    /// The size of large pages on most processors.
    private static let hugePage = 2 << 20

    /// A block of at least this many bytes, uninitialised. Give it back with `free`. Without memory for it this process ends, as
    /// Swift's own allocations do.
    static func allocate(_ size: Int) -> UnsafeMutableRawBufferPointer {
        guard let block = block(size) else { preconditionFailure("there is no memory for \(size) bytes") }
        return block
    }

    /// The same; `nil` if the system gives no memory for it.
    static func block(_ size: Int) -> UnsafeMutableRawBufferPointer? {
        if size > keptSizes.upperBound { return large(size) }
        guard size >= keptSizes.lowerBound else { return new(size, alignment: 16) }
        let kept = idle.withLock { idle in
            // A block of more than twice the size is left to callers that need it.
            let index = idle.blocks.indices.filter { (size...2 * size).contains(idle.blocks[$0].count) }
                .min { idle.blocks[$0].count < idle.blocks[$1].count }
            return Idle(blocks: index.map { [idle.blocks.remove(at: $0)] } ?? [])
        }
        // Pages of a source are similar in size: a block rounded up by at most a quarter serves the next ones as well.
        let step = (1 << (Int.bitWidth - 1 - size.leadingZeroBitCount)) / 4
        return kept.blocks.first ?? new((size + step - 1) / step * step, alignment: 16)
    }

    private static func new(_ size: Int, alignment: Int) -> UnsafeMutableRawBufferPointer? {
        var address: UnsafeMutableRawPointer?
        // posix_memalign(3): free(3) releases it; another result than 0 is an error, and nothing was allocated.
        guard posix_memalign(&address, alignment, size) == 0 else { return nil }
        return UnsafeMutableRawBufferPointer(start: address, count: size)
    }

    /// A new block from the system, in huge pages if available: with small ones, each of ten thousand costs a fault.
    private static func large(_ size: Int) -> UnsafeMutableRawBufferPointer? {
        guard let block = new(size, alignment: hugePage) else { return nil }
        // Whole huge pages only: unwritten memory is not committed. A system without them reports that, and nothing changes.
        madvise(block.baseAddress, size / hugePage * hugePage, MADV_HUGEPAGE)
        return block
    }

    /// Takes a block back.
    static func free(_ block: UnsafeMutableRawBufferPointer) {
        // Small ones take no lock: every document has two.
        guard keptSizes.contains(block.count) else { return Glibc.free(block.baseAddress) }
        // The pointer crosses into the lock inside the box proved above.
        let returned = Idle(blocks: [block])
        let isKept = idle.withLock { idle in
            let kept = idle.blocks.reduce(0) { $0 + $1.count }
            guard kept + block.count <= keptBytes else { return false }
            idle.blocks += returned.blocks
            return true
        }
        if !isKept { Glibc.free(block.baseAddress) }
    }
}
