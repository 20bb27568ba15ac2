import Decoding
import JQ
import LosslessJSON

extension RecordSelection {
    /// The records of a block of a file or an answer.
    ///
    /// A piece of a JSON list stands for the list: all pieces together yield what the whole list would. For any other format the
    /// program runs on each record.
    ///
    /// - Parameters:
    ///   - isLast: Whether this is the last block.
    ///   - single: What is known about the outputs of the previous blocks.
    func records(
        of block: DecodedBlock,
        _ format: RecordFormat?,
        isLast: Bool,
        _ single: inout SingleOutput,
        _ globals: [JSONValue]
    ) throws(Failure) -> [JSONView] {
        guard let document = block.document else { return try single.records([], isLast: isLast) }
        guard case .json(let list) = format else { return try records(ofEach: document, globals) }
        if block.isWhole { return try records(of: document.root, globals) }
        let outputs = try outputs(ofPiece: document, at: list.path ?? [], globals)
        return givesEach ? try single.records(outputs, isLast: isLast) : outputs
    }

    private func outputs(
        ofPiece document: JSONDocument,
        at path: [String],
        _ globals: [JSONValue]
    ) throws(Failure) -> [JSONView] {
        if isPath(of: path) { return document.root.elements ?? [] }
        if let views = selected(document.root, selection?.ofPiece(at: path)) { return views }
        // As it would be in the file, without its surroundings.
        var bytes: [UInt8] = []
        for name in path {
            bytes.append(UInt8(ascii: "{"))
            JSONText.appendQuoted(name, to: &bytes)
            bytes.append(UInt8(ascii: ":"))
        }
        bytes += document.root.slice
        bytes += [UInt8](repeating: UInt8(ascii: "}"), count: path.count)
        let limits = JSONLimits(depth: JSONLimits().depth + 1 + path.count, bytes: .max)
        guard let whole = try? JSONDocument(bytes: bytes, limits: limits) else {
            throw .failed("a piece of it cannot be read")
        }
        return givesEach ? try outputs(for: whole.root, globals) : try records(of: whole.root, globals)
    }
}

/// The meaning of a single output of `records` when outputs come in several blocks: `null` for a missing list, and an array for
/// its elements. With several outputs each is a record.
struct SingleOutput: Sendable {
    /// How many outputs there were.
    private var count = 0
    /// The only one so far, if it is `null` or an array: its meaning is known with the next, or at the end.
    private var held: JSONView?

    /// Whether an output was delivered.
    var hasGiven: Bool { count > 0 && held == nil }
    /// Whether an output is still held back.
    var holds: Bool { held != nil }

    /// - Parameter hasGiven: Whether an output was delivered before: then those that follow are not the only one.
    init(hasGiven: Bool = false) { count = hasGiven ? 2 : 0 }

    /// - Parameter isLast: Whether this is the last block.
    mutating func records(_ outputs: [JSONView], isLast: Bool) throws(RecordSelection.Failure) -> [JSONView] {
        var outputs = outputs
        count += outputs.count
        if let first = held.take() { outputs.insert(first, at: 0) }
        guard count == 1, let only = outputs.first else { return outputs }
        if isLast { return try RecordSelection.unfolded(only) }
        guard only.kind == .null || only.kind == .array else { return outputs }
        held = only
        return []
    }
}
