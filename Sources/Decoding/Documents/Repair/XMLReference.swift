internal import CLibXML2

/// What an `&` begins.
enum XMLReference {
    /// Its end has not come yet.
    case needsMore
    /// One that XML knows.
    case known(end: Int)
    /// An entity of HTML, whose character is given instead.
    case character(String.UTF8View, end: Int)
    /// The number of a character that XML does not allow.
    case forbidden(end: Int)
    /// Nothing: it is text.
    case none

    /// Longer names and numbers than this there are none.
    private static let limit = 32

    /// Looks at the `&` at a place.
    ///
    /// - Parameter isEnd: Whether nothing follows the bytes.
    init(_ bytes: UnsafeRawBufferPointer, _ start: Int, _ isEnd: Bool) {
        if let end = Self.endOfXMLs(bytes, start + 1) {
            self = .known(end: end)
            return
        }
        var at = start + 1
        while at < bytes.count, at - start <= Self.limit, Self.belongs(bytes[at]) { at += 1 }
        guard at < bytes.count, at - start <= Self.limit else {
            self = at < bytes.count || isEnd || at - start > Self.limit ? .none : .needsMore
            return
        }
        guard bytes[at] == UInt8(ascii: ";"), at > start + 1 else {
            self = .none
            return
        }
        let text = String(decoding: bytes[start + 1..<at], as: UTF8.self)
        self = text.hasPrefix("#") ? Self.numbered(text.dropFirst(), end: at + 1) : Self.named(text, end: at + 1)
    }

    /// The end of one of XML's own five, which are frequent.
    private static func endOfXMLs(_ bytes: UnsafeRawBufferPointer, _ start: Int) -> Int? {
        func has(_ name: StaticString) -> Bool {
            let count = name.utf8CodeUnitCount
            guard start + count <= bytes.count else { return false }
            for at in 0..<count where bytes[start + at] != name.utf8Start[at] { return false }
            return true
        }
        if has("lt;") || has("gt;") { return start + 3 }
        if has("amp;") { return start + 4 }
        return has("quot;") || has("apos;") ? start + 5 : nil
    }

    private static func belongs(_ byte: UInt8) -> Bool {
        UInt8(ascii: "a")...UInt8(ascii: "z") ~= byte | 0x20 || UInt8(ascii: "0")...UInt8(ascii: "9") ~= byte
            || byte == UInt8(ascii: "#")
    }

    private static func numbered(_ digits: Substring, end: Int) -> XMLReference {
        let isHexadecimal = digits.hasPrefix("x")
        // XML has no other way of writing them; a capital X is HTML's.
        let isCapital = digits.hasPrefix("X")
        let number = UInt32(
            isHexadecimal || isCapital ? digits.dropFirst() : digits,
            radix: isHexadecimal || isCapital ? 16 : 10
        )
        guard let number else { return .none }
        guard let scalar = Unicode.Scalar(number), isAllowed(number) else { return .forbidden(end: end) }
        return isCapital ? written(scalar, end: end) : .known(end: end)
    }

    private static func isAllowed(_ number: UInt32) -> Bool {
        number >= 0x20 ? number != 0xFFFE && number != 0xFFFF : number == 0x09 || number == 0x0A || number == 0x0D
    }

    private static func named(_ name: String, end: Int) -> XMLReference {
        // A table of libxml2's own, which is never freed; `NULL` if it has no such name.
        let entity = name.withCString { text in
            text.withMemoryRebound(to: xmlChar.self, capacity: name.utf8.count + 1) { htmlEntityLookup($0) }
        }
        guard let entity, let scalar = Unicode.Scalar(entity.pointee.value) else { return .none }
        return written(scalar, end: end)
    }

    private static func written(_ scalar: Unicode.Scalar, end: Int) -> XMLReference {
        // As a number, if it would be markup.
        let isMarkup = "&<>\"'".unicodeScalars.contains(scalar)
        return .character((isMarkup ? "&#\(scalar.value);" : String(scalar)).utf8, end: end)
    }
}
