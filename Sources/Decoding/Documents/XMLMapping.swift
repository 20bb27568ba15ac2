/// Writes an element as JSON.
///
/// An element without attributes and elements is its text. Any other is an object: attributes as `@name`, elements by their
/// names, one that repeats as an array, and its own text as `#text` where that is more than blanks.
struct XMLMapping {
    /// Of each key the last element that was linked.
    private var tails: [Int] = []

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
        for attribute in tree.attributes[node.from..<node.to] {
            separate()
            json.append(names.attributeKeys[names.names[attribute.name].key])
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

    /// Whether there is more than blanks between an element's elements.
    private static func hasText(_ element: XMLTree.Node, _ tree: XMLTree) -> Bool {
        var at = element.first
        while at >= 0 {
            let node = tree.nodes[at]
            if node.name < 0, !tree.bytes[node.from..<node.to].allSatisfy({ $0 <= 0x20 }) { return true }
            at = node.next
        }
        return false
    }
}
