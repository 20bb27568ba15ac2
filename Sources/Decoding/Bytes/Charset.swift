internal import Glibc

/// How bytes encode characters.
package struct Charset: Sendable, Equatable {
    /// How it is decoded.
    enum Way: Sendable, Equatable {
        /// Already UTF-8, and only validated.
        case utf8
        /// By a table, one byte for each character.
        case windows1252
        /// By iconv, under this name; a character has at least this many bytes.
        case iconv(String, unit: Int)
    }

    let way: Way
    /// Whether the name leaves the byte order open, so that the text decides.
    private var isOpen = false

    /// UTF-8.
    package static let utf8 = Charset(way: .utf8)

    private init(way: Way) { self.way = way }

    /// A charset by one of its names, `nil` if it is unknown here.
    ///
    /// Names mean what they mean to browsers (`CharsetLabels`): files labelled Latin-1 have the dashes and quotes of
    /// Windows-1252, and those labelled Shift_JIS have the characters of Windows-31J.
    package init?(_ name: String) {
        let name = name.lowercased()
        if let label = CharsetLabels.way(name) {
            way = label.way
            isOpen = label.isOpen
            return
        }
        // iconv names may carry options after slashes.
        let isName = name.utf8.allSatisfy { byte in
            (0x30...0x39).contains(byte) || (0x61...0x7A).contains(byte) || byte == 0x2D || byte == 0x5F
                || byte == 0x2E || byte == 0x3A
        }
        guard isName, !name.isEmpty, let descriptor = Self.open(name) else { return nil }
        iconv_close(descriptor)
        way = .iconv(name, unit: 1)
    }

    /// With the byte order that the first bytes show, if its name leaves that open.
    func settled(_ head: UnsafeRawBufferPointer) -> Charset {
        guard isOpen, let wide = Self.wide(head), wide.unit == unit else { return self }
        return wide
    }

    /// The minimum number of bytes in a character.
    var unit: Int { if case .iconv(_, let unit) = way { unit } else { 1 } }

    /// A converter to UTF-8, which the caller closes; `nil` if there is none.
    static func open(_ name: String) -> iconv_t? {
        let descriptor = iconv_open("UTF-8", name)
        // iconv reports failure with a pointer of all ones.
        return descriptor == iconv_t(bitPattern: -1) ? nil : descriptor
    }

    /// By a byte order mark, with the mark's length in bytes.
    static func marked(_ head: UnsafeRawBufferPointer) -> (charset: Charset, mark: Int)? {
        if head.starts(with: [0xEF, 0xBB, 0xBF]) { return (.utf8, 3) }
        if head.starts(with: [0xFF, 0xFE, 0, 0]) { return (Charset(way: .iconv("UTF-32LE", unit: 4)), 4) }
        if head.starts(with: [0, 0, 0xFE, 0xFF]) { return (Charset(way: .iconv("UTF-32BE", unit: 4)), 4) }
        if head.starts(with: [0xFF, 0xFE]) { return (Charset(way: .iconv("UTF-16LE", unit: 2)), 2) }
        if head.starts(with: [0xFE, 0xFF]) { return (Charset(way: .iconv("UTF-16BE", unit: 2)), 2) }
        return nil
    }

    /// By its first two characters, if they are ASCII and there is no mark: text has no zero bytes.
    static func wide(_ head: UnsafeRawBufferPointer) -> Charset? {
        guard head.count >= 4 else { return nil }
        switch (head[0] == 0, head[1] == 0, head[2] == 0, head[3] == 0) {
        case (false, true, false, true): return Charset(way: .iconv("UTF-16LE", unit: 2))
        case (true, false, true, false): return Charset(way: .iconv("UTF-16BE", unit: 2))
        case (false, true, true, true): return Charset(way: .iconv("UTF-32LE", unit: 4))
        case (true, true, true, false): return Charset(way: .iconv("UTF-32BE", unit: 4))
        default: return nil
        }
    }

    /// The name in an XML declaration: `<?xml version="1.0" encoding="ISO-8859-1"?>`. Some producers write blanks before it.
    static func nameInXML(_ head: UnsafeRawBufferPointer) -> String? {
        let start = head.firstIndex { $0 > 0x20 } ?? head.endIndex
        let bytes = head[start...]
        guard bytes.starts(with: Array("<?xml".utf8)) else { return nil }
        let text = String(decoding: bytes.prefix { $0 != UInt8(ascii: ">") }, as: UTF8.self)
        guard let behind = text.range(of: "encoding")?.upperBound else { return nil }
        let quoted = text[behind...].drop { $0 == " " || $0 == "=" || $0 == "\n" || $0 == "\r" || $0 == "\t" }
        guard let quote = quoted.first, quote == "\"" || quote == "'" else { return nil }
        return String(quoted.dropFirst().prefix { $0 != quote })
    }

    /// The encoding that an HTML page names in a `meta` element among its first 1,024 bytes, where the standard has it.
    static func nameInHTML(_ head: UnsafeRawBufferPointer) -> String? {
        var rest = String(decoding: head.prefix(1024), as: UTF8.self).lowercased()
        while let start = rest.range(of: "<meta")?.upperBound {
            let tag = String(rest[start...].prefix { $0 != ">" })
            if let behind = tag.range(of: "charset")?.upperBound {
                let value = tag[behind...].drop { $0.isWhitespace || "=\"'".contains($0) }
                let name = value.prefix { !$0.isWhitespace && !"\"'/;".contains($0) }
                if !name.isEmpty { return String(name) }
            }
            rest = String(rest[start...])
        }
        return nil
    }

    /// The characters of Windows-1252 from 0x80 on, as UTF-8. The five undefined bytes stand for control characters.
    static let windows1252: [[UInt8]] = {
        let first: [UInt32] = [
            0x20AC, 0x81, 0x201A, 0x0192, 0x201E, 0x2026, 0x2020, 0x2021, 0x02C6, 0x2030, 0x0160, 0x2039, 0x0152, 0x8D,
            0x017D, 0x8F, 0x90, 0x2018, 0x2019, 0x201C, 0x201D, 0x2022, 0x2013, 0x2014, 0x02DC, 0x2122, 0x0161, 0x203A,
            0x0153, 0x9D, 0x017E, 0x0178,
        ]
        return (first + Array(0xA0...0xFF)).map { code in
            Array(String(Unicode.Scalar(code).map { Character($0) } ?? "\u{FFFD}").utf8)
        }
    }()
}

extension String {
    /// The range of a text within this one.
    fileprivate func range(of text: String) -> Range<Index>? {
        var at = startIndex
        while at < endIndex {
            if self[at...].hasPrefix(text) { return at..<index(at, offsetBy: text.count) }
            at = index(after: at)
        }
        return nil
    }
}
