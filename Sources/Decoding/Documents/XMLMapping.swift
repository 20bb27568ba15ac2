/// Writes an element as JSON.
///
/// An element without attributes and child elements is its text. Any other is an object: attributes as `@name`, elements by
/// name, a repeated one as an array, and its own text as `#text`, unless that is only blanks between elements.
struct XMLMapping {
    /// For each key, the last element linked.
    private var tails: [Int] = []

    mutating func write(_ element: Int, of tree: XMLTree, _ names: XMLNames, to json: JSONBytes) {
        let node = tree.nodes[element]
        if node.elements == 0, node.from == node.to {
            json.append("\"")
            appendText(of: node, tree, json)
            json.append("\"")
            return
        }
        var mark: StaticString = "{"
        if node.from < node.to {
            json.append(mark)
            mark = ","
            // Without the comma before the first one.
            json.append(UnsafeRawBufferPointer(tree.members[node.from + 1..<node.to]))
        }
        if Self.hasText(node, tree) {
            json.append(mark)
            mark = ","
            json.append("\"#text\":\"")
            appendText(of: node, tree, json)
            json.append("\"")
        }
        var head = tree.link(element, names, &tails)
        while head >= 0 {
            let first = tree.nodes[head]
            let key = names.key(of: first.name)
            json.append(mark)
            mark = ","
            json.append(names.elementKey(key))
            let isList = first.same >= 0 || names.isList(key)
            if isList { json.append("[") }
            write(head, of: tree, names, to: json)
            var at = first.same
            while at >= 0 {
                json.append(",")
                write(at, of: tree, names, to: json)
                at = tree.nodes[at].same
            }
            if isList { json.append("]") }
            head = first.nextKey
        }
        // It has an attribute or an element, and so at least one member.
        json.append("}")
    }

    private func appendText(of element: XMLTree.Node, _ tree: XMLTree, _ json: JSONBytes) {
        var at = element.first
        while at >= 0 {
            let node = tree.nodes[at]
            if node.name < 0 { json.appendEscaped(tree.text(node.from, node.to)) }
            at = node.next
        }
    }

    /// Whether an element has text: blanks are text too, unless they lie between elements.
    private static func hasText(_ element: XMLTree.Node, _ tree: XMLTree) -> Bool {
        var at = element.first
        while at >= 0 {
            let node = tree.nodes[at]
            if node.name < 0, element.elements == 0 || !tree.text(node.from, node.to).allSatisfy({ $0 <= 0x20 }) {
                return true
            }
            at = node.next
        }
        return false
    }
}
