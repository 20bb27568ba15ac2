/// The entries of a feed (RSS 0.9x, 1.0 and 2.0, Atom), in one shape: `id`, `title`, `url`, `published`, `updated`, `author`,
/// `content`, `summary`, `categories` and `enclosures`; and under `raw` the element itself.
package final class Feed: RecordDecoder, XMLListener {
    private let limits: DecodingLimits
    private var parser: XMLParser?
    private var beginning = XMLBeginning()
    private var depth = 0
    private var tree = XMLTree()
    private var mapping = XMLMapping()
    /// The block that is written to while the parser runs.
    private var block: BlockBuilder?

    /// A decoder of one file.
    package init(_ limits: DecodingLimits = DecodingLimits()) throws(DecodingFault) {
        self.limits = limits
        parser = try XMLParser(XMLOptions(), self)
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
        do throws(DecodingFault) {
            try beginning.take(bytes, isEnd: isEnd) { bytes throws(DecodingFault) in try parser.take(bytes) }
            if isEnd { try parser.take(UnsafeRawBufferPointer(start: nil, count: 0), isEnd: true) }
        } catch {
            guard error.kind == .otherFormat else { throw error }
            var fault = error
            if !fault.reason.hasSuffix("not a feed") { fault.reason += ", not a feed" }
            throw fault
        }
    }

    // MARK: - What the parser tells

    func start(_ name: Int, _ parser: XMLParser) {
        let known = parser.names.names[name]
        if depth == 0, !["rss", "rdf", "feed"].contains(known.local.lowercased()) {
            let isHTML = known.local.lowercased() == "html"
            let reason = isHTML ? "it is an HTML page" : "its root element is neither 'rss' nor 'feed' nor 'RDF'"
            parser.stop(DecodingFault(.otherFormat, reason, line: parser.line))
        }
        depth += 1
        // An item of RSS stands in the channel or beside it, an entry of Atom in the feed.
        let isEntry = (known.local == "item" && (2...3).contains(depth)) || (known.local == "entry" && depth == 2)
        if tree.current >= 0 || isEntry { tree.open(name) }
    }

    func attribute(_ name: Int, _ value: UnsafeBufferPointer<UInt8>) {
        if tree.current >= 0 { tree.addAttribute(name, value) }
    }

    func text(_ text: UnsafeBufferPointer<UInt8>) {
        guard tree.current >= 0 else { return }
        tree.addText(text)
        if tree.size > limits.record, let parser {
            let reason = "an entry is longer than the limit of \(limits.record) bytes"
            parser.stop(DecodingFault(.overLimit, reason, line: parser.line))
        }
    }

    func end(_ parser: XMLParser) {
        depth -= 1
        guard tree.current >= 0 else { return }
        if tree.size > limits.record { text(UnsafeBufferPointer(start: nil, count: 0)) }
        tree.close()
        guard tree.current < 0, let block, parser.fault == nil else { return }
        block.begin()
        FeedEntry(tree, parser.names).writeMembers(to: block.json)
        block.json.append(#","raw":"#)
        mapping.write(0, of: &tree, parser.names, to: block.json)
        block.json.append("}")
        tree.removeAll()
    }
}
