/// The messages of a mailbox file (mbox): each begins with a line `From `, at the beginning or after an empty line (RFC 4155).
///
/// A line of a message that begins that way is written `>From `, which is undone. Not all writers do so: a line that differs
/// from the way they begin a message does so only if a header follows. A message's text is kept up to a limit, its
/// attachments only by name, kind and size, so a mailbox of gigabytes takes no more memory than one message's text, even if all
/// of it is one line.
package struct MailboxDecoder: RecordDecoder {
    private static let from = Array("From ".utf8)

    private var lines: MailLines
    private var beginning = TextBeginning(refuses: [.html, .xml])
    private var message: MailMessage?
    private var isBehindEmptyLine = true
    /// Whether the current line begins a message, and is not part of it.
    private var isInBeginning = false
    /// A line that begins a message if the next one is a header.
    private var doubtful: [UInt8]?
    private let limits: DecodingLimits

    /// A decoder of one file.
    package init(_ limits: DecodingLimits = DecodingLimits()) {
        self.limits = limits
        lines = MailLines(limit: limits.mailLine)
    }

    package var isBehind: Bool { lines.isBehind }

    package mutating func take(_ bytes: UnsafeRawBufferPointer, into block: BlockBuilder) throws(DecodingFault) {
        try beginning.look(at: bytes)
        // The reader is held nowhere else while it works, so that nothing in it is copied.
        var reader = lines
        lines = MailLines(limit: 0)
        defer { lines = reader }
        try reader.take(bytes) { line, part, number throws(DecodingFault) in try add(line, part, number, block) }
    }

    package mutating func finish(into block: BlockBuilder) throws(DecodingFault) {
        var reader = lines
        lines = MailLines(limit: 0)
        defer { lines = reader }
        try reader.finish { line, part, number throws(DecodingFault) in try add(line, part, number, block) }
        if reader.isBehind { return }
        addDoubtful()
        end(block)
    }

    /// Adds a line or a part of one, and returns whether there is room for another.
    private mutating func add(
        _ bytes: UnsafeRawBufferPointer,
        _ part: MailLines.Part,
        _ number: Int,
        _ block: BlockBuilder
    ) throws(DecodingFault) -> Bool {
        // Lines end with CRLF in some files.
        let line = part.isLast && bytes.last == 0x0D ? UnsafeRawBufferPointer(rebasing: bytes.dropLast()) : bytes
        if !part.isFirst {
            if !isInBeginning { message?.add(line, part) }
            return true
        }
        // What decides about a long line is the same however its parts are cut.
        let limit = limits.mailLine
        let head = line.count > limit ? UnsafeRawBufferPointer(rebasing: line[..<limit]) : line
        let mayBegin = part.isLast && line.count <= MailboxLine.limit
        isInBeginning = false
        if doubtful != nil {
            if MailboxLine.isHeader(head) { begin(block) } else { addDoubtful() }
        } else if isBehindEmptyLine, line.starts(with: Self.from) {
            isBehindEmptyLine = false
            if message == nil || mayBegin && MailboxLine.isComplete(line) {
                begin(block)
                isInBeginning = true
                return !block.isFull
            }
            if mayBegin {
                doubtful = Array(line)
                return true
            }
        }
        isBehindEmptyLine = line.isEmpty
        guard message != nil else {
            if line.isEmpty { return true }
            throw DecodingFault(.otherFormat, "it does not begin as a mailbox does, with 'From '", line: number)
        }
        // One `>` is removed from lines that would begin a message.
        let isQuoted = head.first == 0x3E && head.drop { $0 == 0x3E }.starts(with: Self.from)
        message?.add(isQuoted ? UnsafeRawBufferPointer(rebasing: line.dropFirst()) : line, part)
        return !block.isFull
    }

    private mutating func begin(_ block: BlockBuilder) {
        doubtful = nil
        end(block)
        message = MailMessage(textLimit: limits.record / 4, headerLimit: limits.mailLine)
    }

    /// Adds what turned out to be text.
    private mutating func addDoubtful() {
        doubtful?.withUnsafeBytes { message?.add($0, .whole) }
        doubtful = nil
    }

    private mutating func end(_ block: BlockBuilder) {
        guard var ended = message else { return }
        message = nil
        ended.write(to: block)
    }
}

extension DecodingLimits {
    /// How many bytes of a line of mail are held: as many as are kept of any header.
    fileprivate var mailLine: Int { record / 16 }
}
