/// Collects the elements of an XML file that are records, one at a time, and hands each to what makes JSON of it.
///
/// A file that is not well-formed ends with a fault: nothing behind a broken tag can be trusted.
package final class XMLRecords: RecordDecoder, XMLListener {
    /// How many bytes are parsed before it is looked whether the block is full. More at a time is no faster; less makes libxml2
    /// look more often at a long tag.
    private static let slice = 16 << 10

    private struct State {
        var shape: any XMLShape
        /// Of each element that is open, which steps of the path it fits.
        var stack: [UInt32] = []
        var tree = XMLTree()
    }
    /// Behind a pointer of its own, because each access to a property of a class is checked at run time.
    private let state: UnsafeMutablePointer<State>
    private let limits: DecodingLimits
    private var parser: XMLParser?
    private var beginning = XMLBeginning()
    /// What came while the block was full.
    private var waiting: [UInt8] = []
    private var hasEnded = false
    /// The block that is written to while the parser runs.
    private var block: BlockBuilder?

    /// A decoder of one file, whose records are elements at a path.
    package convenience init(_ options: XMLOptions = XMLOptions(), _ limits: DecodingLimits = DecodingLimits())
        throws(DecodingFault)
    {
        try self.init(XMLElements(options), limits)
    }

    /// A decoder of one file, whose records are the entries of a feed.
    package static func feed(_ limits: DecodingLimits = DecodingLimits()) throws(DecodingFault) -> XMLRecords {
        try XMLRecords(FeedEntries(), limits)
    }

    private init(_ shape: any XMLShape, _ limits: DecodingLimits) throws(DecodingFault) {
        self.limits = limits
        state = .allocate(capacity: 1)
        state.initialize(to: State(shape: shape))
        parser = try XMLParser(shape.options, limit: limits.record, self)
    }

    deinit {
        state.deinitialize(count: 1)
        state.deallocate()
    }

    package var isBehind: Bool { !waiting.isEmpty }

    package func take(_ bytes: UnsafeRawBufferPointer, into block: BlockBuilder) throws(DecodingFault) {
        try explaining { () throws(DecodingFault) in
            if waiting.isEmpty { return try parse(bytes, isEnd: false, block) }
            let all = waiting + bytes
            waiting = []
            try parse(all, isEnd: false, block)
        }
    }

    package func finish(into block: BlockBuilder) throws(DecodingFault) {
        try explaining { () throws(DecodingFault) in
            let all = waiting
            waiting = []
            try parse(all, isEnd: true, block)
            guard let parser, waiting.isEmpty, !hasEnded else { return }
            hasEnded = true
            self.block = block
            defer { self.block = nil }
            try parser.take(UnsafeRawBufferPointer(start: nil, count: 0), isEnd: true)
        }
    }

    private func explaining(_ body: () throws(DecodingFault) -> Void) throws(DecodingFault) {
        do throws(DecodingFault) { try body() } catch { throw state.pointee.shape.explained(error) }
    }

    private func parse(_ bytes: [UInt8], isEnd: Bool, _ block: BlockBuilder) throws(DecodingFault) {
        var outcome: Result<Void, DecodingFault> = .success(())
        bytes.withUnsafeBytes { all in
            do throws(DecodingFault) { try parse(all, isEnd: isEnd, block) } catch { outcome = .failure(error) }
        }
        try outcome.get()
    }

    private func parse(_ bytes: UnsafeRawBufferPointer, isEnd: Bool, _ block: BlockBuilder) throws(DecodingFault) {
        guard let parser else { return }
        self.block = block
        defer { self.block = nil }
        try beginning.take(bytes, isEnd: isEnd) { bytes, lines throws(DecodingFault) in
            parser.firstLine = lines
            var at = 0
            while at < bytes.count {
                if block.isFull {
                    waiting += bytes[at...]
                    return
                }
                let end = min(bytes.count, at + Self.slice)
                try parser.take(UnsafeRawBufferPointer(rebasing: bytes[at..<end]))
                at = end
            }
        }
    }

    // MARK: - What the parser tells

    func start(_ name: Int, _ parser: XMLParser) {
        let mask = parser.mask(of: name)
        if state.pointee.stack.isEmpty {
            let root = parser.names.names[name]
            let reason =
                root.local.lowercased() == "html" ? XMLParser.htmlPage : state.pointee.shape.fault(ofRoot: root)
            if let reason { return parser.stop(DecodingFault(.otherFormat, reason, line: parser.line)) }
        }
        state.pointee.stack.append(mask)
        if state.pointee.tree.current >= 0
            || state.pointee.shape.collects(parser.names.names[name], state.pointee.stack)
        {
            state.pointee.tree.open(name)
        }
    }

    func attribute(_ name: Int, _ value: UnsafeBufferPointer<UInt8>, _ parser: XMLParser) {
        if state.pointee.tree.current >= 0 {
            state.pointee.tree.addAttribute(name, value)
        } else {
            state.pointee.shape.learn(parser.names.names[name], value, depth: state.pointee.stack.count)
        }
    }

    func text(_ text: UnsafeBufferPointer<UInt8>) {
        guard state.pointee.tree.current >= 0 else { return }
        state.pointee.tree.addText(text)
        checkSize()
    }

    private func checkSize() {
        guard state.pointee.tree.size > limits.record, let parser else { return }
        let reason = "\(state.pointee.shape.noun) is longer than the limit of \(limits.record) bytes"
        parser.stop(DecodingFault(.overLimit, reason, line: parser.line))
    }

    func end(_ parser: XMLParser) {
        state.pointee.stack.removeLast()
        guard state.pointee.tree.current >= 0 else { return }
        checkSize()
        state.pointee.tree.close()
        guard state.pointee.tree.current < 0, let block, parser.fault == nil else { return }
        state.pointee.shape.take(&state.pointee.tree, parser.names, into: block)
        state.pointee.tree.removeAll()
    }
}
