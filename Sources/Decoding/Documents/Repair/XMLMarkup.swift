/// What a `<` begins.
enum XMLMarkup {
    /// Its end has not come yet.
    case needsMore
    /// A tag with its end, and whether all values of its attributes are right.
    case tag(end: Int, isRight: Bool)
    /// A tag with its end and attributes as HTML has them, without a value or quotes; or a `<` before words and a `>`.
    case doubtful(end: Int)
    /// A CDATA section, a comment, an instruction, each with the end of its beginning.
    case section(end: Int)
    case comment(end: Int)
    case instruction(end: Int)
    case documentType
    /// Nothing: it is text.
    case none

    /// Looks at the `<` at a place.
    init(_ bytes: UnsafeRawBufferPointer, _ start: Int) {
        guard start + 1 < bytes.count else {
            self = .needsMore
            return
        }
        switch bytes[start + 1] {
        case UInt8(ascii: "!"): self = Self.declaration(bytes, start)
        case UInt8(ascii: "?"): self = .instruction(end: start + 2)
        case UInt8(ascii: "/"): self = Self.endTag(bytes, start + 2)
        default: self = Self.startTag(bytes, start + 1)
        }
    }

    private static func declaration(_ bytes: UnsafeRawBufferPointer, _ start: Int) -> XMLMarkup {
        let kinds: [(mark: StaticString, markup: XMLMarkup)] = [
            ("<!--", .comment(end: start + 4)), ("<![CDATA[", .section(end: start + 9)), ("<!DOCTYPE", .documentType),
        ]
        for (mark, markup) in kinds {
            var at = 0
            while at < mark.utf8CodeUnitCount, start + at < bytes.count {
                let byte = bytes[start + at]
                let upper = UInt8(ascii: "a")...UInt8(ascii: "z") ~= byte ? byte & 0xDF : byte
                guard upper == mark.utf8Start[at] else { break }
                at += 1
            }
            if at == mark.utf8CodeUnitCount { return markup }
            if start + at == bytes.count { return .needsMore }
        }
        return .none
    }

    private static func endTag(_ bytes: UnsafeRawBufferPointer, _ start: Int) -> XMLMarkup {
        guard start < bytes.count else { return .needsMore }
        guard XMLCharacters.beginsName(bytes[start]) else { return .none }
        var at = start
        while at < bytes.count, XMLCharacters.isInName(bytes[at]) { at += 1 }
        skipBlanks(bytes, &at)
        guard at < bytes.count else { return .needsMore }
        return bytes[at] == UInt8(ascii: ">") ? .tag(end: at + 1, isRight: true) : .none
    }

    /// A name and attributes: anything else is no tag, but a `<` in a text that happens to precede a letter.
    private static func startTag(_ bytes: UnsafeRawBufferPointer, _ start: Int) -> XMLMarkup {
        guard XMLCharacters.beginsName(bytes[start]) else { return .none }
        var (isRight, isDoubtful) = (true, false)
        func tag(_ end: Int) -> XMLMarkup { isDoubtful ? .doubtful(end: end) : .tag(end: end, isRight: isRight) }
        var at = start
        while at < bytes.count, XMLCharacters.isInName(bytes[at]) { at += 1 }
        while true {
            skipBlanks(bytes, &at)
            guard at < bytes.count else { return .needsMore }
            if bytes[at] == UInt8(ascii: ">") { return tag(at + 1) }
            if bytes[at] == UInt8(ascii: "/") {
                guard at + 1 < bytes.count else { return .needsMore }
                return bytes[at + 1] == UInt8(ascii: ">") ? tag(at + 2) : .none
            }
            guard XMLCharacters.beginsName(bytes[at]) else { return .none }
            while at < bytes.count, XMLCharacters.isInName(bytes[at]) { at += 1 }
            skipBlanks(bytes, &at)
            guard at < bytes.count else { return .needsMore }
            guard bytes[at] == UInt8(ascii: "=") else {
                isDoubtful = true
                continue
            }
            at += 1
            skipBlanks(bytes, &at)
            guard at < bytes.count else { return .needsMore }
            let quote = bytes[at]
            guard quote == UInt8(ascii: "\"") || quote == UInt8(ascii: "'") else {
                guard XMLCharacters.isInName(quote) else { return .none }
                isDoubtful = true
                while at < bytes.count, XMLCharacters.isInName(bytes[at]) { at += 1 }
                continue
            }
            at += 1
            while true {
                at = XMLCharacters.end(of: bytes, from: at, at: quote, UInt8(ascii: "&"), UInt8(ascii: "<"))
                guard at < bytes.count, bytes[at] != quote else { break }
                isRight = false
                at += 1
            }
            guard at < bytes.count else { return .needsMore }
            at += 1
        }
    }

    @inline(__always)
    private static func skipBlanks(_ bytes: UnsafeRawBufferPointer, _ at: inout Int) {
        while at < bytes.count, XMLCharacters.isBlank(bytes[at]) { at += 1 }
    }
}
