/// What begins where in a document, and how far it reaches.
///
/// The tape has a node for each value, each key and each closing bracket, in the order of the text: a member's value
/// stands behind its key, and what follows a value stands behind it or behind its closing bracket.
struct JSONTape: ~Copyable {
    let nodes: UnsafePointer<JSONNode>
    /// Whether any key has an escape.
    let hasEscapedKeys: Bool
    private let memory: UnsafeMutableRawBufferPointer

    /// Checks a document by its structurals.
    ///
    /// - Parameters:
    ///   - text: The document; behind it stands a zero.
    ///   - starts: Where its structurals are; behind them stands its length.
    init(
        of text: UnsafeBufferPointer<UInt8>,
        _ starts: UnsafeBufferPointer<UInt32>,
        depthLimit: Int
    ) throws(JSONError) {
        // A node has a structural of its own; commas and colons have no node.
        memory = PageMemory.allocate(max(1, starts.count) * MemoryLayout<JSONNode>.stride)
        guard let nodes = memory.bindMemory(to: JSONNode.self).baseAddress else {
            preconditionFailure("memory that was allocated has an address")
        }
        do throws(JSONError) {
            hasEscapedKeys = try JSONGrammar(IndexedText(text, starts), into: nodes, depthLimit: depthLimit).check()
        } catch {
            PageMemory.free(memory)
            throw error
        }
        self.nodes = UnsafePointer(nodes)
    }

    deinit { PageMemory.free(memory) }
}

/// One entry of a tape.
@usableFromInline
struct JSONNode: BitwiseCopyable {
    /// The offset of its first byte.
    @usableFromInline var start: UInt32
    /// Of an array or object the node of its closing bracket, of any other value and of a key the offset after its last
    /// byte.
    @usableFromInline var reach: UInt32
}
