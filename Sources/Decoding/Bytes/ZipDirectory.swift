/// The directory at the end of a zip archive: its contents. What lies before it and is not named there was deleted.
package enum ZipDirectory {
    static let headerSignature: UInt32 = 0x0403_4B50
    static let endSignature: UInt32 = 0x0605_4B50
    /// An entry without its name, extra fields and comment.
    static let entrySize = 46
    /// More files than this are an attack, not an answer.
    static let entryLimit = 10_000

    private static let entrySignature: UInt32 = 0x0201_4B50
    private static let largeEndSignature: UInt32 = 0x0606_4B50
    private static let locatorSignature: UInt32 = 0x0706_4B50
    private static let endSize = 22

    /// The position of the directory.
    private struct Place {
        var offset: Int
        var count: Int
        /// Its length in bytes.
        var length: Int
        /// How far every offset is beyond its stated value, if something precedes the archive.
        var shift: Int
    }

    /// The names of the files in an answer that is an archive; `nil` if it is none.
    package static func names(in source: any ByteSource) throws(DecodingFault) -> [String]? {
        let input = ByteInput(source)
        guard input.isSeekable, try input.fill(4), input.available.little32(0) == headerSignature else { return nil }
        return try read(input).map(\.name)
    }

    /// The files that may hold records, in directory order.
    static func read(_ input: ByteInput) throws(DecodingFault) -> [ZipEntry] {
        let place = try find(input)
        guard place.count <= entryLimit else {
            throw DecodingFault(.overLimit, "the archive has more than \(entryLimit) files")
        }
        input.seek(to: place.offset)
        var entries: [ZipEntry] = []
        var length = 0
        for at in 0..<place.count {
            var entry = try next(input, &length)
            guard entry.offset <= place.offset - place.shift else { throw broken }
            entry.offset += place.shift
            if entry.name == "[Content_Types].xml" || (at == 0 && entry.name == "mimetype") {
                let reason =
                    "it is a document of an office program (XLSX, ODS or the like), not an archive of text files"
                throw DecodingFault(.otherFormat, reason)
            }
            if !entry.isSkipped { entries.append(entry) }
        }
        // A file that is not counted would not be missed.
        guard length == place.length else {
            throw DecodingFault(.malformed, "the archive lists other files than the \(place.count) that its end counts")
        }
        return entries
    }

    private static func next(_ input: ByteInput, _ total: inout Int) throws(DecodingFault) -> ZipEntry {
        guard try input.fill(entrySize), input.available.little32(0) == entrySignature else { throw broken }
        // Three two-byte lengths; together they may exceed what is held at once, which no real entry does.
        let head = input.available
        let length = entrySize + Int(head.little16(28)) + Int(head.little16(30))
        let comment = Int(head.little16(32))
        guard length <= ByteInput.size else { throw DecodingFault(.overLimit, "the archive has too large a header") }
        guard try input.fill(length) else { throw broken }
        let entry = try ZipEntry(UnsafeRawBufferPointer(rebasing: input.available[..<length]))
        input.take(length)
        guard try input.fill(comment) else { throw broken }
        input.take(comment)
        total += length + comment
        return entry
    }

    /// Reads the end of the archive, which only a comment of at most 64 KiB may follow.
    private static func find(_ input: ByteInput) throws(DecodingFault) -> Place {
        let size = input.count
        let from = max(0, size - endSize - 0xFFFF)
        input.seek(to: from)
        guard try input.fill(size - from) else { throw Decompressor.truncated }
        let tail = input.available
        var at = tail.count - endSize
        while at >= 0 {
            if tail.little32(at) == endSignature, at + endSize + Int(tail.little16(at + 20)) <= tail.count { break }
            at -= 1
        }
        guard at >= 0 else { throw Decompressor.truncated }
        var count = UInt64(tail.little16(at + 10))
        var length = UInt64(tail.little32(at + 12))
        var offset = UInt64(tail.little32(at + 16))
        var end = from + at
        // The numbers of this part and of the one where the directory begins, and how many files are listed in this one.
        let parts = [tail.little16(at + 4), tail.little16(at + 6)]
        guard parts.allSatisfy({ $0 == 0 || $0 == 0xFFFF }), tail.little16(at + 8) == tail.little16(at + 10) else {
            throw DecodingFault(.refused, "the archive has several parts")
        }
        if count == 0xFFFF || length == 0xFFFF_FFFF || offset == 0xFFFF_FFFF, at >= 20,
            tail.little32(at - 20) == locatorSignature
        {
            guard let large = Int(exactly: tail.little64(at - 20 + 8)), large <= size else { throw broken }
            input.seek(to: large)
            guard try input.fill(56), input.available.little32(0) == largeEndSignature else { throw broken }
            count = input.available.little64(32)
            length = input.available.little64(40)
            offset = input.available.little64(48)
            end = large
        }
        guard let files = Int(exactly: count), let first = Int(exactly: offset), let bytes = Int(exactly: length),
            bytes <= end, first <= end - bytes
        else { throw broken }
        return Place(offset: end - bytes, count: files, length: bytes, shift: end - bytes - first)
    }

    private static let broken = DecodingFault(.malformed, "the archive is broken")
}
