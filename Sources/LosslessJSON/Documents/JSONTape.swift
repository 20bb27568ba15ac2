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
    static func checked(
        _ text: UnsafeBufferPointer<UInt8>,
        _ starts: UnsafeBufferPointer<UInt32>,
        depthLimit: Int
    ) throws(JSONError) -> JSONTape {
        // A node has a structural of its own; commas and colons have no node.
        guard let memory = PageMemory.block(max(1, starts.count) * MemoryLayout<JSONNode>.stride) else {
            throw .noMemory
        }
        return try JSONTape(of: text, starts, in: memory, depthLimit: depthLimit)
    }

    /// - Parameter memory: Freed with the tape, or if there is none.
    private init(
        of text: UnsafeBufferPointer<UInt8>,
        _ starts: UnsafeBufferPointer<UInt32>,
        in memory: UnsafeMutableRawBufferPointer,
        depthLimit: Int
    ) throws(JSONError) {
        self.memory = memory
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
