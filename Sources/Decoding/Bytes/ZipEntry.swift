/// A file in a zip archive, as the archive's directory has it (APPNOTE.TXT 4.3.12).
struct ZipEntry {
    enum Method: UInt16 {
        case stored = 0
        case deflated = 8
        case zstd = 93
    }

    /// As it is shown: without control characters, and not endless.
    var name: String
    var method: UInt16
    var flags: UInt16
    var crc: UInt32
    /// The bytes of its data, in the archive and out of it.
    var size: (compressed: Int, plain: Int)
    /// Where its header is.
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

    /// Takes the numbers that have no room in four bytes from the extra field of ZIP64: it has only those, in their order.
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

    /// A name may have 64 KiB and any bytes, and goes into messages and dead letters.
    private static func shown(_ bytes: UnsafeRawBufferPointer) -> String {
        var text = String.UnicodeScalarView()
        for scalar in String(decoding: bytes.prefix(1024), as: UTF8.self).unicodeScalars.prefix(300) {
            text.append(scalar.properties.generalCategory == .control ? "\u{FFFD}" : scalar)
        }
        return String(text)
    }

    /// Its method, where it can be read.
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
    /// Two bytes, the lower one first.
    func little16(_ at: Int) -> UInt16 { UInt16(littleEndian: loadUnaligned(fromByteOffset: at, as: UInt16.self)) }
    /// Four bytes, the lowest one first.
    func little32(_ at: Int) -> UInt32 { UInt32(littleEndian: loadUnaligned(fromByteOffset: at, as: UInt32.self)) }
    /// Eight bytes, the lowest one first.
    func little64(_ at: Int) -> UInt64 { UInt64(littleEndian: loadUnaligned(fromByteOffset: at, as: UInt64.self)) }
}
