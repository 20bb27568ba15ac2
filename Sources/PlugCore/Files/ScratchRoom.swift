internal import Synchronization

/// How much disk space the nameless files of one run may take together.
package final class ScratchRoom: Sendable {
    private let limit: Int
    private let taken = Mutex(0)

    /// - Parameter limit: The limit in bytes.
    package init(limit: Int = RunLimitKey.scratch.defaultValue) { self.limit = max(0, limit) }

    /// Takes room for a number of bytes.
    ///
    /// - Throws: `FileError.noRoom` if there is not enough; nothing is taken then.
    func take(_ bytes: Int) throws(FileError) {
        let isTaken = taken.withLock { taken in
            guard bytes <= limit - taken else { return false }
            taken += bytes
            return true
        }
        if !isTaken { throw .noRoom(limit: limit) }
    }

    /// Gives the bytes back.
    func give(back bytes: Int) { taken.withLock { $0 -= bytes } }
}
