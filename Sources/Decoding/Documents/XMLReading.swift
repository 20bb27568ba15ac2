internal import CLibXML2

/// The state of the document being read: libxml2 reports its elements in order.
///
/// `deallocate` frees what it holds.
struct XMLReading {
    /// How deep elements may be nested: each may take two levels of JSON, which has 128.
    static let depthLimit = 60
    /// More attributes of one element, or namespaces at one place, are an attack, not data: libxml2 compares each with each.
    static let attributeLimit = 1000
    static let tooManyAttributes = "an element has more than \(attributeLimit) attributes"
    static let namespaceLimit = 256

    /// libxml2's; the parser creates and frees it.
    var context: xmlParserCtxtPtr?
    /// What elements become.
    var collector: XMLCollector
    /// How many lines were skipped before the first one that libxml2 saw.
    var skippedLines = 0
    /// The fault that ended parsing.
    private(set) var fault: DecodingFault?
    /// Whether there is a fault: a flag is cheaper to check.
    private var isStopped = false
    private var names: XMLNames
    /// Whether any element has begun.
    private var hasRoot = false
    private var depth = 0
    /// The namespaces that the open elements declare: at which depth, and how many.
    private var namespaces: [(depth: Int, count: Int)] = []
    private var namespaceCount = 0

    /// - Parameter limit: The maximum size of a record in bytes.
    init(_ shape: any XMLShape, limit: Int) {
        collector = XMLCollector(shape, limit: limit)
        names = XMLNames(shape.options)
    }

    /// Frees the memory; no copy may be used again.
    func deallocate() {
        names.deallocate()
        collector.deallocate()
    }

    /// The line being read, from 1.
    var line: Int { context.map { Int(xmlSAX2GetLineNumber($0)) + skippedLines } ?? 0 }

    // MARK: - Elements

    /// - Parameter attributes: Five addresses for each: name, prefix, namespace, and the value's start and end. They point into
    ///   libxml2's input buffer, which it frees when it is stopped.
    @inline(__always)
    mutating func started(
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
        guard let number = names.number(name.local, name.prefix, name.namespace) else { return tooManyNames() }
        if collector.tree.isOpen {
            collector.tree.open(number)
        } else if let reason = collector.start(number, names) {
            return stop(DecodingFault(.otherFormat, reason, line: line))
        }
        guard let attributes else { return }
        for at in 0..<count where !isStopped {
            let parts = attributes + at * 5
            guard let begin = parts[3], let end = parts[4] else { continue }
            guard let number = names.number(parts[0], parts[1], parts[2]) else { return tooManyNames() }
            let value = UnsafeBufferPointer(start: begin, count: end - begin)
            if collector.tree.isOpen {
                collector.tree.addAttribute(number, value, names)
            } else {
                collector.learn(names.names[number], value)
            }
        }
        checkSize()
    }

    @inline(__always)
    mutating func met(_ text: UnsafePointer<UInt8>?, _ count: Int32) {
        guard let text, count > 0, collector.tree.isOpen else { return }
        collector.tree.addText(UnsafeBufferPointer(start: text, count: Int(count)))
        checkSize()
    }

    @inline(__always)
    mutating func ended() {
        if let last = namespaces.last, last.depth == depth {
            namespaces.removeLast()
            namespaceCount -= last.count
        }
        depth -= 1
        if isStopped { return }
        if collector.tree.isOpen { collector.tree.close() }
        if !collector.tree.isOpen { collector.end(names, line: line) }
    }

    @inline(__always)
    private mutating func checkSize() { if collector.isOverLimit { stopOverLimit(collector.overLimitReason) } }

    // MARK: - Ending the parse

    /// Ends the parse with a fault; the first one counts.
    @inline(never)
    private mutating func stop(_ fault: DecodingFault) {
        if self.fault == nil { self.fault = fault }
        isStopped = true
        // It makes no callbacks.
        if let context { xmlStopParser(context) }
    }

    @inline(never)
    private mutating func stopOverLimit(_ reason: String) { stop(DecodingFault(.overLimit, reason, line: line)) }

    private mutating func tooManyNames() { stopOverLimit("it has more than \(XMLNames.limit) different names") }

    mutating func failed(_ code: Int32, _ line: Int, isFatal: Bool) {
        // An undeclared prefix and similar errors leave all records readable.
        guard isFatal else { return }
        let code = xmlParserErrors(rawValue: UInt32(code))
        // It has this code for other things, too.
        let isLong = context.map { xmlByteConsumed($0) >= 10_000_000 } ?? false
        let reason =
            switch code {
            case XML_ERR_TAG_NAME_MISMATCH: "an end tag does not match its start tag"
            case XML_ERR_DOCUMENT_EMPTY: "it has no element"
            case XML_ERR_NO_MEMORY: "there is not enough memory to read XML"
            case XML_ERR_INTERNAL_ERROR where isLong: "a text or a tag is longer than libxml2's limit of 10 MB"
            case XML_ERR_DOCUMENT_END where hasRoot && depth == 0: "something follows the end of its root element"
            case XML_ERR_DOCUMENT_END, XML_ERR_TAG_NOT_FINISHED, XML_ERR_GT_REQUIRED, XML_ERR_CDATA_NOT_FINISHED,
                XML_ERR_COMMENT_NOT_FINISHED:
                hasRoot ? "it ends too soon, or a tag is broken" : "it is not XML"
            case XML_ERR_INVALID_CHAR, XML_ERR_INVALID_CHARREF: "it has a character that XML does not allow"
            case XML_ERR_ATTRIBUTE_NOT_STARTED, XML_ERR_ATTRIBUTE_WITHOUT_VALUE, XML_ERR_ATTRIBUTE_REDEFINED,
                XML_ERR_LT_IN_ATTRIBUTE, XML_ERR_SPACE_REQUIRED:
                "an attribute is broken"
            case XML_ERR_NAME_REQUIRED, XML_ERR_ENTITYREF_SEMICOL_MISSING, XML_ERR_ENTITYREF_NO_NAME:
                "'&' or '<' is in a text where '&amp;' or '&lt;' belongs"
            case XML_ERR_UNDECLARED_ENTITY, XML_WAR_UNDECLARED_ENTITY: "it uses an entity that XML does not define"
            default: "it is not well-formed XML (libxml2's error \(code.rawValue))"
            }
        let kind: DecodingFault.Kind =
            switch code {
            case XML_ERR_NO_MEMORY: .noMemory
            case XML_ERR_INTERNAL_ERROR where isLong: .overLimit
            default: .malformed
            }
        isStopped = true
        if fault == nil { fault = DecodingFault(kind, reason, line: line + skippedLines) }
    }
}
