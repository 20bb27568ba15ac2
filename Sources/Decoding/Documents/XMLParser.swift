internal import CLibXML2

/// What is told of a document's elements, in their order.
protocol XMLListener: AnyObject {
    func start(_ name: Int, _ parser: XMLParser)
    func attribute(_ name: Int, _ value: UnsafeBufferPointer<UInt8>, _ parser: XMLParser)
    func text(_ text: UnsafeBufferPointer<UInt8>)
    func end(_ parser: XMLParser)
}

/// Reads XML piece by piece, with libxml2's push parser: without the network, without entities but the five of XML, and without
/// a tree.
///
/// Not Sendable, and used by one task at a time: it belongs to one file's decoder.
final class XMLParser {
    /// How deep elements may be inside each other: each may take two levels of JSON, which has 128.
    static let depthLimit = 60
    /// More attributes of one element, or namespaces at one place, are no data but an attack: libxml2 compares each with each.
    static let attributeLimit = 1000
    static let namespaceLimit = 256
    /// How many attributes a document type may give values to.
    private static let defaultLimit = 100
    /// How many bytes of a tag are read before its attributes are counted.
    private static let tagSize = 64 << 10

    /// Once for the process, before the first parser: libxml2 then may be used by several threads.
    private static let library: Void = { xmlInitParser() }()

    private var context: xmlParserCtxtPtr?
    /// The names so far. Behind a pointer of its own, because each access to a property of a class is checked at run time.
    private let known: UnsafeMutablePointer<XMLNames>
    var names: XMLNames { known.pointee }
    /// The listener owns the parser, and outlives it; that is checked nowhere, because it is asked for each piece of a text.
    private unowned(unsafe) let listener: any XMLListener
    /// What ends the parsing.
    private(set) var fault: DecodingFault?
    /// Whether there is a fault: a flag is cheaper to look at.
    private var isStopped = false
    /// Whether any element has begun.
    private(set) var hasRoot = false
    private var depth = 0
    /// The namespaces that the open elements declare: how deep, and how many.
    private var namespaces: [(depth: Int, count: Int)] = []
    private var namespaceCount = 0
    private var defaults = 0
    /// The `=` of a tag that has not come whole.
    private var equals = 0
    /// How many lines were left out before the first one that libxml2 saw.
    var firstLine = 0
    /// The bytes of a tag, a comment or the like, at most.
    private let limit: Int

    init(_ options: XMLOptions, limit: Int, _ listener: any XMLListener) throws(DecodingFault) {
        self.limit = limit
        known = .allocate(capacity: 1)
        known.initialize(to: XMLNames(options))
        self.listener = listener
        _ = Self.library
        var handler = xmlSAXHandler()
        handler.initialized = UInt32(XML_SAX2_MAGIC)
        handler.startElementNs = startElement
        handler.endElementNs = endElement
        handler.characters = characters
        handler.ignorableWhitespace = characters
        handler.cdataBlock = characters
        handler.internalSubset = documentType
        handler.entityDecl = entityDeclaration
        handler.attributeDecl = attributeDeclaration
        handler.getEntity = entity
        handler.getParameterEntity = entity
        handler.serror = problem
        // The handler is copied. The context is ours, and freed in `deinit`; it hands `self` to the callbacks without keeping
        // it, and calls them only inside `xmlParseChunk`, while `self` is in use.
        context = xmlCreatePushParserCtxt(&handler, Unmanaged.passUnretained(self).toOpaque(), nil, 0, nil)
        guard let context else { throw DecodingFault(.overLimit, "there is not enough memory to read XML") }
        // The text is UTF-8 by now, whatever its declaration says. NOENT gives attributes their five entities as characters;
        // there are no others.
        let options = XML_PARSE_NONET.rawValue | XML_PARSE_NOENT.rawValue | XML_PARSE_IGNORE_ENC.rawValue
        xmlCtxtUseOptions(context, Int32(options))
    }

    deinit {
        if let context {
            // A document is only made for declarations; the context does not free it.
            if let document = context.pointee.myDoc { xmlFreeDoc(document) }
            context.pointee.myDoc = nil
            xmlFreeParserCtxt(context)
        }
        known.deinitialize(count: 1)
        known.deallocate()
    }

    /// Which steps of the path a name fits.
    @inline(__always)
    func mask(of name: Int) -> UInt32 { known.pointee.names[name].mask }

    /// The line that is read, from 1.
    var line: Int { context.map { Int(xmlSAX2GetLineNumber($0)) + firstLine } ?? 0 }

    /// Ends the parsing with a fault; the first one counts.
    func stop(_ fault: DecodingFault) {
        if self.fault == nil { self.fault = fault }
        isStopped = true
        if let context { xmlStopParser(context) }
    }

    /// Reads a piece.
    func take(_ bytes: UnsafeRawBufferPointer, isEnd: Bool = false) throws(DecodingFault) {
        if let fault { throw fault }
        // The length is an Int32; pieces are far smaller.
        xmlParseChunk(context, bytes.assumingMemoryBound(to: CChar.self).baseAddress, Int32(bytes.count), isEnd ? 1 : 0)
        if let fault { throw fault }
        if let context, context.pointee.wellFormed == 0 {
            throw DecodingFault(.malformed, "it is not well-formed XML", line: line)
        }
        try lookAtPending(bytes)
    }

    /// Looks at what libxml2 holds because its end has not come: it compares the attributes of a tag with each other before it
    /// tells of any, and keeps a comment whole.
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
            throw DecodingFault(.overLimit, reason, line: line)
        }
        // Letters and what else names begin with; others are comments and instructions.
        guard start[1] >= UInt8(ascii: ":") else { return }
        let new = UnsafeBufferPointer(start: start, count: pending).suffix(equals == 0 ? pending : bytes.count)
        equals += new.count { $0 == UInt8(ascii: "=") }
        if equals > Self.attributeLimit * 8 {
            throw DecodingFault(.overLimit, Self.tooManyAttributes, line: line)
        }
    }

    private static let tooManyAttributes = "an element has more than \(attributeLimit) attributes"

    // MARK: - What libxml2 tells

    fileprivate func started(
        _ name: (local: UnsafePointer<UInt8>?, prefix: UnsafePointer<UInt8>?, namespace: UnsafePointer<UInt8>?),
        _ attributes: UnsafeMutablePointer<UnsafePointer<UInt8>?>?,
        _ count: Int,
        newNamespaces: Int
    ) {
        hasRoot = true
        depth += 1
        if newNamespaces > 0 {
            namespaces.append((depth, newNamespaces))
            namespaceCount += newNamespaces
        }
        guard depth <= Self.depthLimit else {
            return stopOverLimit("its elements are nested deeper than the limit of \(Self.depthLimit) levels")
        }
        guard count <= Self.attributeLimit else { return stopOverLimit(Self.tooManyAttributes) }
        guard namespaceCount <= Self.namespaceLimit else {
            return stopOverLimit("it has more than \(Self.namespaceLimit) namespaces at one place")
        }
        guard let number = known.pointee.number(name.local, name.prefix, name.namespace) else { return tooManyNames() }
        listener.start(number, self)
        guard let attributes else { return }
        // Five addresses for each: name, prefix, namespace, and the value's begin and end. They point into what libxml2 reads
        // from, which it frees when it is stopped.
        for at in 0..<count where !isStopped {
            let parts = attributes + at * 5
            guard let begin = parts[3], let end = parts[4] else { continue }
            guard let number = known.pointee.number(parts[0], parts[1], parts[2]) else { return tooManyNames() }
            listener.attribute(number, UnsafeBufferPointer(start: begin, count: end - begin), self)
        }
    }

    private func stopOverLimit(_ reason: String) { stop(DecodingFault(.overLimit, reason, line: line)) }

    private func tooManyNames() {
        stopOverLimit("it has more than \(XMLNames.limit) different names")
    }

    fileprivate func ended() {
        if let last = namespaces.last, last.depth == depth {
            namespaces.removeLast()
            namespaceCount -= last.count
        }
        depth -= 1
        if !isStopped { listener.end(self) }
    }

    fileprivate func met(_ text: UnsafePointer<UInt8>?, _ count: Int32) {
        if let text, count > 0 { listener.text(UnsafeBufferPointer(start: text, count: Int(count))) }
    }

    fileprivate func metDocumentType(_ name: String) {
        if name.lowercased() == "html" { stop(Self.html(line)) }
    }

    static let htmlPage = "it is an HTML page"

    static func html(_ line: Int?) -> DecodingFault { DecodingFault(.otherFormat, htmlPage, line: line) }

    fileprivate func declaredEntity() {
        stop(DecodingFault(.refused, "it defines entities of its own, which are never expanded", line: line))
    }

    /// - Parameter hasValue: Whether elements without the attribute are to have it.
    fileprivate func declaredAttribute(hasValue: Bool) {
        if hasValue { defaults += 1 }
        if defaults > Self.defaultLimit {
            let reason = "its document type gives values to more than \(Self.defaultLimit) attributes"
            stop(DecodingFault(.refused, reason, line: line))
        }
    }

    fileprivate func usedEntity() {
        stop(DecodingFault(.refused, "it uses an entity that XML does not define", line: line))
    }

    fileprivate func failed(_ code: Int32, _ line: Int, isFatal: Bool) {
        // An undeclared prefix and its like leave all records readable.
        guard isFatal else { return }
        let code = xmlParserErrors(rawValue: UInt32(code))
        let reason =
            switch code {
            case XML_ERR_TAG_NAME_MISMATCH: "an end tag does not fit its start tag"
            case XML_ERR_DOCUMENT_EMPTY: "it has no element"
            case XML_ERR_INTERNAL_ERROR: "a text, comment or instruction is longer than libxml2's limit of 10 MB"
            case XML_ERR_DOCUMENT_END where hasRoot && depth == 0: "something stands behind the end of its root element"
            case XML_ERR_DOCUMENT_END, XML_ERR_TAG_NOT_FINISHED, XML_ERR_GT_REQUIRED, XML_ERR_CDATA_NOT_FINISHED,
                XML_ERR_COMMENT_NOT_FINISHED:
                hasRoot ? "it ends too soon, or a tag is broken" : "it is no XML"
            case XML_ERR_INVALID_CHAR, XML_ERR_INVALID_CHARREF: "it has a character that XML does not allow"
            case XML_ERR_ATTRIBUTE_NOT_STARTED, XML_ERR_ATTRIBUTE_WITHOUT_VALUE, XML_ERR_ATTRIBUTE_REDEFINED,
                XML_ERR_LT_IN_ATTRIBUTE, XML_ERR_SPACE_REQUIRED:
                "an attribute is broken"
            case XML_ERR_NAME_REQUIRED, XML_ERR_ENTITYREF_SEMICOL_MISSING, XML_ERR_ENTITYREF_NO_NAME:
                "'&' or '<' stands in a text where '&amp;' or '&lt;' belongs"
            case XML_ERR_UNDECLARED_ENTITY: "it uses an entity that XML does not define"
            default: "it is not well-formed XML (libxml2's error \(code.rawValue))"
            }
        let kind: DecodingFault.Kind = code == XML_ERR_INTERNAL_ERROR ? .overLimit : .malformed
        if fault == nil { fault = DecodingFault(kind, reason, line: line + firstLine) }
    }
}

// What libxml2 calls. The first argument is what `xmlCreatePushParserCtxt` was given: the parser, alive as long as its context.

private func parser(_ context: UnsafeMutableRawPointer?) -> XMLParser? {
    context.map { Unmanaged<XMLParser>.fromOpaque($0).takeUnretainedValue() }
}

private let startElement: startElementNsSAX2Func = {
    context,
    local,
    prefix,
    namespace,
    namespaces,
    _,
    count,
    defaulted,
    attributes in
    // The last ones have their values from the document type. They are left out: one long value would be repeated in each
    // element.
    parser(context)?.started(
        (local, prefix, namespace),
        attributes,
        Int(count - defaulted),
        newNamespaces: Int(namespaces)
    )
}

private let endElement: endElementNsSAX2Func = { context, _, _, _ in parser(context)?.ended() }

private let characters: charactersSAXFunc = { context, text, count in parser(context)?.met(text, count) }

private let documentType: internalSubsetSAXFunc = { context, name, _, _ in
    parser(context)?.metDocumentType(name.map { String(cString: $0) } ?? "")
}

private let entityDeclaration: entityDeclSAXFunc = { context, _, _, _, _, _ in parser(context)?.declaredEntity() }

private let attributeDeclaration: attributeDeclSAXFunc = { context, _, _, _, _, value, values in
    // The list of values is ours to free.
    xmlFreeEnumeration(values)
    parser(context)?.declaredAttribute(hasValue: value != nil)
}

private let entity: getEntitySAXFunc = { context, _ in
    parser(context)?.usedEntity()
    return nil
}

private let problem: xmlStructuredErrorFunc = { context, error in
    guard let error else { return }
    parser(context)?.failed(
        error.pointee.code,
        Int(error.pointee.line),
        isFatal: error.pointee.level == XML_ERR_FATAL
    )
}
