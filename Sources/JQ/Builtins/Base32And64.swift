/// Base 64 and base 32.
enum Base32And64 {
    private static let digits64 = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)
    private static let digits32 = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZ234567".utf8)

    static func encode64(_ source: UnsafeBufferPointer<UInt8>, into bytes: inout [UInt8]) {
        encode(source, digits64, bits: 6, group: 4, into: &bytes)
    }

    static func encode32(_ source: UnsafeBufferPointer<UInt8>, into bytes: inout [UInt8]) {
        encode(source, digits32, bits: 5, group: 8, into: &bytes)
    }

    private static func encode(
        _ source: UnsafeBufferPointer<UInt8>,
        _ digits: [UInt8],
        bits width: UInt32,
        group: Int,
        into bytes: inout [UInt8]
    ) {
        var bits: UInt32 = 0
        var count: UInt32 = 0
        let mask = UInt32(digits.count - 1)
        for byte in source {
            bits = (bits << 8 | UInt32(byte)) & 0xFFFF
            count += 8
            while count >= width {
                count -= width
                bytes.append(digits[Int(bits >> count & mask)])
            }
        }
        if count > 0 { bytes.append(digits[Int(bits << (width - count) & mask)]) }
        while bytes.count % group != 0 { bytes.append(UInt8(ascii: "=")) }
    }

    static func decode64(
        _ source: UnsafeBufferPointer<UInt8>,
        _ value: Value,
        into bytes: inout [UInt8]
    ) throws(JQError) {
        // Missing digits at the end do not matter; anything that is not a digit does.
        var bits: UInt32 = 0
        var count: UInt32 = 0
        var digits = 0
        for byte in source {
            let digit: UInt32
            switch byte {
            case UInt8(ascii: "A")...UInt8(ascii: "Z"): digit = UInt32(byte - UInt8(ascii: "A"))
            case UInt8(ascii: "a")...UInt8(ascii: "z"): digit = UInt32(byte - UInt8(ascii: "a")) + 26
            case UInt8(ascii: "0")...UInt8(ascii: "9"): digit = UInt32(byte - UInt8(ascii: "0")) + 52
            case UInt8(ascii: "+"): digit = 62
            case UInt8(ascii: "/"): digit = 63
            case UInt8(ascii: "="): continue
            default: throw Failure.single(value, "is not valid base64 data")
            }
            digits += 1
            bits = (bits << 6 | digit) & 0xFFFF
            count += 6
            if count >= 8 {
                count -= 8
                bytes.append(UInt8(truncatingIfNeeded: bits >> count))
            }
        }
        // Four digits are three bytes; a single one is none.
        if digits % 4 == 1 { throw Failure.single(value, "trailing base64 byte found") }
    }

    static func decode32(
        _ source: UnsafeBufferPointer<UInt8>,
        _ value: Value,
        into bytes: inout [UInt8]
    ) throws(JQError) {
        var bits: UInt32 = 0
        var count: UInt32 = 0
        for byte in source where byte != UInt8(ascii: "=") {
            let digit: UInt32
            switch byte {
            case UInt8(ascii: "A")...UInt8(ascii: "Z"): digit = UInt32(byte - UInt8(ascii: "A"))
            case UInt8(ascii: "2")...UInt8(ascii: "7"): digit = UInt32(byte - UInt8(ascii: "2")) + 26
            default: throw Failure.single(value, "is not valid base32 data")
            }
            bits = (bits << 5 | digit) & 0xFFFF
            count += 5
            if count >= 8 {
                count -= 8
                bytes.append(UInt8(truncatingIfNeeded: bits >> count))
            }
        }
    }
}

/// `%41`: a byte as two hexadecimal digits, as in URLs.
enum PercentCode {
    private static let digits = Array("0123456789ABCDEF".utf8)

    static func encode(_ source: UnsafeBufferPointer<UInt8>, into bytes: inout [UInt8]) {
        for byte in source {
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"), UInt8(ascii: "."),
                UInt8(ascii: "~"):
                bytes.append(byte)
            default:
                bytes.append(UInt8(ascii: "%"))
                bytes.append(digits[Int(byte >> 4)])
                bytes.append(digits[Int(byte & 15)])
            }
        }
    }

    /// Everything but `%` stands for itself. The result has to be UTF-8.
    static func decode(
        _ source: UnsafeBufferPointer<UInt8>,
        _ value: Value,
        into bytes: inout [UInt8]
    ) throws(JQError) {
        var at = 0
        while at < source.count {
            guard source[at] == UInt8(ascii: "%") else {
                bytes.append(source[at])
                at += 1
                continue
            }
            guard at + 2 < source.count, let high = digit(source[at + 1]), let low = digit(source[at + 2]) else {
                throw invalid(value)
            }
            bytes.append(high << 4 | low)
            at += 3
        }
        if String(validating: bytes, as: UTF8.self) == nil { throw invalid(value) }
    }

    private static func digit(_ byte: UInt8) -> UInt8? {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): byte - UInt8(ascii: "0")
        case UInt8(ascii: "A")...UInt8(ascii: "F"): byte - UInt8(ascii: "A") + 10
        case UInt8(ascii: "a")...UInt8(ascii: "f"): byte - UInt8(ascii: "a") + 10
        default: nil
        }
    }

    private static func invalid(_ value: Value) -> JQError { Failure.single(value, "is not a valid uri encoding") }
}
