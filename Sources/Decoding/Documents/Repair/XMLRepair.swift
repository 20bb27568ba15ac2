/// Makes XML of what is nearly XML, before it is parsed: libxml2 reads nothing after the first fault, and files of other people
/// have a bare `&`, an entity of HTML or a control character in one record of thousands.
///
/// An `&` or `<` that begins nothing becomes text, an entity of HTML its character, and a character that XML does not allow
/// U+FFFD. A document type is left out, and so is what comments and instructions contain: none of it is data, and much of it is
/// broken. Line ends stay, so that lines keep their numbers. What is correct passes through without being copied.
struct XMLRepair {
    /// What is open where a piece ends.
    private enum Open {
        case text
        /// A CDATA section, of which all is text.
        case section
        case comment
        case instruction
        /// A tag that is too long to be held back, and the quote in it that is open.
        case longTag(quote: UInt8?)
    }

    /// How much of a tag is held back until its end has come.
    private static let tagLimit = 64 << 10

    private var open = Open.text
    /// What must be seen together with the next piece.
    private var held: [UInt8] = []
    /// What a piece becomes, if anything in it changes.
    private var output: [UInt8] = []
    /// How many bytes of the piece are in the output, or left out of it.
    private var given = 0
    /// The last byte of the pieces before that is not a blank.
    private var previous = UInt8(ascii: ">")
    /// The line on which the piece begins, from 1.
    private var line = 1
    private var notes: [(kind: DecodingNote.Kind, count: Int, line: Int)] = []

    /// Takes a piece, and visits what it becomes.
    ///
    /// - Parameter skippedLines: How many lines came before the first piece.
    mutating func take(
        _ bytes: UnsafeRawBufferPointer,
        isEnd: Bool,
        skippedLines: Int,
        into block: BlockBuilder,
        _ visit: (UnsafeRawBufferPointer) throws(DecodingFault) -> Void
    ) throws(DecodingFault) {
        if held.isEmpty { return try repair(bytes, isEnd, skippedLines, block, visit) }
        let all = held + bytes
        held = []
        try Self.visit(all) { all throws(DecodingFault) in try repair(all, isEnd, skippedLines, block, visit) }
    }

    private static func visit(
        _ bytes: [UInt8],
        _ body: (UnsafeRawBufferPointer) throws(DecodingFault) -> Void
    ) throws(DecodingFault) {
        var outcome: Result<Void, DecodingFault> = .success(())
        bytes.withUnsafeBytes { all in
            do throws(DecodingFault) { try body(all) } catch { outcome = .failure(error) }
        }
        try outcome.get()
    }

    private mutating func repair(
        _ bytes: UnsafeRawBufferPointer,
        _ isEnd: Bool,
        _ skippedLines: Int,
        _ block: BlockBuilder,
        _ visit: (UnsafeRawBufferPointer) throws(DecodingFault) -> Void
    ) throws(DecodingFault) {
        output.removeAll(keepingCapacity: true)
        given = 0
        var at = 0
        var needsMore = false
        while at < bytes.count, !needsMore {
            switch open {
            case .text: needsMore = try !passText(bytes, &at, isEnd)
            case .section: needsMore = !passSection(bytes, &at)
            case .comment: needsMore = !passOver(bytes, &at, until: "-->")
            case .instruction: needsMore = !passOver(bytes, &at, until: "?>")
            case .longTag(let quote): passLongTag(bytes, &at, quote)
            }
        }
        // What is incomplete at the end of the file is left to libxml2.
        let end = isEnd ? bytes.count : at
        for note in notes { block.note(note.kind, count: note.count, line: note.line + skippedLines) }
        notes = []
        line += Self.lines(bytes[..<end])
        previous = last(bytes, before: end)
        held = Array(bytes[end...])
        if output.isEmpty, given == 0 {
            if end > 0 { try visit(UnsafeRawBufferPointer(rebasing: bytes[..<end])) }
            return
        }
        if given < end { output += bytes[given..<end] }
        let whole = output
        if !whole.isEmpty { try Self.visit(whole, visit) }
    }

    /// The last byte before a place that is not a blank.
    private func last(_ bytes: UnsafeRawBufferPointer, before end: Int) -> UInt8 {
        bytes[..<end].last { !XMLCharacters.isBlank($0) } ?? previous
    }

    private static func lines(_ bytes: Slice<UnsafeRawBufferPointer>) -> Int { bytes.count { $0 == 0x0A } }

    /// Puts something in the place of some bytes.
    private mutating func replace(_ range: Range<Int>, of bytes: UnsafeRawBufferPointer, by text: some Sequence<UInt8>)
    {
        if given < range.lowerBound { output += bytes[given..<range.lowerBound] }
        output += text
        given = range.upperBound
    }

    private mutating func note(_ kind: DecodingNote.Kind, _ bytes: UnsafeRawBufferPointer, _ at: Int) {
        if let known = notes.firstIndex(where: { $0.kind == kind }) {
            notes[known].count += 1
        } else {
            notes.append((kind, 1, line + Self.lines(bytes[..<at])))
        }
    }

    // MARK: - Text

    // Each of these goes on from `at`, and returns whether what comes next is there; otherwise it is held back from `at` on.

    private mutating func passText(_ bytes: UnsafeRawBufferPointer, _ at: inout Int, _ isEnd: Bool)
        throws(DecodingFault) -> Bool
    {
        let start = at
        while true {
            at = XMLCharacters.end(of: bytes, from: at, at: UInt8(ascii: "<"), UInt8(ascii: "&"), UInt8(ascii: ">"))
            guard at < bytes.count else { break }
            switch bytes[at] {
            case UInt8(ascii: "<"): return try passMarkup(bytes, &at, isEnd)
            case UInt8(ascii: "&"): if !passReference(bytes, &at, isEnd) { return false }
            case UInt8(ascii: ">"):
                // `]]>` ends a section, and is not allowed where there is none.
                if at - start >= 2, bytes[at - 1] == UInt8(ascii: "]"), bytes[at - 2] == UInt8(ascii: "]") {
                    replace(at..<at + 1, of: bytes, by: "&gt;".utf8)
                }
                at += 1
            default: if !passCharacter(bytes, &at, isEnd) { return false }
            }
        }
        if isEnd { return true }
        // Two brackets may be the beginning of `]]>`.
        let brackets = bytes[max(start, at - 2)..<at].reversed().prefix { $0 == UInt8(ascii: "]") }.count
        at -= brackets
        return false
    }

    /// A character that XML may not allow.
    private mutating func passCharacter(_ bytes: UnsafeRawBufferPointer, _ at: inout Int, _ isEnd: Bool) -> Bool {
        guard let length = XMLCharacters.forbidden(bytes, at) else {
            if isEnd { at = bytes.count }
            return isEnd
        }
        if length > 0 {
            replace(at..<at + length, of: bytes, by: XMLCharacters.replacement)
            note(.replacedCharacter, bytes, at)
        }
        at += max(1, length)
        return true
    }

    private mutating func passReference(_ bytes: UnsafeRawBufferPointer, _ at: inout Int, _ isEnd: Bool) -> Bool {
        switch XMLReference(bytes, at, isEnd) {
        case .needsMore: return false
        case .known(let end): at = end
        case .character(let text, let end):
            replace(at..<end, of: bytes, by: text)
            at = end
        case .forbidden(let end):
            replace(at..<end, of: bytes, by: XMLCharacters.replacement)
            note(.replacedCharacter, bytes, at)
            at = end
        case .none:
            replace(at..<at + 1, of: bytes, by: "&amp;".utf8)
            note(.markupAsText, bytes, at)
            at += 1
        }
        return true
    }

    // MARK: - Markup

    private mutating func passMarkup(_ bytes: UnsafeRawBufferPointer, _ at: inout Int, _ isEnd: Bool)
        throws(DecodingFault) -> Bool
    {
        switch XMLMarkup(bytes, at) {
        case .needsMore:
            if isEnd { at = bytes.count }
            guard bytes.count - at > Self.tagLimit else { return isEnd }
            open = .longTag(quote: nil)
        case .tag(let end, let isRight):
            if !isRight { repairValues(bytes, at..<end) }
            at = end
        // Behind other markup it is a tag, whose fault libxml2 tells: what is in it would be taken for something else. In the
        // middle of a text it is text.
        case .doubtful(let end) where last(bytes, before: at) == UInt8(ascii: ">"): at = end
        case .section(let end): (open, at) = (.section, end)
        case .comment(let end): (open, at) = (.comment, end)
        case .instruction(let end):
            // Its name may be one that only a declaration has, and that stands at the beginning.
            replace(at..<end, of: bytes, by: "<?i ".utf8)
            (open, at) = (.instruction, end)
        case .documentType:
            guard let end = XMLDocumentType.end(bytes, from: at, isEnd: isEnd) else {
                if isEnd || bytes.count - at > XMLDocumentType.limit {
                    let reason = "its document type does not end within \(XMLDocumentType.limit) bytes"
                    throw DecodingFault(.malformed, reason, line: line + Self.lines(bytes[..<at]))
                }
                return false
            }
            replace(at..<end, of: bytes, by: bytes[at..<end].lazy.filter { $0 == 0x0A })
            at = end
        case .doubtful, .none:
            replace(at..<at + 1, of: bytes, by: "&lt;".utf8)
            note(.markupAsText, bytes, at)
            at += 1
        }
        return true
    }

    /// Repairs a tag, of which only values of attributes can be wrong.
    private mutating func repairValues(_ bytes: UnsafeRawBufferPointer, _ tag: Range<Int>) {
        var at = tag.lowerBound + 1
        let part = UnsafeRawBufferPointer(rebasing: bytes[..<tag.upperBound])
        while at < tag.upperBound {
            switch bytes[at] {
            case UInt8(ascii: "&"): _ = passReference(part, &at, true)
            case UInt8(ascii: "<"):
                replace(at..<at + 1, of: bytes, by: "&lt;".utf8)
                note(.markupAsText, bytes, at)
                at += 1
            case 0xEF, 0..<0x20: _ = passCharacter(part, &at, true)
            default: at += 1
            }
        }
    }

    private mutating func passSection(_ bytes: UnsafeRawBufferPointer, _ at: inout Int) -> Bool {
        let bracket = UInt8(ascii: "]")
        while true {
            at = XMLCharacters.end(of: bytes, from: at, at: bracket, bracket, bracket)
            guard at < bytes.count else { return false }
            if bytes[at] != bracket {
                if !passCharacter(bytes, &at, false) { return false }
                continue
            }
            guard at + 2 < bytes.count else { return false }
            if bytes[at + 1] == bracket, bytes[at + 2] == UInt8(ascii: ">") {
                (open, at) = (.text, at + 3)
                return true
            }
            at += 1
        }
    }

    /// Leaves out the inside of a comment or an instruction, which XML restricts for no use of ours.
    private mutating func passOver(_ bytes: UnsafeRawBufferPointer, _ at: inout Int, until end: StaticString) -> Bool {
        let length = end.utf8CodeUnitCount
        let start = at
        while at + length <= bytes.count {
            if (0..<length).allSatisfy({ bytes[at + $0] == end.utf8Start[$0] }) {
                replace(start..<at, of: bytes, by: bytes[start..<at].lazy.filter { $0 == 0x0A })
                (open, at) = (.text, at + length)
                return true
            }
            at += 1
        }
        replace(start..<at, of: bytes, by: bytes[start..<at].lazy.filter { $0 == 0x0A })
        return false
    }

    private mutating func passLongTag(_ bytes: UnsafeRawBufferPointer, _ at: inout Int, _ quote: UInt8?) {
        var quote = quote
        while at < bytes.count {
            let byte = bytes[at]
            at += 1
            if quote != nil {
                if byte == quote { quote = nil }
            } else if byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "'") {
                quote = byte
            } else if byte == UInt8(ascii: ">") {
                open = .text
                return
            }
        }
        open = .longTag(quote: quote)
    }
}
