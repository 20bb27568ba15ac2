internal import CLibArchive
internal import Compression
internal import Glibc

/// Through this libarchive reads a file: it is given pieces of it, and nothing else.
///
/// Not Sendable: one thread at a time uses it. libarchive holds an unretained pointer to it, so it must outlive the reader that
/// was opened with it: both belong to one `ArchiveReader`.
final class ArchiveInput {
    private static let size = 128 << 10
    /// Of a tar.
    private static let blockSize = 512

    let file: ArchiveFile
    private let memory: UnsafeMutableRawBufferPointer
    private var position = 0
    /// How many bytes have been read so far.
    private(set) var taken = 0
    /// How many may be read before the first entry is found; `nil` for any number.
    var allowance: Int?
    /// The fault that ended reading: libarchive only learns that there was an error.
    private(set) var fault: ArchiveFault?
    /// Whether bytes past the end were asked for.
    private(set) var hasReachedEnd = false
    /// Whether more than there is was asked for, compressed or not.
    private var isExhausted = false
    /// The last bytes produced by gzip.
    private var tail: [UInt8] = []

    /// Decompresses a gzip file: libarchive does not check its checksums.
    private let inflater: Inflater?
    private let inflated: UnsafeMutableRawBufferPointer
    /// The range of `memory` still to be decompressed.
    private var pending = 0..<0
    /// Whether a gzip member has ended, and no other has begun.
    private var isBetween = false

    init(_ file: ArchiveFile, allowance: Int?, isPacked: Bool = false) throws(ArchiveFault) {
        self.file = file
        self.allowance = allowance
        do throws(Inflater.Fault) { inflater = isPacked ? try Inflater(.gzip) : nil } catch {
            throw ArchiveFault(.unreadable, error.reason)
        }
        memory = .allocate(byteCount: Self.size, alignment: 16)
        inflated = .allocate(byteCount: isPacked ? Self.size : 0, alignment: 16)
    }

    deinit {
        memory.deallocate()
        inflated.deallocate()
    }

    /// The next piece, valid until the next call; empty at the end, `nil` after a fault.
    func next() -> UnsafeRawBufferPointer? {
        do throws(ArchiveFault) {
            if let allowance, taken > allowance {
                throw ArchiveFault(.overLimit, "what it says of its entries has more than \(allowance) bytes")
            }
            let piece: UnsafeRawBufferPointer
            if let inflater {
                piece = try inflate(inflater)
                tail = (tail + piece.suffix(Self.blockSize)).suffix(Self.blockSize)
            } else {
                piece = UnsafeRawBufferPointer(rebasing: memory[..<(try read())])
            }
            isExhausted = isExhausted || piece.isEmpty
            return piece
        } catch {
            fault = error
            return nil
        }
    }

    /// Reads the rest of a gzip file, whose checksum comes last. Anything more than padding is left alone.
    ///
    /// - Returns: `false` after a fault.
    func drain() -> Bool {
        var drained = 0
        while drained < 64 << 20 {
            guard let piece = next() else { return false }
            if piece.isEmpty { return true }
            drained += piece.count
        }
        return true
    }

    /// Whether what was read ends with a block of zeros, or continues past what was asked for: a whole tar does.
    func endsWithZeros() throws(ArchiveFault) -> Bool {
        guard isExhausted else { return true }
        let size = file.stamp.size
        let last = inflater == nil ? try file.bytes(at: max(0, size - Self.blockSize), min(size, Self.blockSize)) : tail
        return last.count == Self.blockSize && last.allSatisfy { $0 == 0 }
    }

    private func read() throws(ArchiveFault) -> Int {
        let count = try file.read(into: memory, at: position)
        hasReachedEnd = hasReachedEnd || count == 0
        position += count
        taken += count
        return count
    }

    /// The next decompressed piece; empty after the last member.
    private func inflate(_ inflater: Inflater) throws(ArchiveFault) -> UnsafeRawBufferPointer {
        while true {
            if pending.isEmpty {
                pending = 0..<(try read())
                if pending.isEmpty, isBetween { return UnsafeRawBufferPointer(rebasing: inflated[..<0]) }
            }
            if isBetween {
                // As in gzip(1): anything after the last member that is not another member, such as zeros, is ignored.
                guard memory[pending.lowerBound] == 0x1F else {
                    position = file.stamp.size
                    pending = 0..<0
                    continue
                }
                inflater.reset()
                isBetween = false
            }
            let isThere = !pending.isEmpty
            let step: Inflater.Step
            do throws(Inflater.Fault) {
                step = try inflater.step(UnsafeRawBufferPointer(rebasing: memory[pending]), into: inflated)
            } catch { throw ArchiveFault(.damaged, "it is damaged (\(error.reason), or its checksum is wrong)") }
            pending = pending.lowerBound + step.taken..<pending.upperBound
            isBetween = step.isEnd
            if step.given > 0 { return UnsafeRawBufferPointer(rebasing: inflated[..<step.given]) }
            if !isThere, !isBetween {
                throw ArchiveFault(.damaged, "it ends too soon: the file was not copied completely")
            }
        }
    }

    /// Skips ahead without reading.
    ///
    /// - Returns: How far: not past the end, so that a truncated archive is detected.
    func skip(_ count: Int64) -> Int64 {
        let most = max(0, file.stamp.size - position)
        let skipped = Int(clamping: min(Int64(most), max(0, count)))
        position += skipped
        return Int64(skipped)
    }

    /// Seeks to an offset.
    ///
    /// - Returns: The offset, `nil` for one outside the file.
    func seek(_ offset: Int64, from origin: Int32) -> Int64? {
        let base: Int64 =
            switch origin {
            case SEEK_CUR: Int64(position)
            case SEEK_END: Int64(file.stamp.size)
            default: 0
            }
        let (target, overflows) = base.addingReportingOverflow(offset)
        guard !overflows, target >= 0, target <= Int64(file.stamp.size) else { return nil }
        position = Int(target)
        return target
    }

    /// Makes an `archive` read from this, and opens it.
    ///
    /// - Returns: libarchive's status: `ARCHIVE_OK`, or less.
    func open(_ archive: OpaquePointer) -> Int32 {
        let context = Unmanaged.passUnretained(self).toOpaque()
        // The callbacks run inside libarchive's calls, on the caller's thread. The piece that the first one returns stays valid
        // until it is called again (archive_read_data(3), "client read callback").
        archive_read_set_callback_data(archive, context)
        archive_read_set_read_callback(archive) { _, context, buffer in
            guard let context, let piece = Unmanaged<ArchiveInput>.fromOpaque(context).takeUnretainedValue().next()
            else { return Int(ARCHIVE_FATAL) }
            buffer?.pointee = piece.baseAddress
            return piece.count
        }
        // Decompressed gzip is not seekable.
        if inflater != nil { return archive_read_open1(archive) }
        archive_read_set_skip_callback(archive) { _, context, count in
            context.map { Unmanaged<ArchiveInput>.fromOpaque($0).takeUnretainedValue().skip(count) } ?? 0
        }
        archive_read_set_seek_callback(archive) { _, context, offset, origin in
            let input = context.map { Unmanaged<ArchiveInput>.fromOpaque($0).takeUnretainedValue() }
            return input?.seek(offset, from: origin) ?? Int64(ARCHIVE_FATAL)
        }
        return archive_read_open1(archive)
    }
}
