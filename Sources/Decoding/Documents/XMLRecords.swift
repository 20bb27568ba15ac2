/// The elements at a path of an XML file, each an object. A record inside a record belongs to the outer one.
///
/// A file that is not well-formed ends with a fault: nothing behind a broken tag can be trusted.
package final class XMLRecords: RecordDecoder, XMLListener {
    private let options: XMLOptions
    private let limits: DecodingLimits
    private var parser: XMLParser?
    private var beginning = XMLBeginning()
    private struct State {
        /// Of each element that is open, which steps of the path it fits.
        var stack: [UInt32] = []
        var tree = XMLTree()
        var mapping = XMLMapping()
    }
    /// Behind a pointer of its own, because each access to a property of a class is checked at run time.
    private let state: UnsafeMutablePointer<State>
    /// The block that is written to while the parser runs.
    private var block: BlockBuilder?

    /// A decoder of one file.
    package init(_ options: XMLOptions = XMLOptions(), _ limits: DecodingLimits = DecodingLimits())
        throws(DecodingFault)
    {
        self.options = options
        self.limits = limits
        state = .allocate(capacity: 1)
        state.initialize(to: State())
        parser = try XMLParser(options, self)
    }

    deinit {
        state.deinitialize(count: 1)
        state.deallocate()
    }

    package func take(_ bytes: UnsafeRawBufferPointer, into block: BlockBuilder) throws(DecodingFault) {
        try parse(bytes, isEnd: false, block)
    }

    package func finish(into block: BlockBuilder) throws(DecodingFault) {
        try parse(UnsafeRawBufferPointer(start: nil, count: 0), isEnd: true, block)
    }

    private func parse(_ bytes: UnsafeRawBufferPointer, isEnd: Bool, _ block: BlockBuilder) throws(DecodingFault) {
        guard let parser else { return }
        self.block = block
        defer { self.block = nil }
        try beginning.take(bytes, isEnd: isEnd) { bytes throws(DecodingFault) in try parser.take(bytes) }
        if isEnd { try parser.take(UnsafeRawBufferPointer(start: nil, count: 0), isEnd: true) }
    }

    // MARK: - What the parser tells

    func start(_ name: Int, _ parser: XMLParser) {
        let mask = parser.mask(of: name)
        if state.pointee.stack.isEmpty { checkRoot(name, mask, parser) }
        state.pointee.stack.append(mask)
        if state.pointee.tree.current >= 0 || options.records.matches(state.pointee.stack) {
            state.pointee.tree.open(name)
        }
    }

    private func checkRoot(_ name: Int, _ mask: UInt32, _ parser: XMLParser) {
        let root = parser.names.names[name].local
        if root.lowercased() == "html" { return parser.stop(XMLParser.html(parser.line)) }
        if options.records.isWhole, mask & 1 == 0 {
            let reason = "its root element is not the first of the path '\(options.records.text)'"
            parser.stop(DecodingFault(.otherFormat, reason, line: parser.line))
        }
    }

    func attribute(_ name: Int, _ value: UnsafeBufferPointer<UInt8>) {
        if state.pointee.tree.current >= 0 { state.pointee.tree.addAttribute(name, value) }
    }

    func text(_ text: UnsafeBufferPointer<UInt8>) {
        guard state.pointee.tree.current >= 0 else { return }
        state.pointee.tree.addText(text)
        if state.pointee.tree.size > limits.record, let parser {
            let reason = "a record is longer than the limit of \(limits.record) bytes"
            parser.stop(DecodingFault(.overLimit, reason, line: parser.line))
        }
    }

    func end(_ parser: XMLParser) {
        state.pointee.stack.removeLast()
        guard state.pointee.tree.current >= 0 else { return }
        if state.pointee.tree.size > limits.record { text(UnsafeBufferPointer(start: nil, count: 0)) }
        state.pointee.tree.close()
        guard state.pointee.tree.current < 0, let block, parser.fault == nil else { return }
        block.begin()
        state.pointee.mapping.write(0, of: &state.pointee.tree, parser.names, to: block.json)
        state.pointee.tree.removeAll()
    }
}
