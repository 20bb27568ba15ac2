/// The messages of a mailbox file (mbox): each begins with a line `From `, at the beginning or after an empty line (RFC 4155).
///
/// A line of a message that begins that way is written `>From `, which is undone. Not all writers do so: a line that differs
/// from the way they begin a message does so only if a header follows. A message's text is kept up to a limit, its
/// attachments only by name, kind and size, so a mailbox of gigabytes takes no more memory than one message's text.
package struct MailboxDecoder: RecordDecoder {
    private static let from = Array("From ".utf8)

    private var lines: LineReader
    private var beginning = TextBeginning(refuses: [.html, .xml])
    private var message: MailMessage?
    private var isBehindEmptyLine = true
    /// A line that begins a message if the next one is a header.
    private var doubtful: [UInt8]?
    private let limits: DecodingLimits

    /// A decoder of one file.
    package init(_ limits: DecodingLimits = DecodingLimits()) {
        self.limits = limits
        lines = LineReader(limit: limits.record, endsAtCR: false)
    }

    package var isBehind: Bool { lines.isBehind }

    package mutating func take(_ bytes: UnsafeRawBufferPointer, into block: BlockBuilder) throws(DecodingFault) {
        try beginning.look(at: bytes)
        // The reader is held nowhere else while it works, so that nothing in it is copied.
        var reader = lines
        lines = LineReader(limit: 0, endsAtCR: false)
        defer { lines = reader }
        try reader.take(bytes) { line, number throws(DecodingFault) in try add(line, number, block) }
    }

    package mutating func finish(into block: BlockBuilder) throws(DecodingFault) {
        var reader = lines
        lines = LineReader(limit: 0, endsAtCR: false)
        defer { lines = reader }
        try reader.finish { line, number throws(DecodingFault) in try add(line, number, block) }
        if reader.isBehind { return }
        addDoubtful()
        end(block)
    }

    /// Adds a line, and returns whether there is room for another.
    private mutating func add(
        _ line: UnsafeRawBufferPointer,
        _ number: Int,
        _ block: BlockBuilder
    ) throws(DecodingFault) -> Bool {
        // Lines end with CRLF in some files.
        let line = line.last == 0x0D ? UnsafeRawBufferPointer(rebasing: line.dropLast()) : line
        if doubtful != nil {
            if MailboxLine.isHeader(line) { begin(block) } else { addDoubtful() }
        } else if isBehindEmptyLine, line.starts(with: Self.from) {
            isBehindEmptyLine = false
            if message == nil || line.count <= MailboxLine.limit && MailboxLine.isComplete(line) {
                begin(block)
                return !block.isFull
            }
            if line.count <= MailboxLine.limit {
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
        let isQuoted = line.first == 0x3E && line.drop { $0 == 0x3E }.starts(with: Self.from)
        message?.add(isQuoted ? UnsafeRawBufferPointer(rebasing: line.dropFirst()) : line)
        return !block.isFull
    }

    private mutating func begin(_ block: BlockBuilder) {
        doubtful = nil
        end(block)
        message = MailMessage(textLimit: limits.record / 4)
    }

    /// Adds what turned out to be text.
    private mutating func addDoubtful() {
        doubtful?.withUnsafeBytes { message?.add($0) }
        doubtful = nil
    }

    private mutating func end(_ block: BlockBuilder) {
        guard var ended = message else { return }
        message = nil
        ended.write(to: block)
    }
}
