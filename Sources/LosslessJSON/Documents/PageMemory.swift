internal import Glibc
internal import Synchronization

/// Memory of the size of pages, kept between them: what the system gives anew is mapped and emptied four kilobytes at a
/// time, which costs more than parsing what is then written there.
enum PageMemory {
    /// Blocks that wait for their next page.
    ///
    /// - Note: Proof for the pointers' `Sendable` box: a block is in the list or in one owner's hands, never in both.
    private struct Idle: @unchecked Sendable { var blocks: [UnsafeMutableRawBufferPointer] = [] }
    private static let idle = Mutex(Idle())
    /// What is kept at most, all together.
    private static let keptBytes = 8 << 20
    /// Smaller blocks the heap finds as fast; larger ones are rare, and memory that is missed elsewhere.
    private static let keptSizes = 64 << 10...4 << 20
    /// The pages of memory that most processors have beside the small ones.
    private static let hugePage = 2 << 20

    /// A block of at least this many bytes, with anything in it. Give it back with `free`.
    static func allocate(_ size: Int) -> UnsafeMutableRawBufferPointer {
        if size > keptSizes.upperBound { return large(size) }
        guard size >= keptSizes.lowerBound else { return .allocate(byteCount: size, alignment: 16) }
        let kept = idle.withLock { idle in
            // A block of more than twice the size is left to those who need it.
            let index = idle.blocks.indices.filter { (size...2 * size).contains(idle.blocks[$0].count) }
                .min { idle.blocks[$0].count < idle.blocks[$1].count }
            return Idle(blocks: index.map { [idle.blocks.remove(at: $0)] } ?? [])
        }
        // Pages of a source are much alike: what is rounded up by a quarter at most serves the next ones as well.
        let step = (1 << (Int.bitWidth - 1 - size.leadingZeroBitCount)) / 4
        return kept.blocks.first ?? .allocate(byteCount: (size + step - 1) / step * step, alignment: 16)
    }

    /// A block that the system gives anew, in huge pages where it has them: of small ones, each of ten thousand costs a fault.
    private static func large(_ size: Int) -> UnsafeMutableRawBufferPointer {
        let block = UnsafeMutableRawBufferPointer.allocate(byteCount: size, alignment: hugePage)
        // Whole huge pages only: what is not written is not taken. A system that does not know them says so, and nothing changes.
        madvise(block.baseAddress, size / hugePage * hugePage, MADV_HUGEPAGE)
        return block
    }

    /// Takes a block back.
    static func free(_ block: UnsafeMutableRawBufferPointer) {
        // Small ones take no lock: every document has two.
        guard keptSizes.contains(block.count) else { return block.deallocate() }
        // The pointer crosses into the lock inside the box whose proof stands above.
        let returned = Idle(blocks: [block])
        let isKept = idle.withLock { idle in
            let kept = idle.blocks.reduce(0) { $0 + $1.count }
            guard kept + block.count <= keptBytes else { return false }
            idle.blocks += returned.blocks
            return true
        }
        if !isKept { block.deallocate() }
    }
}
