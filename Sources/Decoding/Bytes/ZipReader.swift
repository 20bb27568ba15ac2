internal import CZlib

/// Reads the data of one file in an archive, and holds it against its checksum and sizes.
final class ZipReader {
    let entry: ZipEntry
    private enum Work {
        case stored(rest: Int)
        case deflated(Inflater)
        case zstd(ZstdReader)
        case done
    }
    private var work: Work
    private var (compressed, plain) = (0, 0)
    private var crc: UInt

    init(_ entry: ZipEntry) throws(DecodingFault) {
        self.entry = entry
        // The checksum of nothing.
        crc = crc32(0, nil, 0)
        switch entry.method {
        case .stored: work = .stored(rest: entry.size?.compressed ?? 0)
        case .deflated: work = .deflated(try Inflater(.none))
        case .zstd: work = .zstd(try ZstdReader())
        }
    }

    /// The next plain bytes, or with `isEnd` none: then the file is complete and was right.
    func read(_ input: ByteInput, into output: UnsafeMutableRawBufferPointer) throws(DecodingFault) -> Step {
        if case .done = work {
            try end(input)
            return Step(taken: 0, given: 0, isEnd: true)
        }
        var step: Step
        switch work {
        case .stored(let rest):
            if rest > 0, try !input.fill(1) { throw Decompressor.truncated }
            let count = min(rest, output.count, input.available.count)
            if count > 0 { output.copyMemory(from: UnsafeRawBufferPointer(rebasing: input.available[..<count])) }
            step = Step(taken: count, given: count, isEnd: count == rest)
            work = .stored(rest: rest - count)
        case .deflated(let inflater):
            let isThere = try input.fill(1)
            step = try inflater.inflate(input.available, into: output)
            if !isThere, step.given == 0, !step.isEnd { throw Decompressor.truncated }
        case .zstd(let reader):
            let isThere = try input.fill(1)
            step = try reader.decompress(input.available, into: output)
            if !isThere, step.given == 0, !step.isEnd { throw Decompressor.truncated }
        case .done: step = Step(taken: 0, given: 0, isEnd: true)
        }
        input.take(step.taken)
        compressed += step.taken
        plain += step.given
        crc = crc32(crc, output.assumingMemoryBound(to: UInt8.self).baseAddress, UInt32(step.given))
        if step.isEnd { work = .done }
        return Step(taken: step.taken, given: step.given, isEnd: false)
    }

    private func end(_ input: ByteInput) throws(DecodingFault) {
        if let size = entry.size {
            guard size == (compressed, plain), UInt32(crc) == entry.crc else {
                throw ZipEntry.broken(entry.name, "does not match its checksum")
            }
            return
        }
        _ = try input.fill(24)
        let length = ZipEntry.descriptorLength(
            input.available,
            crc: UInt32(crc),
            compressed: compressed,
            plain: plain
        )
        guard let length else { throw ZipEntry.broken(entry.name, "does not match its checksum") }
        input.take(length)
    }
}
