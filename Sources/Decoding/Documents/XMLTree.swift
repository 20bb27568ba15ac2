/// One record's elements and texts, in arrays that the next record uses again.
struct XMLTree {
    struct Node {
        /// The number of the element's name, −1 for a text.
        var name: Int
        var parent: Int
        /// The first node in it, −1 for none.
        var first = -1
        /// The node behind it in the same element.
        var next = -1
        /// Its last node, for adding.
        var last = -1
        /// The next element with the same key in the same element, while JSON is made.
        var same = -1
        /// Of a text its bytes, of an element its attributes.
        var from: Int
        var to: Int
        /// How many elements are in it.
        var elements = 0
    }

    struct Attribute {
        var name: Int
        var from: Int
        var to: Int
    }

    private(set) var nodes: [Node] = []
    private(set) var attributes: [Attribute] = []
    private(set) var bytes: [UInt8] = []
    /// The element that is open, −1 outside.
    private(set) var current = -1
    /// How many elements are inside each other.
    private(set) var depth = 0

    /// How many bytes it stands for, more or less.
    var size: Int { bytes.count + nodes.count * 16 + attributes.count * 8 }

    mutating func removeAll() {
        nodes.removeAll(keepingCapacity: true)
        attributes.removeAll(keepingCapacity: true)
        bytes.removeAll(keepingCapacity: true)
        (current, depth) = (-1, 0)
    }

    mutating func open(_ name: Int) {
        let node = Node(name: name, parent: current, from: attributes.count, to: attributes.count)
        add(node)
        if current >= 0 { nodes[current].elements += 1 }
        current = nodes.count - 1
        depth += 1
    }

    mutating func addAttribute(_ name: Int, _ value: UnsafeBufferPointer<UInt8>) {
        let from = bytes.count
        bytes.append(contentsOf: value)
        attributes.append(Attribute(name: name, from: from, to: bytes.count))
        nodes[current].to = attributes.count
    }

    mutating func addText(_ text: UnsafeBufferPointer<UInt8>) {
        let from = bytes.count
        bytes.append(contentsOf: text)
        let last = nodes[current].last
        // Texts come in pieces; what follows on from the last one belongs to it.
        if last >= 0, nodes[last].name < 0, nodes[last].to == from {
            nodes[last].to = bytes.count
        } else {
            add(Node(name: -1, parent: current, from: from, to: bytes.count))
        }
    }

    private mutating func add(_ node: Node) {
        let at = nodes.count
        nodes.append(node)
        guard current >= 0 else { return }
        let last = nodes[current].last
        if last >= 0 { nodes[last].next = at } else { nodes[current].first = at }
        nodes[current].last = at
    }

    mutating func close() {
        current = nodes[current].parent
        depth -= 1
    }

    /// Links the elements of a node that have the same key, in order.
    ///
    /// - Returns: The first element of each key, in order.
    mutating func link(_ element: Int, _ names: XMLNames, _ tails: inout [Int]) -> [Int] {
        var heads: [Int] = []
        var at = nodes[element].first
        while at >= 0 {
            defer { at = nodes[at].next }
            let name = nodes[at].name
            guard name >= 0 else { continue }
            let key = names.names[name].key
            while tails.count <= key { tails.append(-1) }
            if tails[key] >= 0 { nodes[tails[key]].same = at } else { heads.append(at) }
            tails[key] = at
        }
        for head in heads { tails[names.names[nodes[head].name].key] = -1 }
        return heads
    }

    /// All text directly in an element.
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
