/// Finds the first bytes that are not valid UTF-8.
enum UTF8Check {
    enum End: Equatable {
        /// All of it is UTF-8.
        case whole
        /// It ends inside a character.
        case incomplete
        /// This many bytes are not a character.
        case broken(Int)
    }

    /// How many bytes from `start` on are UTF-8, and what follows them.
    static func length(_ bytes: UnsafeRawBufferPointer, from start: Int) -> (count: Int, end: End) {
        var at = start
        let count = bytes.count
        while at < count {
            // Eight at a time while they are ASCII.
            while at + 8 <= count,
                bytes.loadUnaligned(fromByteOffset: at, as: UInt64.self) & 0x8080_8080_8080_8080 == 0
            {
                at += 8
            }
            guard at < count else { break }
            let byte = bytes[at]
            if byte < 0x80 {
                at += 1
                continue
            }
            // Table 3-7 of the Unicode standard: the range of the second byte excludes most of what is not allowed.
            let (length, second): (Int, ClosedRange<UInt8>)
            switch byte {
            case 0xC2...0xDF: (length, second) = (2, 0x80...0xBF)
            case 0xE0: (length, second) = (3, 0xA0...0xBF)
            case 0xED: (length, second) = (3, 0x80...0x9F)
            case 0xE1...0xEF: (length, second) = (3, 0x80...0xBF)
            case 0xF0: (length, second) = (4, 0x90...0xBF)
            case 0xF1...0xF3: (length, second) = (4, 0x80...0xBF)
            case 0xF4: (length, second) = (4, 0x80...0x8F)
            default: return (at - start, .broken(1))
            }
            for offset in 1..<length {
                guard at + offset < count else { return (at - start, .incomplete) }
                let allowed = offset == 1 ? second : 0x80...0xBF
                guard allowed.contains(bytes[at + offset]) else { return (at - start, .broken(offset)) }
            }
            at += length
        }
        return (at - start, .whole)
    }
}
