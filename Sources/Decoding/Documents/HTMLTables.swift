internal import CLibXML2

/// The rows of the tables of an HTML page, for exports that offer nothing else: objects of texts, by the names in the first row of
/// their table. `_table` is the table's number on the page, from 1, and `_links` what its cells link to.
///
/// libxml2's push parser for HTML takes what people write, and makes no tree. Not Sendable: it belongs to one file's decoder.
final class HTMLTables: RecordDecoder {
    private static let slice = 16 << 10
    /// Once for the process, before the first parser: libxml2 then may be used by several threads.
    private static let library: Void = { xmlInitParser() }()

    private let context: htmlParserCtxtPtr
    /// What libxml2's callbacks work on, at an address that stays.
    private let reading: UnsafeMutablePointer<HTMLReading>
    /// What came while the block was full.
    private var waiting: [UInt8] = []
    private var hasEnded = false
    private var hasBegun = false

    init(_ limits: DecodingLimits = DecodingLimits()) throws(DecodingFault) {
        _ = Self.library
        reading = .allocate(capacity: 1)
        reading.initialize(to: HTMLReading(limit: limits.record))
        var handler = htmlSAXHandler()
        handler.startElement = startElement
        handler.endElement = endElement
        handler.characters = characters
        handler.ignorableWhitespace = characters
        // The handler is copied. The context is ours, and freed in `deinit`; it hands `reading` to the callbacks, which it calls
        // only inside `htmlParseChunk`. The text is UTF-8 by now, whatever the page says of itself.
        guard let made = htmlCreatePushParserCtxt(&handler, reading, nil, 0, nil, XML_CHAR_ENCODING_UTF8) else {
            reading.deinitialize(count: 1)
            reading.deallocate()
            throw DecodingFault(.overLimit, "there is not enough memory to read HTML")
        }
        context = made
        let options =
            HTML_PARSE_RECOVER.rawValue | HTML_PARSE_NOERROR.rawValue | HTML_PARSE_NOWARNING.rawValue
            | HTML_PARSE_NONET.rawValue | HTML_PARSE_IGNORE_ENC.rawValue
        htmlCtxtUseOptions(context, Int32(options))
    }

    deinit {
        // A document is made where a page has a type; the context does not free it.
        if let document = context.pointee.myDoc { xmlFreeDoc(document) }
        context.pointee.myDoc = nil
        htmlFreeParserCtxt(context)
        reading.deinitialize(count: 1)
        reading.deallocate()
    }

    var isBehind: Bool { !waiting.isEmpty }

    func take(_ bytes: UnsafeRawBufferPointer, into block: BlockBuilder) throws(DecodingFault) {
        let all = waiting + bytes
        waiting = []
        var at = 0
        while at < all.count {
            if block.isFull {
                waiting = Array(all[at...])
                return
            }
            let end = min(all.count, at + Self.slice)
            try parse(Array(all[at..<end]), isEnd: false, block)
            at = end
        }
    }

    func finish(into block: BlockBuilder) throws(DecodingFault) {
        try take(UnsafeRawBufferPointer(start: nil, count: 0), into: block)
        guard waiting.isEmpty, !hasEnded else { return }
        hasEnded = true
        try parse([], isEnd: true, block)
    }

    private func parse(_ bytes: [UInt8], isEnd: Bool, _ block: BlockBuilder) throws(DecodingFault) {
        reading.pointee.block = block
        defer { reading.pointee.block = nil }
        bytes.withUnsafeBytes { piece in
            // The length is an Int32; pieces are far smaller. Mistakes of the page are none of ours.
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

// What libxml2 calls. The first argument is what `htmlCreatePushParserCtxt` was given: the reading, which outlives the context.

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
