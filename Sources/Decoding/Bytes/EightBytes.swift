/// Eight bytes that are examined together.
struct EightBytes {
    static let size = 8
    private static let ones: UInt64 = 0x0101_0101_0101_0101
    private static let tops: UInt64 = 0x8080_8080_8080_8080

    private let bits: UInt64

    @inline(__always)
    init(_ from: UnsafeRawPointer) { bits = UInt64(littleEndian: from.loadUnaligned(as: UInt64.self)) }

    @inline(__always)
    func store(to out: UnsafeMutableRawPointer) { out.storeBytes(of: bits.littleEndian, as: UInt64.self) }

    /// Marks the bytes of a value. Only the lowest mark is exact, because a hit borrows from the byte above it; the same is true
    /// of all combined marks.
    @inline(__always)
    func has(_ byte: UInt8) -> UInt64 {
        let rest = bits ^ (Self.ones &* UInt64(byte))
        return (rest &- Self.ones) & ~rest & Self.tops
    }

    /// Marks the bytes that must be escaped in a JSON string: control characters, `"` and `\`.
    @inline(__always)
    var needsEscape: UInt64 {
        ((bits &- Self.ones &* 0x20) & ~bits & Self.tops) | has(0x22) | has(0x5C)
    }

    /// The number of bytes before the first marked one: 8 if there is none.
    @inline(__always)
    func first(of marks: UInt64) -> Int { marks.trailingZeroBitCount >> 3 }

    /// Copies bytes eight at a time: up to seven bytes past them are read and written too.
    @inline(__always)
    static func copy(_ from: UnsafeRawPointer, _ count: Int, to out: inout UnsafeMutableRawPointer) {
        var at = 0
        while at < count {
            EightBytes(from + at).store(to: out + at)
            at += size
        }
        out += count
    }
}
