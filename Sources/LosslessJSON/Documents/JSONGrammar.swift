/// JSON's grammar, checked over simdjson's index; writes the document's tape.
///
/// Every structural is visited once and every byte outside strings is accounted for, so a document that passes is JSON
/// as a whole and not only in the parts that were read.
///
/// Each record of a source and each answer of a PDA passes through here. So nothing tests for the end: the document is followed
/// by a zero, which begins nothing, and the index leads there. Faults are worded elsewhere, and the state stays in registers.
/// Offsets and counts are below 2^32, so arithmetic need not be checked.
struct JSONGrammar {
    enum Fault { case value, number, openString, escape, key, colon, end, depth, rest }

    let text: IndexedText
    let depthLimit: Int
    private let nodes: UnsafeMutablePointer<JSONNode>
    /// The current structural.
    private(set) var at: UnsafePointer<UInt32>
    private var node: UnsafeMutablePointer<JSONNode>
    private(set) var depth = 0
    /// The innermost open container. While it is open, its reach is the container around it.
    private var opener: UnsafeMutablePointer<JSONNode>
    /// The bracket that closes it.
    private(set) var closing: UInt8 = 0
    /// The offset of the first unchecked backslash: in nearly every string there is none.
    private(set) var escape: Int
    private var hasEscapedKeys = false

    /// - Parameter nodes: Room for as many nodes as there are structurals, and for at least one.
    init(_ text: IndexedText, into nodes: UnsafeMutablePointer<JSONNode>, depthLimit: Int) {
        (self.text, self.nodes, self.depthLimit) = (text, nodes, depthLimit)
        (at, node, opener) = (text.starts, nodes, nodes)
        escape = text.escape(from: 0)
    }

    /// Checks the document and writes its tape.
    ///
    /// - Returns: Whether a key has an escape.
    func check() throws(JSONError) -> Bool {
        var walk = self
        if let fault = walk.run() { throw JSONFault.error(fault, walk) }
        return walk.hasEscapedKeys
    }

    @inline(__always)
    private mutating func run() -> Fault? {
        while true {
            let start = Int(at[0])
            let first = text.bytes[start]
            if first == UInt8(ascii: "\"") {
                if let fault = string(reach: text.stringEnd(start, next: Int(at[1]))) { return fault }
                at += 1
            } else if first == UInt8(ascii: "{") || first == UInt8(ascii: "[") {
                guard depth < depthLimit else { return .depth }
                write(reach: opener - nodes)
                opener = node - 1
                // Each bracket is two code points before its counterpart.
                closing = first &+ 2
                depth &+= 1
                at += 1
                if text.bytes[Int(at[0])] != closing {
                    if closing == UInt8(ascii: "}"), let fault = key() { return fault }
                    continue
                }
            } else if first &- 0x30 < 10 || first == UInt8(ascii: "-") {
                guard let end = text.numberEnd(start, next: Int(at[1])) else { return .number }
                write(reach: end)
                at += 1
            } else {
                guard let end = text.literalEnd(start, next: Int(at[1])) else { return .value }
                write(reach: end)
                at += 1
            }
            // After a value: the next member, or the ends of containers.
            while true {
                if depth == 0 { return at - text.starts == text.count ? nil : .rest }
                let next = text.bytes[Int(at[0])]
                if next == UInt8(ascii: ",") {
                    at += 1
                    if closing == UInt8(ascii: "}"), let fault = key() { return fault }
                    break
                }
                guard next == closing else { return .end }
                close()
            }
        }
    }

    @inline(__always)
    private mutating func close() {
        let around = nodes + Int(opener.pointee.reach)
        opener.pointee.reach = UInt32(truncatingIfNeeded: node - nodes)
        write(reach: 0)
        opener = around
        closing = text.bytes[Int(around.pointee.start)] &+ 2
        depth &-= 1
        at += 1
    }

    /// A key and its colon; `at` is then at the value.
    @inline(__always)
    private mutating func key() -> Fault? {
        let start = Int(at[0])
        guard text.bytes[start] == UInt8(ascii: "\"") else { return .key }
        let colon = Int(at[1])
        let unseen = escape
        if let fault = string(reach: text.stringEnd(start, next: colon)) { return fault }
        at += 1
        guard text.bytes[colon] == UInt8(ascii: ":") else { return .colon }
        at += 1
        if escape != unseen { hasEscapedKeys = true }
        return nil
    }

    /// A string that ends before an offset.
    @inline(__always)
    private mutating func string(reach end: Int) -> Fault? {
        if end == 0 { return .openString }
        if escape < end {
            guard let next = text.escape(behindThoseFrom: escape, to: end &- 1) else { return .escape }
            escape = next
        }
        write(reach: end)
        return nil
    }

    @inline(__always)
    private mutating func write(reach: Int) {
        node.pointee = JSONNode(start: at[0], reach: UInt32(truncatingIfNeeded: reach))
        node += 1
    }
}
