internal import CLibXML2

/// Reads XML piece by piece with libxml2's push parser: without network access, without a document type or entities other than
/// XML's five, which `XMLRepair` leaves, and without a tree of the document.
///
/// Not Sendable: one task at a time uses it, as it belongs to one file's decoder.
final class XMLParser {
    /// How many bytes of a tag are read before its attributes are counted.
    private static let tagSize = 64 << 10

    /// Once per process, before the first parser: after that several threads may use libxml2.
    private static let library: Void = { xmlInitParser() }()

    private var context: xmlParserCtxtPtr?
    /// The state for libxml2's callbacks, at a stable address.
    private let reading: UnsafeMutablePointer<XMLReading>
    /// The `=` of a tag that has not arrived in full.
    private var equals = 0
    /// The maximum size of a tag, a comment or the like, in bytes.
    private let limit: Int

    /// - Parameter limit: The maximum size of a record, and of a tag, a comment or the like, in bytes.
    init(_ shape: any XMLShape, limit: Int) throws(DecodingFault) {
        self.limit = limit
        reading = .allocate(capacity: 1)
        reading.initialize(to: XMLReading(shape, limit: limit))
        _ = Self.library
        var handler = xmlSAXHandler()
        handler.initialized = UInt32(XML_SAX2_MAGIC)
        handler.startElementNs = startElement
        handler.endElementNs = endElement
        handler.characters = characters
        handler.ignorableWhitespace = characters
        handler.cdataBlock = characters
        handler.serror = problem
        // The handler is copied. The context is ours, and freed in `deinit`; it hands `reading` to the callbacks, which it calls
        // only inside `xmlParseChunk`.
        context = xmlCreatePushParserCtxt(&handler, reading, nil, 0, nil)
        guard let context else { throw DecodingFault(.noMemory, "there is not enough memory to read XML") }
        reading.pointee.context = context
        // The text is UTF-8 by now, whatever its declaration says. NOENT gives attributes the five entities as characters; there
        // are no others.
        let options = XML_PARSE_NONET.rawValue | XML_PARSE_NOENT.rawValue | XML_PARSE_IGNORE_ENC.rawValue
        xmlCtxtUseOptions(context, Int32(options))
    }

    deinit {
        if let context {
            xmlFreeParserCtxt(context)
        }
        reading.pointee.deallocate()
        reading.deinitialize(count: 1)
        reading.deallocate()
    }

    /// The same fault in words people understand.
    func explained(_ fault: DecodingFault) -> DecodingFault { reading.pointee.collector.shape.explained(fault) }

    /// Whether the file was a failure message, and nothing else.
    var isFailure: Bool { reading.pointee.collector.isFailure && !reading.pointee.collector.hasCollected }

    /// Reads a piece, whose records go into a block.
    ///
    /// - Parameter skippedLines: How many lines were skipped before the first one that libxml2 saw.
    func take(
        _ bytes: UnsafeRawBufferPointer,
        isEnd: Bool = false,
        skippedLines: Int,
        into block: BlockBuilder
    ) throws(DecodingFault) {
        if let fault = reading.pointee.fault { throw fault }
        reading.pointee.skippedLines = skippedLines
        reading.pointee.collector.block = block
        defer { reading.pointee.collector.block = nil }
        // The length is an Int32; pieces are far smaller.
        xmlParseChunk(context, bytes.assumingMemoryBound(to: CChar.self).baseAddress, Int32(bytes.count), isEnd ? 1 : 0)
        if let fault = reading.pointee.fault { throw fault }
        if let context, context.pointee.wellFormed == 0 {
            throw DecodingFault(.malformed, "it is not well-formed XML", line: reading.pointee.line)
        }
        try lookAtPending(bytes)
    }

    /// Checks what libxml2 holds because its end has not arrived: it compares a tag's attributes with each other before it
    /// reports any, and keeps a comment whole.
    private func lookAtPending(_ bytes: UnsafeRawBufferPointer) throws(DecodingFault) {
        // Both are libxml2's, and point into its buffer until it is called again.
        guard let input = context?.pointee.input, let start = input.pointee.cur, let end = input.pointee.end,
            end - start > Self.tagSize, start.pointee == UInt8(ascii: "<")
        else {
            equals = 0
            return
        }
        let pending = end - start
        if pending > limit {
            let reason = "a tag, a comment or the like is longer than the limit of \(limit) bytes"
            throw DecodingFault(.overLimit, reason, line: reading.pointee.line)
        }
        // Letters and other characters that begin names; the rest are comments and instructions.
        guard start[1] >= UInt8(ascii: ":") else { return }
        let new = UnsafeBufferPointer(start: start, count: pending).suffix(equals == 0 ? pending : bytes.count)
        equals += new.count { $0 == UInt8(ascii: "=") }
        if equals > XMLReading.attributeLimit * 8 {
            throw DecodingFault(.overLimit, XMLReading.tooManyAttributes, line: reading.pointee.line)
        }
    }
}

// libxml2's callbacks. The first argument is the one given to `xmlCreatePushParserCtxt`: the reading, which outlives the context.

private func reading(_ context: UnsafeMutableRawPointer?) -> UnsafeMutablePointer<XMLReading>? {
    context?.assumingMemoryBound(to: XMLReading.self)
}

private let startElement: startElementNsSAX2Func = {
    context,
    local,
    prefix,
    namespace,
    namespaces,
    _,
    count,
    _,
    attributes in
    reading(context)?.pointee.started(
        (local, prefix, namespace),
        attributes,
        Int(count),
        newNamespaces: Int(namespaces)
    )
}

private let endElement: endElementNsSAX2Func = { context, _, _, _ in reading(context)?.pointee.ended() }

private let characters: charactersSAXFunc = { context, text, count in reading(context)?.pointee.met(text, count) }

private let problem: xmlStructuredErrorFunc = { context, error in
    guard let error else { return }
    reading(context)?.pointee.failed(
        error.pointee.code,
        Int(error.pointee.line),
        isFatal: error.pointee.level == XML_ERR_FATAL
    )
}
