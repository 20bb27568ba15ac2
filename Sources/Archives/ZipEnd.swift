/// The end of a zip archive: the offset of its directory, and its stated number of entries (APPNOTE 4.3.14 to 4.3.16).
///
/// It is checked before memory is allocated for the entries, and nothing else in it is trusted.
struct ZipEnd: Equatable {
    /// Where the directory begins.
    var directory: Int
    /// The stated number of entries.
    var entries: Int
    /// Whether it says that the archive has other parts, in other files.
    var hasParts = false

    private static let end: [UInt8] = [0x50, 0x4B, 0x05, 0x06]
    private static let end64: [UInt8] = [0x50, 0x4B, 0x06, 0x06]
    private static let locator: [UInt8] = [0x50, 0x4B, 0x06, 0x07]
    /// The record and the longest comment after it.
    private static let reach = 22 + 65_535

    /// Finds it; `nil` in a file that has none, such as a truncated one.
    static func find(in file: ArchiveFile) throws(ArchiveFault) -> ZipEnd? {
        guard ArchiveKind(try file.head(ArchiveKind.reach)) == .zip else { return nil }
        let from = max(0, file.stamp.size - reach)
        let tail = try file.bytes(at: from, file.stamp.size - from)
        guard tail.count >= 22 else { return nil }
        for at in stride(from: tail.count - 22, through: 0, by: -1) where tail[at...].starts(with: end) {
            let parts = [tail.little(at + 4, 2), tail.little(at + 6, 2)]
            let small = ZipEnd(
                directory: tail.little(at + 16, 4),
                entries: tail.little(at + 10, 2),
                hasParts: !parts.allSatisfy { $0 == 0 || $0 == 0xFFFF }
                    || tail.little(at + 8, 2) != tail.little(at + 10, 2)
            )
            let size = tail.little(at + 12, 4)
            let found =
                small.directory == 0xFFFF_FFFF || small.entries == 0xFFFF
                ? try large(file, locator: from + at - 20) ?? (small, size) : (small, size)
            // A directory that does not precede its end is invalid.
            if small.hasParts { return small }
            guard found.0.directory >= 0, found.0.directory <= from + at, found.1 <= from + at else { return nil }
            return found.0
        }
        return nil
    }

    /// Whether a file that does not begin as a zip ends as one.
    static func isAtTheEnd(of file: ArchiveFile) throws(ArchiveFault) -> Bool {
        let count = min(22, file.stamp.size)
        return try file.bytes(at: file.stamp.size - count, count).starts(with: end)
    }

    private static func large(_ file: ArchiveFile, locator at: Int) throws(ArchiveFault) -> (ZipEnd, Int)? {
        guard at >= 0 else { return nil }
        let found = try file.bytes(at: at, 20)
        guard found.count == 20, found.starts(with: locator) else { return nil }
        let place = found.little(8, 8)
        guard place >= 0, place < file.stamp.size else { return nil }
        let record = try file.bytes(at: place, 56)
        guard record.count == 56, record.starts(with: end64) else { return nil }
        return (ZipEnd(directory: record.little(48, 8), entries: record.little(32, 8)), record.little(40, 8))
    }
}

extension [UInt8] {
    /// A little-endian number of this many bytes. Negative if it does not fit in an `Int`.
    fileprivate func little(_ at: Int, _ count: Int) -> Int {
        var bits: UInt64 = 0
        for byte in self[at..<(at + count)].reversed() { bits = bits << 8 | UInt64(byte) }
        return Int(truncatingIfNeeded: bits)
    }
}
