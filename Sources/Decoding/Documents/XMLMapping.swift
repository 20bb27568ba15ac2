/// Writes an element as JSON.
///
/// An element without attributes and elements is its text. Any other is an object: attributes as `@name`, elements by their
/// names, one that repeats as an array, and its own text as `#text`, unless that is only blanks between elements.
struct XMLMapping {
    /// Of each key the last element that was linked.
    private var tails: [Int] = []
    /// Of each key the last element that has an attribute of it, counted.
    private var holders: [Int] = []
    private var counted = 0

    mutating func write(_ element: Int, of tree: inout XMLTree, _ names: XMLNames, to json: JSONBytes) {
        let node = tree.nodes[element]
        if node.elements == 0, node.from == node.to {
            json.append("\"")
            appendText(of: element, tree, json)
            json.append("\"")
            return
        }
        json.append("{")
        var isFirst = true
        func separate() {
            if isFirst { isFirst = false } else { json.append(",") }
        }
        counted += 1
        for attribute in tree.attributes[node.from..<node.to] {
            separate()
            let key = names.names[attribute.name].key
            while holders.count <= key { holders.append(0) }
            if holders[key] == counted {
                // Two attributes whose prefixes are left out: the second one keeps its own.
                json.appendString("@" + names.names[attribute.name].written)
                json.append(":")
            } else {
                holders[key] = counted
                json.append(names.attributeKeys[key])
            }
            tree.bytes.withUnsafeBytes {
                json.appendString(UnsafeRawBufferPointer(rebasing: $0[attribute.from..<attribute.to]))
            }
        }
        if Self.hasText(node, tree) {
            separate()
            json.append("\"#text\":\"")
            appendText(of: element, tree, json)
            json.append("\"")
        }
        for head in tree.link(element, names, &tails) {
            separate()
            let key = names.names[tree.nodes[head].name].key
            json.append(names.elementKeys[key])
            let isList = tree.nodes[head].same >= 0 || names.isList[key]
            if isList { json.append("[") }
            var at = head
            while at >= 0 {
                if at != head { json.append(",") }
                write(at, of: &tree, names, to: json)
                at = tree.nodes[at].same
            }
            if isList { json.append("]") }
        }
        json.append("}")
    }

    private func appendText(of element: Int, _ tree: XMLTree, _ json: JSONBytes) {
        var at = tree.nodes[element].first
        while at >= 0 {
            let node = tree.nodes[at]
            if node.name < 0 {
                tree.bytes.withUnsafeBytes {
                    json.appendEscaped(UnsafeRawBufferPointer(rebasing: $0[node.from..<node.to]))
                }
            }
            at = node.next
        }
    }

    /// Whether an element has text: blanks are text, too, unless they stand between elements.
    private static func hasText(_ element: XMLTree.Node, _ tree: XMLTree) -> Bool {
        var at = element.first
        while at >= 0 {
            let node = tree.nodes[at]
            if node.name < 0,
                element.elements == 0 || !tree.bytes[node.from..<node.to].allSatisfy({ $0 <= 0x20 })
            {
                return true
            }
            at = node.next
        }
        return false
    }
}
