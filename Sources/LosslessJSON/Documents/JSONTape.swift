/// Where each value in a document begins, and how far it extends.
///
/// The tape has a node for each value, each key and each closing bracket, in text order: a member's value follows its
/// key, and what comes after a value follows it or its closing bracket.
struct JSONTape: ~Copyable {
    let nodes: UnsafePointer<JSONNode>
    /// Whether any key has an escape.
    let hasEscapedKeys: Bool
    private let memory: UnsafeMutableRawBufferPointer

    /// Checks a document by its structurals.
    ///
    /// - Parameters:
    ///   - text: The document, followed by a zero.
    ///   - starts: The offsets of its structurals, followed by its length.
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
    /// For an array or object, the node of its closing bracket; for any other value and for a key, the offset after its last
    /// byte.
    @usableFromInline var reach: UInt32
}
