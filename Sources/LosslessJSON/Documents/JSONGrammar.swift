internal import CSimdJSON

/// JSON's grammar, checked over simdjson's index; writes the document's tape.
///
/// Every structural is visited once, and every byte outside strings and every escape inside them is accounted for, so a document that
/// passes is JSON as a whole and not only in the parts that were read. Faults are worded elsewhere.
struct JSONGrammar {
    let text: IndexedText
    let depthLimit: Int

    /// Checks the document.
    ///
    /// - Parameter nodes: Room for as many nodes as there are structurals, and for at least one. Holds the tape afterwards.
    /// - Returns: Whether a key has an escape.
    func check(into nodes: UnsafeMutablePointer<plughost_json_node>) throws(JSONError) -> Bool {
        var place = plughost_json_place()
        // Keeps no pointer. The document's zero and padding, and the length behind its index, are what it asks for.
        let fault = plughost_json_check(text.bytes, text.starts, text.count, nodes, depthLimit, &place)
        let isValid = fault == plughost_json_valid
        // The first fault is named, which may be an escape in a string before the other one.
        let end = isValid ? text.length : Int(text.starts[place.structural])
        let hasEscapedKeys = try text.checkEscapes(before: end)
        guard isValid else { throw JSONFault.error(fault, place, in: self) }
        return hasEscapedKeys
    }
}
