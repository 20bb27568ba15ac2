/// A file in a zip archive, by the header before it (APPNOTE.TXT 4.3.7).
struct ZipEntry {
    static let headerSignature: UInt32 = 0x0403_4B50
    static let descriptorSignature: UInt32 = 0x0807_4B50
    /// What may follow the last file: the central directory, the end of an empty archive, their forms for large archives, and
    /// an encrypted directory.
    static let ends: Set<UInt32> = [0x0201_4B50, 0x0605_4B50, 0x0606_4B50, 0x0806_4B50, 0x0505_4B50]
    /// The header without name and extra fields.
    static let headerSize = 30

    enum Method: UInt16 {
        case stored = 0
        case deflated = 8
        case zstd = 93
    }

    var name: String
    var method: Method
    var crc: UInt32
    /// `nil` where it stands in a descriptor behind the data.
    var size: (compressed: Int, plain: Int)?
    /// Whether it holds no records: folders, and what macOS adds.
    var isSkipped: Bool

    /// - Parameter bytes: The header with name and extra fields.
    init(_ bytes: UnsafeRawBufferPointer) throws(DecodingFault) {
        let nameEnd = Self.headerSize + Int(bytes.little16(26))
        name = String(decoding: bytes[Self.headerSize..<nameEnd], as: UTF8.self)
        let flags = bytes.little16(6)
        if flags & 0x2041 != 0 { throw Self.refused(name, "is encrypted") }
        guard let method = Method(rawValue: bytes.little16(8)) else {
            throw Self.refused(name, "is compressed by a method that is not supported (\(bytes.little16(8)))")
        }
        self.method = method
        crc = bytes.little32(14)
        isSkipped = name.hasSuffix("/") || name.hasPrefix("__MACOSX/")
        if flags & 8 != 0 {
            if method == .stored { throw Self.refused(name, "is stored without its size before it") }
            return
        }
        var (compressed, plain) = (UInt64(bytes.little32(18)), UInt64(bytes.little32(22)))
        if compressed == 0xFFFF_FFFF || plain == 0xFFFF_FFFF {
            guard let large = Self.largeSizes(UnsafeRawBufferPointer(rebasing: bytes[nameEnd...])) else {
                throw Self.broken(name, "has no size")
            }
            (plain, compressed) = large
        }
        guard let compressed = Int(exactly: compressed), let plain = Int(exactly: plain) else {
            throw Self.broken(name, "has no size")
        }
        size = (compressed, plain)
    }

    /// The sizes in the extra field of ZIP64.
    private static func largeSizes(_ extra: UnsafeRawBufferPointer) -> (plain: UInt64, compressed: UInt64)? {
        var at = 0
        while at + 4 <= extra.count {
            let length = Int(extra.little16(at + 2))
            if extra.little16(at) == 1, length >= 16, at + 20 <= extra.count {
                return (extra.little64(at + 4), extra.little64(at + 12))
            }
            at += 4 + length
        }
        return nil
    }

    /// How long the descriptor behind the data is, with or without signature and with short or long sizes, `nil` where it does
    /// not fit what was read.
    static func descriptorLength(_ bytes: UnsafeRawBufferPointer, crc: UInt32, compressed: Int, plain: Int) -> Int? {
        for start in [4, 0] where start == 0 || (bytes.count >= 4 && bytes.little32(0) == descriptorSignature) {
            guard bytes.count >= start + 12, bytes.little32(start) == crc else { continue }
            if bytes.count >= start + 20, bytes.little64(start + 4) == UInt64(compressed),
                bytes.little64(start + 12) == UInt64(plain)
            {
                return start + 20
            }
            if bytes.little32(start + 4) == UInt32(truncatingIfNeeded: compressed),
                bytes.little32(start + 8) == UInt32(truncatingIfNeeded: plain)
            {
                return start + 12
            }
        }
        return nil
    }

    private static func refused(_ name: String, _ reason: String) -> DecodingFault {
        var fault = DecodingFault(.refused, "a file in the archive \(reason)")
        fault.file = name
        return fault
    }

    static func broken(_ name: String, _ reason: String) -> DecodingFault {
        var fault = DecodingFault(.malformed, "a file in the archive \(reason)")
        fault.file = name
        return fault
    }
}

extension UnsafeRawBufferPointer {
    /// Two bytes, the lower one first.
    func little16(_ at: Int) -> UInt16 { UInt16(littleEndian: loadUnaligned(fromByteOffset: at, as: UInt16.self)) }
    /// Four bytes, the lowest one first.
    func little32(_ at: Int) -> UInt32 { UInt32(littleEndian: loadUnaligned(fromByteOffset: at, as: UInt32.self)) }
    /// Eight bytes, the lowest one first.
    func little64(_ at: Int) -> UInt64 { UInt64(littleEndian: loadUnaligned(fromByteOffset: at, as: UInt64.self)) }
}
