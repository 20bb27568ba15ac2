/// One record's elements and texts, in lists that the next record reuses.
///
/// A handle on memory: `deallocate` frees it.
struct XMLTree {
    struct Node: BitwiseCopyable {
        /// The number of the element's name, −1 for a text.
        var name: Int
        var parent: Int
        /// The first node in it, −1 for none.
        var first = -1
        /// The next node in the same element.
        var next = -1
        /// Its last node, for appending.
        var last = -1
        /// The next element with the same key in the same element, while JSON is written.
        var same = -1
        /// The first element with the next key in the same element, while JSON is written.
        var nextKey = -1
        /// For a text its bytes, for an element its attributes as JSON members, each followed by a comma.
        var from: Int
        var to: Int
        /// For an element its attributes, if they are kept.
        var attributes: Range<Int> { firstAttribute..<endOfAttributes }
        var firstAttribute = 0
        var endOfAttributes = 0
        /// The number of elements in it.
        var elements = 0
    }

    struct Attribute: BitwiseCopyable {
        var name: Int
        var from: Int
        var to: Int
    }

    let nodes = RawList<Node>()
    let attributes = RawList<Attribute>()
    let bytes = RawList<UInt8>(capacity: 4096)
    /// Attributes as JSON members, each followed by a comma.
    let members = RawList<UInt8>(capacity: 4096)
    /// For each key, the count of the last element that has an attribute with it.
    private let holders = RawList<Int>()
    private var counted = 0
    /// Roughly how many bytes the attributes stand for; those that are kept are among `bytes` already.
    private var attributeSize = 0
    /// Whether attributes are also kept as they are.
    private let keepsAttributes: Bool
    /// The open element, −1 outside.
    private(set) var current = -1

    /// - Parameter keepsAttributes: Whether attributes are also kept as they are.
    init(keepsAttributes: Bool) { self.keepsAttributes = keepsAttributes }

    /// Frees the memory; neither this tree nor a copy of it may be used again.
    func deallocate() {
        nodes.deallocate()
        attributes.deallocate()
        bytes.deallocate()
        members.deallocate()
        holders.deallocate()
    }

    /// Whether an element is open.
    @inline(__always)
    var isOpen: Bool { current >= 0 }

    /// Roughly how many bytes it stands for.
    @inline(__always)
    var size: Int { bytes.count + attributeSize + nodes.count * 16 }

    mutating func removeAll() {
        nodes.removeAll()
        attributes.removeAll()
        bytes.removeAll()
        members.removeAll()
        attributeSize = 0
        current = -1
    }

    mutating func open(_ name: Int) {
        add(Node(name: name, parent: current, from: members.count, to: members.count))
        counted += 1
        if current >= 0 { nodes[current].elements += 1 }
        current = nodes.count - 1
    }

    /// Adds an attribute to the element opened last, to which nothing has been added yet.
    @inline(__always)
    mutating func addAttribute(_ name: Int, _ value: UnsafeBufferPointer<UInt8>, _ names: XMLNames) {
        let key = names.key(of: name)
        while holders.count <= key { holders.append(0) }
        let isSecond = holders[key] == counted
        holders[key] = counted
        // Two attributes whose prefixes are left out: the second keeps its own.
        write(value, as: isSecond ? names.writtenKey(name) : names.attributeKey(key))
        nodes[current].to = members.count
        attributeSize += keepsAttributes ? 8 : value.count + 8
        if keepsAttributes { keep(name, value) }
    }

    @inline(__always)
    private func write(_ value: UnsafeBufferPointer<UInt8>, as key: UnsafeRawBufferPointer) {
        guard let name = key.baseAddress else { return }
        members.write(key.count + value.count * JSONEscaping.growth + JSONEscaping.slack + 3) { out in
            func put(_ byte: UInt8) {
                out.storeBytes(of: byte, as: UInt8.self)
                out += 1
            }
            put(UInt8(ascii: ","))
            out.copyMemory(from: name, byteCount: key.count)
            out += key.count
            put(UInt8(ascii: "\""))
            if let text = value.baseAddress { JSONEscaping.write(text, value.count, to: &out) }
            put(UInt8(ascii: "\""))
        }
    }

    @inline(never)
    private func keep(_ name: Int, _ value: UnsafeBufferPointer<UInt8>) {
        let from = bytes.count
        bytes.append(value)
        if nodes[current].attributes.isEmpty { nodes[current].firstAttribute = attributes.count }
        attributes.append(Attribute(name: name, from: from, to: bytes.count))
        nodes[current].endOfAttributes = attributes.count
    }

    func addText(_ text: UnsafeBufferPointer<UInt8>) {
        let from = bytes.count
        bytes.append(text)
        let last = nodes[current].last
        // Texts come in pieces; one that continues the last belongs to it.
        if last >= 0, nodes[last].name < 0, nodes[last].to == from {
            nodes[last].to = bytes.count
        } else {
            add(Node(name: -1, parent: current, from: from, to: bytes.count))
        }
    }

    private func add(_ node: Node) {
        let at = nodes.count
        nodes.append(node)
        guard current >= 0 else { return }
        let last = nodes[current].last
        if last >= 0 { nodes[last].next = at } else { nodes[current].first = at }
        nodes[current].last = at
    }

    mutating func close() { current = nodes[current].parent }

    /// Links the elements of a node that have the same key, in order, and the first ones of all keys.
    ///
    /// - Parameter tails: −1 for each key, and again on return.
    /// - Returns: The first element of the first key, −1 for none.
    func link(_ element: Int, _ names: XMLNames, _ tails: inout [Int]) -> Int {
        var (head, lastHead) = (-1, -1)
        var at = nodes[element].first
        while at >= 0 {
            let node = nodes[at]
            if node.name >= 0 {
                let key = names.key(of: node.name)
                while tails.count <= key { tails.append(-1) }
                if tails[key] >= 0 {
                    nodes[tails[key]].same = at
                } else {
                    if lastHead >= 0 { nodes[lastHead].nextKey = at } else { head = at }
                    lastHead = at
                }
                tails[key] = at
            }
            at = node.next
        }
        var linked = head
        while linked >= 0 {
            let node = nodes[linked]
            tails[names.key(of: node.name)] = -1
            linked = node.nextKey
        }
        return head
    }

    /// The bytes of a text or an attribute; valid until something is added.
    @inline(__always)
    func text(_ from: Int, _ to: Int) -> UnsafeRawBufferPointer { UnsafeRawBufferPointer(bytes[from..<to]) }

    /// All text directly inside an element.
    func text(of element: Int) -> [UInt8] {
        var text: [UInt8] = []
        var at = nodes[element].first
        while at >= 0 {
            if nodes[at].name < 0 { text += bytes[nodes[at].from..<nodes[at].to] }
            at = nodes[at].next
        }
        return text
    }
}
