internal import CSimdJSON

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
        guard let nodes = memory.bindMemory(to: plughost_json_node.self).baseAddress else {
            preconditionFailure("memory that was allocated has an address")
        }
        do throws(JSONError) {
            let grammar = JSONGrammar(text: IndexedText(text, starts), depthLimit: depthLimit)
            hasEscapedKeys = try grammar.check(into: nodes)
        } catch {
            PageMemory.free(memory)
            throw error
        }
        // The same two numbers: inlined code of other modules cannot name the type from C.
        precondition(MemoryLayout<JSONNode>.size == MemoryLayout<plughost_json_node>.size)
        self.nodes = UnsafePointer(UnsafeMutableRawPointer(nodes).bindMemory(to: JSONNode.self, capacity: starts.count))
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
