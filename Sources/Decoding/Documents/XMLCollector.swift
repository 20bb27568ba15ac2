/// Collects the elements that are records, one at a time, and hands each to the shape that makes JSON of it.
struct XMLCollector {
    private(set) var shape: any XMLShape
    /// The record that is open.
    var tree: XMLTree
    /// Where records go while the parser runs.
    var block: BlockBuilder?
    /// Whether the root element reports a failure, and whether anything was collected.
    private(set) var (isFailure, hasCollected) = (false, false)
    /// For each open element around records, which steps of the path it matches.
    private var stack: [UInt32] = []
    /// The maximum size of a record in bytes.
    private let limit: Int

    init(_ shape: any XMLShape, limit: Int) {
        (self.shape, self.limit) = (shape, limit)
        tree = XMLTree(keepsAttributes: shape.readsAttributes)
    }

    /// Frees the memory; no copy may be used again.
    func deallocate() { tree.deallocate() }

    /// Begins an element outside of records, which may be a record.
    ///
    /// - Returns: Why the file is of another kind, if this is its root; otherwise `nil`.
    mutating func start(_ number: Int, _ names: XMLNames) -> String? {
        let name = names.names[number]
        if stack.isEmpty {
            if name.local.lowercased() == "html" { return XMLBeginning.htmlPage }
            if let reason = shape.fault(ofRoot: name) { return reason }
            isFailure = XMLFailure.isRoot(name.local)
        }
        stack.append(name.mask)
        if shape.collects(name, stack) { tree.open(number) }
        return nil
    }

    /// Notes an attribute of the most recently begun element around records.
    mutating func learn(_ attribute: XMLNames.Name, _ value: UnsafeBufferPointer<UInt8>) {
        if stack.count == 1, XMLFailure.isTold(by: attribute.local, value) { isFailure = true }
        shape.learn(attribute, value, depth: stack.count)
    }

    /// Whether the open record is too long.
    @inline(__always)
    var isOverLimit: Bool { tree.size > limit }

    var overLimitReason: String { "\(shape.noun) is longer than the limit of \(limit) bytes" }

    /// Ends a record, or an element around records.
    mutating func end(_ names: XMLNames, line: Int) {
        stack.removeLast()
        guard tree.nodes.count > 0, let block else { return }
        hasCollected = true
        shape.take(tree, names, line: line, into: block)
        tree.removeAll()
    }
}
