internal import CZlib
internal import Compression

/// Reads the data of one file in an archive, and checks it against its checksum and sizes.
final class ZipReader {
    /// The header before the data, without name and extra fields (APPNOTE.TXT 4.3.7).
    private static let headerSize = 30

    let entry: ZipEntry
    private enum Work {
        case stored
        case deflated(Inflater)
        case zstd(ZstdReader)
        case done
    }
    private var work: Work
    private var (compressed, plain) = (0, 0)
    private var crc: UInt

    /// Seeks to the beginning of the file's data.
    init(_ entry: ZipEntry, _ input: ByteInput) throws(DecodingFault) {
        self.entry = entry
        // The checksum of no bytes.
        crc = crc32(0, nil, 0)
        switch try entry.readable() {
        case .stored: work = .stored
        case .deflated: work = .deflated(try Inflater.started(.none))
        case .zstd: work = .zstd(try ZstdReader())
        }
        input.seek(to: entry.offset)
        guard try input.fill(Self.headerSize), input.available.little32(0) == ZipDirectory.headerSignature else {
            throw ZipEntry.broken(entry.name, "is not where the archive says")
        }
        // Name and extra fields may differ in length from those in the directory.
        let length = Int(input.available.little16(26)) + Int(input.available.little16(28))
        input.seek(to: entry.offset + Self.headerSize + length)
    }

    /// The next plain bytes; none, with `isEnd`, once the file is complete and verified.
    func read(_ input: ByteInput, into output: UnsafeMutableRawBufferPointer) throws(DecodingFault) -> Step {
        if case .done = work {
            guard entry.size == (compressed, plain), UInt32(crc) == entry.crc else {
                throw ZipEntry.broken(entry.name, "does not match its checksum")
            }
            return Step(taken: 0, given: 0, isEnd: true)
        }
        let rest = entry.size.compressed - compressed
        let isThere = rest > 0 ? try input.fill(1) : false
        let available = UnsafeRawBufferPointer(rebasing: input.available.prefix(rest))
        var step: Step
        switch work {
        case .stored:
            let count = min(output.count, available.count)
            if count > 0 { output.copyMemory(from: UnsafeRawBufferPointer(rebasing: available[..<count])) }
            step = Step(taken: count, given: count, isEnd: count == rest)
        case .deflated(let inflater): step = try inflater.inflate(available, into: output)
        case .zstd(let reader): step = try reader.decompress(available, into: output)
        case .done: step = Step(taken: 0, given: 0, isEnd: true)
        }
        if !isThere, step.given == 0, !step.isEnd { throw Decompressor.truncated }
        input.take(step.taken)
        compressed += step.taken
        plain += step.given
        crc = crc32(crc, output.assumingMemoryBound(to: UInt8.self).baseAddress, UInt32(step.given))
        if step.isEnd { work = .done }
        return Step(taken: step.taken, given: step.given, isEnd: false)
    }
}
