internal import LosslessJSON

/// Splits bytes that arrive in pieces into JSON documents, one after another, with or without white space between.
///
/// It only finds where documents end; whether they are JSON, the parser says.
struct JSONSequence {
    private enum Place { case between, inWord, inText, inEscape, inValue }

    private var bytes: [UInt8] = []
    private var scanned = 0
    private var start = 0
    private var depth = 0
    private var place = Place.between
    /// How many bytes lie before `bytes`.
    private var consumed = 0

    mutating func append(_ more: [UInt8]) {
        if start > 0 {
            bytes.removeFirst(start)
            consumed += start
            scanned -= start
            start = 0
        }
        bytes += more
    }

    /// The next whole document, `nil` where more bytes are needed, or none are left with `atEnd`.
    ///
    /// - Returns: Its bytes and the offset of the first one in the whole input.
    mutating func next(atEnd: Bool) -> (bytes: ArraySlice<UInt8>, offset: Int)? {
        while scanned < bytes.count {
            if step(bytes[scanned]) { return take() }
        }
        guard atEnd, place != .between else { return nil }
        return take()
    }

    /// Looks at one byte; `true` where a document ends before `scanned`.
    private mutating func step(_ byte: UInt8) -> Bool {
        switch place {
        case .between:
            let isFirst = consumed == 0 && start == 0
            if Self.isSpace(byte) || (isFirst && scanned < 3 && byte == [0xEF, 0xBB, 0xBF][scanned]) { break }
            start = scanned
            begin(byte)
        case .inWord:
            if Self.isSpace(byte) || [UInt8(ascii: "{"), UInt8(ascii: "["), UInt8(ascii: "\"")].contains(byte) {
                return true
            }
        case .inEscape: place = .inText
        case .inText:
            if byte == UInt8(ascii: "\\") { place = .inEscape }
            if byte == UInt8(ascii: "\"") { return closes() }
        case .inValue:
            switch byte {
            case UInt8(ascii: "\""): place = .inText
            case UInt8(ascii: "{"), UInt8(ascii: "["): depth += 1
            case UInt8(ascii: "}"), UInt8(ascii: "]"):
                depth -= 1
                return closes()
            default: break
            }
        }
        scanned += 1
        return false
    }

    private mutating func begin(_ byte: UInt8) {
        switch byte {
        case UInt8(ascii: "\""): place = .inText
        case UInt8(ascii: "{"), UInt8(ascii: "["):
            place = .inValue
            depth = 1
        default: place = .inWord
        }
    }

    /// After a closing quote or bracket, which belongs to the document.
    private mutating func closes() -> Bool {
        scanned += 1
        place = .inValue
        return depth == 0
    }

    private mutating func take() -> (bytes: ArraySlice<UInt8>, offset: Int) {
        defer {
            start = scanned
            depth = 0
            place = .between
        }
        return (bytes[start..<scanned], consumed + start)
    }

    private static func isSpace(_ byte: UInt8) -> Bool {
        byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09
    }
}
