/// Which elements of an XML file are records, and what each becomes.
protocol XMLShape {
    /// How names become keys.
    var options: XMLOptions { get }
    /// Whether it inspects the attributes of collected elements, rather than only writing them.
    var readsAttributes: Bool { get }
    /// The name for a record in messages: `a record`.
    var noun: String { get }
    /// Why a file whose root element has this name is of another kind; `nil` if it is right.
    func fault(ofRoot name: XMLNames.Name) -> String?
    /// Whether the element that begins is collected with all its contents: it is the last on the stack, which holds, for each
    /// open element, the steps of the path that it matches.
    func collects(_ name: XMLNames.Name, _ stack: [UInt32]) -> Bool
    /// Notes an attribute of an element around records, at this depth.
    mutating func learn(_ attribute: XMLNames.Name, _ value: UnsafeBufferPointer<UInt8>, depth: Int)
    /// Takes a collected element, which ends in a line: a record, or something that records need. Neither the tree nor the names may be kept.
    mutating func take(_ tree: XMLTree, _ names: XMLNames, line: Int, into block: BlockBuilder)
    /// The same fault in words people understand.
    func explained(_ fault: DecodingFault) -> DecodingFault
}

/// The elements at a path, each as it is. A record inside a record belongs to the outer one.
struct XMLElements: XMLShape {
    let options: XMLOptions
    let readsAttributes = false
    let noun = "a record"
    private var mapping = XMLMapping()

    init(_ options: XMLOptions) { self.options = options }

    func fault(ofRoot name: XMLNames.Name) -> String? {
        if options.records.isWhole, name.mask & 1 == 0 {
            return "its root element is not the first of the path '\(options.records.text)'"
        }
        return nil
    }

    func collects(_ name: XMLNames.Name, _ stack: [UInt32]) -> Bool { options.records.matches(stack) }

    func learn(_ attribute: XMLNames.Name, _ value: UnsafeBufferPointer<UInt8>, depth: Int) {}

    mutating func take(_ tree: XMLTree, _ names: XMLNames, line: Int, into block: BlockBuilder) {
        block.begin()
        mapping.write(0, of: tree, names, to: block.json)
    }

    func explained(_ fault: DecodingFault) -> DecodingFault { fault }
}
