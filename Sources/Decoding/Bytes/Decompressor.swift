internal import Compression

/// Gives the plain bytes of an answer: gzip, zlib, zstd and zip, recognised by their first bytes, and anything else as it is.
///
/// An archive gives its files one after another, each of which may itself be gzipped, as in exports made of logs. Not
/// Sendable: one task at a time uses it, as it belongs to one answer's decoder.
package final class Decompressor {
    /// The next step.
    package enum Event {
        /// Bytes of the file, valid until the next call.
        case bytes(UnsafeRawBufferPointer)
        /// An archived file begins.
        case fileStart(String)
        /// The file is complete.
        case fileEnd
        /// There is nothing more.
        case end
    }

    private enum State {
        case start
        case plain
        case deflated(Inflater)
        case betweenMembers(Inflater)
        case zstd(ZstdReader, isBetween: Bool)
        case archive
        /// Whether any of it has been returned.
        case entry(ZipReader, isBegun: Bool)
        case packedEntry(ZipReader, PackedFile)
        case over
    }

    /// An archived file that is itself gzipped.
    private struct PackedFile {
        let inflater: Inflater
        /// The range of the archive's bytes in `output` still to be inflated.
        var pending: Range<Int>
        /// Whether a member has ended and no other has begun.
        var isBetween = false
        /// Whether the inflater may hold more output than there was room for.
        var mayHoldMore = false
    }

    private let input: ByteInput
    private let limits: DecodingLimits
    private let output: UnsafeMutableRawBufferPointer
    /// The output of a gzipped file inside an archive.
    private let unpacked: UnsafeMutableRawBufferPointer
    private var state = State.start
    /// The number of plain bytes produced.
    private var given = 0
    /// The first bytes of a compressed file, to detect a second layer of compression.
    private var head: [UInt8] = []
    /// The files of an archive that are still to come, the next one last.
    private var entries: [ZipEntry] = []

    /// Decompresses a source.
    package init(_ source: any ByteSource, _ limits: DecodingLimits = DecodingLimits()) {
        input = ByteInput(source)
        self.limits = limits
        output = .allocate(byteCount: ByteInput.size, alignment: 16)
        unpacked = .allocate(byteCount: ByteInput.size, alignment: 16)
    }

    deinit {
        output.deallocate()
        unpacked.deallocate()
    }

    /// The next step; at the end, `end` on every call.
    package func next() throws(DecodingFault) -> Event {
        while true {
            switch state {
            case .over: return .end
            case .start: try begin()
            case .plain:
                guard try input.fill(1) else { return finish() }
                return try give(input.available, taking: input.available.count)
            case .deflated(let inflater):
                let isThere = try input.fill(1)
                let step = try inflater.inflate(input.available, into: output)
                input.take(step.taken)
                if step.isEnd {
                    state = .betweenMembers(inflater)
                } else if !isThere, step.given == 0 {
                    throw Self.truncated
                }
                if step.given > 0 { return try give(step.given) }
            case .betweenMembers(let inflater):
                guard try anotherMember(inflater) else { return finish() }
                state = .deflated(inflater)
            case .zstd(let reader, let isBetween):
                // Zeros after a frame are padding, as after a gzip member.
                while isBetween, try input.fill(1), input.available[0] == 0 { input.take(1) }
                let isThere = try input.fill(1)
                if !isThere, isBetween { return finish() }
                let step = try reader.decompress(input.available, into: output)
                input.take(step.taken)
                state = .zstd(reader, isBetween: step.isEnd)
                if !isThere, step.given == 0, !step.isEnd { throw Self.truncated }
                if step.given > 0 { return try give(step.given) }
            case .archive:
                guard let entry = entries.popLast() else {
                    state = .over
                    return .end
                }
                head = []
                state = .entry(try ZipReader(entry, input), isBegun: false)
                return .fileStart(entry.name)
            case .entry(let reader, let isBegun):
                let (count, isEnd) = try inFile(reader) { () throws(DecodingFault) in
                    try read(reader, atLeast: isBegun ? 1 : 2)
                }
                if count == 0 {
                    state = .archive
                    return .fileEnd
                }
                if !isBegun, !isEnd, output[0] == 0x1F, output[1] == 0x8B {
                    state = .packedEntry(reader, PackedFile(inflater: try Inflater.started(.gzip), pending: 0..<count))
                } else {
                    state = .entry(reader, isBegun: true)
                    return try give(count, of: reader.entry.name)
                }
            case .packedEntry(let reader, var file):
                let count = try inFile(reader) { () throws(DecodingFault) in try unpack(&file, reader) }
                guard let count else {
                    state = .archive
                    return .fileEnd
                }
                state = .packedEntry(reader, file)
                if count > 0 {
                    return try give(UnsafeRawBufferPointer(rebasing: unpacked[..<count]), of: reader.entry.name)
                }
            }
        }
    }

    /// Reads from an archived file into `output`.
    ///
    /// - Returns: The number of bytes: at least as many as asked for unless the file ends first.
    private func read(
        _ reader: ZipReader,
        atLeast least: Int
    ) throws(DecodingFault) -> (count: Int, isEnd: Bool) {
        var count = 0
        while count < least {
            let room = UnsafeMutableRawBufferPointer(rebasing: output[count...])
            let step = try reader.read(input, into: room)
            if step.isEnd { return (count, true) }
            count += step.given
        }
        return (count, false)
    }

    /// Inflates part of a file in `unpacked`.
    ///
    /// - Returns: The number of bytes produced, `nil` at the file's end.
    private func unpack(_ file: inout PackedFile, _ reader: ZipReader) throws(DecodingFault) -> Int? {
        if file.pending.isEmpty, !file.mayHoldMore {
            let step = try reader.read(input, into: output)
            if step.isEnd {
                if file.isBetween { return nil }
                throw Self.truncated
            }
            file.pending = 0..<step.given
        }
        if file.isBetween {
            // Zeros after a member are padding.
            while let first = file.pending.first, output[first] == 0 { file.pending.removeFirst() }
            if file.pending.isEmpty { return 0 }
            file.inflater.reset()
            file.isBetween = false
        }
        let step = try file.inflater.inflate(UnsafeRawBufferPointer(rebasing: output[file.pending]), into: unpacked)
        file.pending.removeFirst(step.taken)
        (file.isBetween, file.mayHoldMore) = (step.isEnd, !step.isEnd && step.given == unpacked.count)
        return step.given
    }

    /// Runs an operation on an archived file, whose name is added to any error.
    private func inFile<Result>(
        _ reader: ZipReader,
        _ body: () throws(DecodingFault) -> Result
    ) throws(DecodingFault) -> Result {
        do throws(DecodingFault) { return try body() } catch {
            var fault = error
            fault.file = fault.file ?? reader.entry.name
            throw fault
        }
    }

    private func begin() throws(DecodingFault) {
        _ = try input.fill(64)
        switch Self.format(input.available) ?? (isRareZlib ? .zlib : nil) {
        case nil: state = .plain
        case .gzip: state = .deflated(try Inflater.started(.gzip))
        case .zlib: state = .deflated(try Inflater.started(.zlib))
        case .zstd: state = .zstd(try ZstdReader(), isBetween: false)
        case .zip:
            guard input.isSeekable else { throw Self.archiveInside }
            entries = try ZipDirectory.read(input).reversed()
            state = .archive
        }
    }

    private func finish() -> Event {
        state = .over
        return .fileEnd
    }

    // MARK: - Detection

    private enum Format { case gzip, zlib, zstd, zip }

    private static func format(_ head: UnsafeRawBufferPointer) -> Format? {
        guard head.count >= 2 else { return nil }
        switch (head[0], head[1]) {
        case (0x1F, 0x8B): return .gzip
        // All of zlib's usual headers but one: see `isRareZlib`.
        case (0x78, 0x01), (0x78, 0x9C), (0x78, 0xDA): return .zlib
        default: break
        }
        guard head.count >= 4 else { return nil }
        let magic = head.little32(0)
        if magic == 0xFD2F_B528 || magic & 0xFFFF_FFF0 == 0x184D_2A50 { return .zstd }
        if magic == ZipDirectory.headerSignature || magic == ZipDirectory.endSignature { return .zip }
        return nil
    }

    /// Whether it is zlib at a low compression level, whose header `78 5E` is also `x^`, the possible beginning of a text.
    private var isRareZlib: Bool {
        let head = UnsafeRawBufferPointer(rebasing: input.available.prefix(64))
        guard head.starts(with: [0x78, 0x5E]) else { return false }
        // A text has no control characters but those between its lines and columns.
        guard head.contains(where: { $0 < 0x20 && !(0x09...0x0D).contains($0) }) else { return false }
        guard let inflater = try? Inflater.started(.zlib), let step = try? inflater.inflate(head, into: output) else {
            return false
        }
        return step.given > 0 || step.isEnd || step.taken == head.count
    }

    // MARK: - Output

    private func give(_ count: Int, of file: String? = nil) throws(DecodingFault) -> Event {
        try give(UnsafeRawBufferPointer(rebasing: output[..<count]), of: file)
    }

    private func give(_ bytes: UnsafeRawBufferPointer, of file: String?) throws(DecodingFault) -> Event {
        if head.count < 4 {
            head += bytes.prefix(4 - head.count)
            let format = head.withUnsafeBytes { Self.format($0) }
            if let format, format != .zlib {
                var fault = DecodingFault(
                    .refused,
                    file == nil
                        ? "the answer is compressed twice"
                        : "a file in the archive is itself an archive or compressed"
                )
                fault.file = file
                throw fault
            }
        }
        return try give(bytes, taking: 0)
    }

    private func give(_ bytes: UnsafeRawBufferPointer, taking taken: Int) throws(DecodingFault) -> Event {
        try count(bytes.count)
        // Taking moves nothing: the bytes stay where they are until the next `fill`.
        input.take(taken)
        return .bytes(bytes)
    }

    private func count(_ bytes: Int) throws(DecodingFault) {
        given += bytes
        if given > limits.total {
            throw DecodingFault(.overLimit, "it has more than \(limits.total) bytes, decompressed")
        }
        if given > 1 << 20, given / max(1, limits.ratio) > input.taken {
            throw DecodingFault(.growsTooMuch, "it expands more than \(limits.ratio) times when decompressed")
        }
    }

    private static let archiveInside = DecodingFault(.refused, "it is itself an archive")
    static let truncated = DecodingFault(.malformed, "the compressed data ends too soon")

    /// Whether another member follows in a gzip file. Zeros after the last one are padding.
    private func anotherMember(_ inflater: Inflater) throws(DecodingFault) -> Bool {
        while try input.fill(1), input.available[0] == 0 { input.take(1) }
        guard try input.fill(1) else { return false }
        guard try input.fill(2), input.available[0] == 0x1F, input.available[1] == 0x8B else {
            throw DecodingFault(.malformed, "there is something else after the compressed data")
        }
        inflater.reset()
        return true
    }
}
