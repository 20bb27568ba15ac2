package import LosslessJSON
package import PlugCore

/// Where a large body goes that need not be in memory.
package struct HTTPSpooling: Sendable {
    /// A folder on a disk with room.
    package var folder: String
    /// Bodies larger than this, in bytes, go there. 1 MiB.
    package var threshold: Int
    /// The room that they share on the disk; `nil` if only the disk limits them.
    package var room: ScratchRoom?
    /// The largest body that goes there, also as sent; `nil` for the request's limits, which apply to everything that stays in
    /// memory.
    package var bodyLimit: Int?
    /// Whether a body stays in memory if the disk does not take it, up to the request's limit.
    package var isOptional = false

    /// A place for large bodies.
    package init(folder: String, threshold: Int = 1 << 20, room: ScratchRoom? = nil) {
        self.folder = folder
        self.threshold = threshold
        self.room = room
    }
}

/// A body on disk, in a file without a name: it is deleted with its last owner.
package struct SpooledBody: Sendable {
    /// Its bytes, from the first on.
    package let file: ScratchFile
    /// The number of bytes.
    package let count: Int

    /// The same body in memory.
    package func inMemory() throws(FileError) -> JSONBuffer {
        let buffer = JSONBuffer(capacity: count)
        var piece = [UInt8](repeating: 0, count: min(count, 1 << 18))
        while buffer.count < count {
            if count - buffer.count < piece.count { piece.removeLast(piece.count - (count - buffer.count)) }
            try file.read(into: &piece, at: buffer.count)
            piece.withUnsafeBytes { buffer.append($0) }
        }
        return buffer
    }

    /// Its first bytes.
    package func prefix(_ count: Int) throws(FileError) -> [UInt8] {
        var start = [UInt8](repeating: 0, count: min(count, self.count))
        try file.read(into: &start, at: 0)
        return start
    }
}

/// A body that grows: in memory, until it is large enough to go to a disk.
struct GrowingBody {
    /// The part in memory: all of it, or nothing any more.
    private(set) var memory = JSONBuffer(capacity: 64)
    private var file: ScratchFile?
    private var written = 0
    /// Why the disk did not take it.
    private var refusal: FileError?

    /// The number of bytes.
    var count: Int { written + memory.count }

    /// The body on the disk; `nil` if it is in memory.
    var spooled: SpooledBody? { file.map { SpooledBody(file: $0, count: written) } }

    /// Makes room for `wanted` bytes in memory.
    func reserve(_ wanted: Int) { memory.reserve(wanted) }

    /// Appends bytes.
    ///
    /// It may wait for the disk. This happens on libcurl's thread, not on one that runs tasks: the bytes go to the system's page
    /// cache, and if that drains more slowly than the network delivers, the source waits.
    ///
    /// - Parameters:
    ///   - spooling: Where the body goes once it exceeds the threshold; `nil` for nowhere.
    ///   - memoryLimit: How large it may be in memory if the disk does not take it.
    mutating func append(
        _ bytes: UnsafeRawBufferPointer,
        _ spooling: HTTPSpooling?,
        memoryLimit: Int
    ) throws(FileError) {
        let size = count + bytes.count
        if let spooling, refusal == nil, file != nil || size > spooling.threshold {
            do throws(FileError) { return try write(bytes, spooling) } catch {
                guard spooling.isOptional, size <= memoryLimit else { throw error }
                refusal = error
                try comeBack()
            }
        }
        if let refusal, size > memoryLimit { throw refusal }
        memory.append(bytes)
    }

    private mutating func write(_ bytes: UnsafeRawBufferPointer, _ spooling: HTTPSpooling) throws(FileError) {
        let file = if let file { file } else { try spool(to: spooling) }
        try file.write(bytes, at: written)
        written += bytes.count
    }

    private mutating func comeBack() throws(FileError) {
        guard let spooled else { return }
        memory = try spooled.inMemory()
        (file, written) = (nil, 0)
    }

    private mutating func spool(to place: HTTPSpooling) throws(FileError) -> ScratchFile {
        let new = try ScratchFile(in: place.folder, room: place.room)
        var failure: FileError?
        memory.withBytes { bytes in
            do throws(FileError) { try new.write(UnsafeRawBufferPointer(bytes), at: 0) } catch { failure = error }
        }
        if let failure { throw failure }
        (file, written, memory) = (new, memory.count, JSONBuffer(capacity: 64))
        return new
    }
}
