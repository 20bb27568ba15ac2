/// A file in a zip archive, as the archive's directory describes it (APPNOTE.TXT 4.3.12).
struct ZipEntry {
    enum Method: UInt16 {
        case stored = 0
        case deflated = 8
        case zstd = 93
    }

    /// The name for display: without control characters, and of limited length.
    var name: String
    var method: UInt16
    var flags: UInt16
    var crc: UInt32
    /// The size of its data, in the archive and decompressed.
    var size: (compressed: Int, plain: Int)
    /// The offset of its header.
    var offset: Int

    /// Whether it holds no records: folders, and what macOS adds.
    var isSkipped: Bool { name.hasSuffix("/") || name.hasPrefix("__MACOSX/") || name.hasSuffix(".DS_Store") }

    /// - Parameter bytes: Its part of the directory, with name and extra fields.
    init(_ bytes: UnsafeRawBufferPointer) throws(DecodingFault) {
        let nameEnd = ZipDirectory.entrySize + Int(bytes.little16(28))
        name = Self.shown(UnsafeRawBufferPointer(rebasing: bytes[ZipDirectory.entrySize..<nameEnd]))
        flags = bytes.little16(8)
        method = bytes.little16(10)
        crc = bytes.little32(16)
        var numbers = [bytes.little32(24), bytes.little32(20), bytes.little32(42)].map { UInt64($0) }
        try Self.enlarge(&numbers, UnsafeRawBufferPointer(rebasing: bytes[nameEnd...]), name)
        guard let plain = Int(exactly: numbers[0]), let compressed = Int(exactly: numbers[1]),
            let offset = Int(exactly: numbers[2])
        else { throw Self.broken(name, "has no size") }
        size = (compressed, plain)
        self.offset = offset
    }

    /// Takes the numbers that do not fit in four bytes from the ZIP64 extra field, which holds only those, in order.
    private static func enlarge(_ numbers: inout [UInt64], _ extra: UnsafeRawBufferPointer, _ name: String)
        throws(DecodingFault)
    {
        let missing = numbers.indices.filter { numbers[$0] == 0xFFFF_FFFF }
        if missing.isEmpty { return }
        var at = 0
        while at + 4 <= extra.count {
            let length = Int(extra.little16(at + 2))
            if extra.little16(at) == 1, length >= missing.count * 8, at + 4 + length <= extra.count {
                for (place, number) in missing.enumerated() { numbers[number] = extra.little64(at + 4 + place * 8) }
                return
            }
            at += 4 + length
        }
        throw broken(name, "has no size")
    }

    /// A name may have 64 KiB and any bytes, and appears in messages and dead letters.
    private static func shown(_ bytes: UnsafeRawBufferPointer) -> String {
        var text = String.UnicodeScalarView()
        for scalar in String(decoding: bytes.prefix(1024), as: UTF8.self).unicodeScalars.prefix(300) {
            text.append(scalar.properties.generalCategory == .control ? "\u{FFFD}" : scalar)
        }
        return String(text)
    }

    /// Its method, if it is supported.
    func readable() throws(DecodingFault) -> Method {
        if flags & 0x2041 != 0 { throw Self.refused(name, "is encrypted") }
        guard let method = Method(rawValue: method) else {
            throw Self.refused(name, "is compressed by a method that is not supported (\(method))")
        }
        return method
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
    /// Two bytes, little-endian.
    func little16(_ at: Int) -> UInt16 { UInt16(littleEndian: loadUnaligned(fromByteOffset: at, as: UInt16.self)) }
    /// Four bytes, little-endian.
    func little32(_ at: Int) -> UInt32 { UInt32(littleEndian: loadUnaligned(fromByteOffset: at, as: UInt32.self)) }
    /// Eight bytes, little-endian.
    func little64(_ at: Int) -> UInt64 { UInt64(littleEndian: loadUnaligned(fromByteOffset: at, as: UInt64.self)) }
}
