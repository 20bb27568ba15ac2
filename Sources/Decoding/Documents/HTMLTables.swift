internal import CLibXML2

/// The rows of the tables of an HTML page, for exports that offer nothing else: objects of texts, keyed by the first row of their
/// table. `_table` is the table's number on the page, from 1, and `_links` the link targets of its cells.
///
/// libxml2's push parser accepts HTML as found in practice, and builds no tree. Not Sendable: it belongs to one file's decoder.
final class HTMLTables: RecordDecoder {
    /// How much is parsed at a time, at least.
    private static let slice = 16 << 10
    /// Once per process, before the first parser: after that several threads may use libxml2.
    private static let library: Void = { xmlInitParser() }()

    private let context: htmlParserCtxtPtr
    /// The state for libxml2's callbacks, at a stable address.
    private let reading: UnsafeMutablePointer<HTMLReading>
    /// What is not parsed yet: it arrived while the block was full, or after the last `>`.
    private var waiting: [UInt8] = []
    private let limit: Int
    private var hasEnded = false

    init(_ limits: DecodingLimits = DecodingLimits()) throws(DecodingFault) {
        _ = Self.library
        limit = limits.record
        reading = .allocate(capacity: 1)
        reading.initialize(to: HTMLReading(limit: limits.record))
        var handler = htmlSAXHandler()
        handler.startElement = startElement
        handler.endElement = endElement
        handler.characters = characters
        handler.ignorableWhitespace = characters
        // The handler is copied. The context is ours, and freed in `deinit`; it hands `reading` to the callbacks, which it calls
        // only inside `htmlParseChunk`. The text is UTF-8 by now, whatever the page declares.
        guard let made = htmlCreatePushParserCtxt(&handler, reading, nil, 0, nil, XML_CHAR_ENCODING_UTF8) else {
            reading.deinitialize(count: 1)
            reading.deallocate()
            throw DecodingFault(.noMemory, "there is not enough memory to read HTML")
        }
        context = made
        let options =
            HTML_PARSE_RECOVER.rawValue | HTML_PARSE_NOERROR.rawValue | HTML_PARSE_NOWARNING.rawValue
            | HTML_PARSE_NONET.rawValue | HTML_PARSE_IGNORE_ENC.rawValue
        htmlCtxtUseOptions(context, Int32(options))
    }

    deinit {
        // A document is created if a page has a doctype; the context does not free it.
        if let document = context.pointee.myDoc { xmlFreeDoc(document) }
        context.pointee.myDoc = nil
        htmlFreeParserCtxt(context)
        reading.deinitialize(count: 1)
        reading.deallocate()
    }

    private(set) var isBehind = false

    func take(_ bytes: UnsafeRawBufferPointer, into block: BlockBuilder) throws(DecodingFault) {
        waiting += bytes
        isBehind = false
        var at = 0
        // libxml2 2.9 loses the rest of a page whose `</style>` or `</script>` spans two pieces, so each piece ends with a tag.
        while let end = end(of: waiting[at...]) {
            if block.isFull {
                isBehind = true
                break
            }
            try parse(Array(waiting[at..<end]), isEnd: false, block)
            at = end
        }
        waiting.removeFirst(at)
        guard waiting.count <= limit || isBehind else {
            throw DecodingFault(.overLimit, "there are more than \(limit) bytes without a tag")
        }
    }

    /// Where a piece may end: after the first `>` at or beyond the usual size, or else the last one before it.
    private func end(of bytes: ArraySlice<UInt8>) -> Int? {
        let bracket = UInt8(ascii: ">")
        let head = bytes.prefix(Self.slice)
        let last = head.lastIndex(of: bracket) ?? bytes.dropFirst(Self.slice).firstIndex(of: bracket)
        return last.map { $0 + 1 }
    }

    func finish(into block: BlockBuilder) throws(DecodingFault) {
        try take(UnsafeRawBufferPointer(start: nil, count: 0), into: block)
        guard !isBehind, !hasEnded else { return }
        hasEnded = true
        try parse(waiting, isEnd: true, block)
        waiting = []
    }

    private func parse(_ bytes: [UInt8], isEnd: Bool, _ block: BlockBuilder) throws(DecodingFault) {
        reading.pointee.block = block
        defer { reading.pointee.block = nil }
        reading.pointee.taken += bytes.count
        bytes.withUnsafeBytes { piece in
            // The length is an Int32; pieces are far smaller. Errors in the page are not reported.
            _ = htmlParseChunk(
                context,
                piece.assumingMemoryBound(to: CChar.self).baseAddress,
                Int32(piece.count),
                isEnd ? 1 : 0
            )
        }
        if let fault = reading.pointee.fault { throw fault }
    }
}

// libxml2's callbacks. The first argument is the one passed to `htmlCreatePushParserCtxt`: the reading; it outlives the context.

private func reading(_ context: UnsafeMutableRawPointer?) -> UnsafeMutablePointer<HTMLReading>? {
    context?.assumingMemoryBound(to: HTMLReading.self)
}

private let startElement: startElementSAXFunc = { context, name, attributes in
    guard let name else { return }
    reading(context)?.pointee.start(String(cString: name), attributes)
}

private let endElement: endElementSAXFunc = { context, name in
    guard let name else { return }
    reading(context)?.pointee.end(String(cString: name))
}

private let characters: charactersSAXFunc = { context, text, length in
    guard let text, length > 0 else { return }
    reading(context)?.pointee.add(UnsafeRawBufferPointer(start: text, count: Int(length)))
}
