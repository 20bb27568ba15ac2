/// Finds the end of a document type, whatever is in it: it is never used, and some are broken.
enum XMLDocumentType {
    /// Where it ends; `nil` if the end has not come yet.
    ///
    /// - Parameter isEnd: Whether nothing follows the bytes.
    static func end(_ bytes: UnsafeRawBufferPointer, from start: Int, isEnd: Bool) -> Int? {
        if let end = end(bytes, from: start, isEnd, .asWritten) { return end }
        guard isEnd || bytes.count - start > limit else { return nil }
        return end(bytes, from: start, isEnd, .withoutQuotes) ?? end(bytes, from: start, isEnd, .upToAnElement)
    }

    /// How much is held back until the end has come.
    static let limit = 1 << 20

    private enum Reading {
        case asWritten
        /// A quote in it is not closed, in a document that has all of its other quotes.
        case withoutQuotes
        /// Its own end is missing: only elements begin with a letter.
        case upToAnElement
    }

    private static func end(_ bytes: UnsafeRawBufferPointer, from start: Int, _ isEnd: Bool, _ reading: Reading) -> Int?
    {
        var isInside = false
        var at = start + 2
        while at < bytes.count {
            switch bytes[at] {
            case UInt8(ascii: "\""), UInt8(ascii: "'"):
                guard let end = reading == .withoutQuotes ? at + 1 : literalEnd(bytes, at, isEnd) else { return nil }
                at = end
            case UInt8(ascii: "<"):
                let isElement = at + 1 < bytes.count && XMLCharacters.beginsName(bytes[at + 1])
                if !isInside || isElement && reading == .upToAnElement { return at }
                at = markupEnd(bytes, at)
            case UInt8(ascii: "["):
                isInside = true
                at += 1
            case UInt8(ascii: ">") where !isInside: return at + 1
            case UInt8(ascii: "]"):
                if let end = subsetEnd(bytes, at, isEnd) { return end }
                at += 1
            default: at += 1
            }
        }
        return nil
    }

    /// The end of a text in quotes on one line; a quote without its other half is any character. `nil` if the line has not come
    /// to its end yet.
    private static func literalEnd(_ bytes: UnsafeRawBufferPointer, _ start: Int, _ isEnd: Bool) -> Int? {
        var at = start + 1
        while at < bytes.count, bytes[at] != 0x0A {
            if bytes[at] == bytes[start] { return at + 1 }
            at += 1
        }
        return at < bytes.count || isEnd ? start + 1 : nil
    }

    /// The end of a comment or an instruction; other declarations end anywhere.
    private static func markupEnd(_ bytes: UnsafeRawBufferPointer, _ start: Int) -> Int {
        for (mark, end) in [("<!--", "-->"), ("<?", "?>")] where bytes[start...].starts(with: mark.utf8) {
            var at = start + mark.utf8.count
            while at < bytes.count {
                if bytes[at] == end.utf8.first, bytes[at...].starts(with: end.utf8) { return at + end.utf8.count }
                at += 1
            }
            return at
        }
        return start + 1
    }

    /// The end of the document type if its declarations end at this bracket: `]>`, and the next markup or the end of the file.
    private static func subsetEnd(_ bytes: UnsafeRawBufferPointer, _ bracket: Int, _ isEnd: Bool) -> Int? {
        var at = bracket + 1
        while at < bytes.count, XMLCharacters.isBlank(bytes[at]) { at += 1 }
        guard at < bytes.count, bytes[at] == UInt8(ascii: ">"), bytes[bracket - 1] != UInt8(ascii: "]") else {
            return nil
        }
        let end = at + 1
        at = end
        while at < bytes.count, XMLCharacters.isBlank(bytes[at]) { at += 1 }
        if at == bytes.count { return isEnd ? end : nil }
        guard bytes[at] == UInt8(ascii: "<") else { return nil }
        if at + 1 == bytes.count { return isEnd ? end : nil }
        let next = bytes[at + 1]
        let isMarkup =
            XMLCharacters.beginsName(next) || next == UInt8(ascii: "?")
            || next == UInt8(ascii: "!") && (at + 2 == bytes.count || bytes[at + 2] == UInt8(ascii: "-"))
        return isMarkup ? end : nil
    }
}
