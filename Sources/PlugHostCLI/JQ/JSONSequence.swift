internal import LosslessJSON

/// Splits bytes that arrive in pieces into consecutive JSON documents, with or without white space between them.
///
/// It only finds where documents end; the parser checks whether they are JSON.
struct JSONSequence {
    private enum Place { case between, inWord, inText, inEscape, inValue }

    private var bytes: [UInt8] = []
    private var scanned = 0
    private var start = 0
    private var depth = 0
    private var place = Place.between
    /// The number of bytes before `bytes`.
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

    /// The number of bytes of an incomplete document.
    var pendingBytes: Int { bytes.count - start }

    /// The next complete document; `nil` if more bytes are needed, or none are left with `atEnd`.
    ///
    /// - Returns: Its bytes and the offset of the first byte in the whole input.
    mutating func next(atEnd: Bool) -> (bytes: ArraySlice<UInt8>, offset: Int)? {
        let bytes = bytes
        let isWhole = bytes.withUnsafeBufferPointer { scan($0) }
        return isWhole || (atEnd && place != .between) ? take() : nil
    }

    /// Continues to the end of a document.
    ///
    /// - Returns: Whether one ends before `scanned`; otherwise all bytes are scanned.
    private mutating func scan(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
        while scanned < bytes.count {
            switch place {
            case .between:
                skip(bytes) { Self.isSpace($0) }
                start = scanned
                guard scanned < bytes.count else { break }
                // A byte order mark is allowed only at the very beginning.
                let offset = consumed + scanned
                if offset < 3, bytes[scanned] == Self.byteOrderMark[offset] {
                    scanned += 1
                } else {
                    begin(bytes[scanned])
                }
            case .inWord:
                skip(bytes) { !Self.isSpace($0) && $0 != Self.quote && $0 != Self.brace && $0 != Self.bracket }
                if scanned < bytes.count { return true }
            case .inText:
                skip(bytes) { $0 != Self.quote && $0 != Self.backslash }
                guard scanned < bytes.count else { break }
                if bytes[scanned] == Self.backslash {
                    scanned += 1
                    place = .inEscape
                } else if closes() {
                    return true
                }
            case .inEscape:
                scanned += 1
                place = .inText
            case .inValue:
                // With this bit set, [ is { and ] is }.
                skip(bytes) { $0 != Self.quote && $0 | 0x20 != Self.brace && $0 | 0x20 != Self.closingBrace }
                guard scanned < bytes.count else { break }
                switch bytes[scanned] | 0x20 {
                case Self.brace:
                    depth += 1
                    scanned += 1
                case Self.closingBrace:
                    depth -= 1
                    if closes() { return true }
                default:
                    scanned += 1
                    place = .inText
                }
            }
        }
        return false
    }

    @inline(__always)
    private mutating func skip(_ bytes: UnsafeBufferPointer<UInt8>, while matches: (UInt8) -> Bool) {
        var at = scanned
        while at < bytes.count, matches(bytes[at]) { at += 1 }
        scanned = at
    }

    /// The first byte of a document.
    private mutating func begin(_ byte: UInt8) {
        scanned += 1
        switch byte {
        case Self.quote: place = .inText
        case Self.brace, Self.bracket:
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

    private static let byteOrderMark: [UInt8] = [0xEF, 0xBB, 0xBF]
    private static let quote = UInt8(ascii: "\"")
    private static let backslash = UInt8(ascii: "\\")
    private static let bracket = UInt8(ascii: "[")
    private static let brace = UInt8(ascii: "{")
    private static let closingBrace = UInt8(ascii: "}")

    @inline(__always)
    private static func isSpace(_ byte: UInt8) -> Bool {
        byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09
    }
}
