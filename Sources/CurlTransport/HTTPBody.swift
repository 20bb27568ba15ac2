internal import LosslessJSON
package import PlugCore

/// Where a large body goes that need not lie in memory.
package struct HTTPSpooling: Sendable {
    /// A folder on a disk with room.
    package var folder: String
    /// Bodies of more bytes go there. 1 MiB.
    package var threshold: Int
    /// What they share the disk with; `nil` where nothing but the disk limits them.
    package var room: ScratchRoom?

    /// A place for large bodies.
    package init(folder: String, threshold: Int = 1 << 20, room: ScratchRoom? = nil) {
        self.folder = folder
        self.threshold = threshold
        self.room = room
    }
}

/// A body that lies on a disk, in a file without a name: it is gone with the last one who holds this.
package struct SpooledBody: Sendable {
    /// Its bytes, from the first on.
    package let file: ScratchFile
    /// How many there are.
    package let count: Int
}

/// A body that grows: in memory, until it is so large that it goes to a disk.
struct GrowingBody {
    /// What is in memory: all of it, or nothing any more.
    private(set) var memory = JSONBuffer(capacity: 64)
    private var file: ScratchFile?
    private var written = 0

    /// How many bytes there are.
    var count: Int { written + memory.count }

    /// The body on the disk, `nil` where it is in memory.
    var spooled: SpooledBody? { file.map { SpooledBody(file: $0, count: written) } }

    /// Makes room for `wanted` bytes in memory.
    func reserve(_ wanted: Int) { memory.reserve(wanted) }

    /// Adds bytes at the end.
    ///
    /// It may wait for the disk. That is libcurl's thread, and not one of the cooperative pool: the bytes go to the system's
    /// memory, and where that writes more slowly than the network gives, the source waits.
    ///
    /// - Parameter spooling: Where it goes once it is larger than that allows; `nil` for nowhere.
    mutating func append(_ bytes: UnsafeRawBufferPointer, _ spooling: HTTPSpooling?) throws(FileError) {
        if file == nil, let spooling, count + bytes.count > spooling.threshold { try spool(to: spooling) }
        guard let file else { return memory.append(bytes) }
        try file.write(bytes, at: written)
        written += bytes.count
    }

    private mutating func spool(to place: HTTPSpooling) throws(FileError) {
        let new = try ScratchFile(in: place.folder, room: place.room)
        var failure: FileError?
        memory.withBytes { bytes in
            do throws(FileError) { try new.write(UnsafeRawBufferPointer(bytes), at: 0) } catch { failure = error }
        }
        if let failure { throw failure }
        (file, written, memory) = (new, memory.count, JSONBuffer(capacity: 64))
    }
}
