import Decoding
import JQ
import LosslessJSON

extension RecordSelection {
    /// The records of a block.
    ///
    /// Of a list of JSON that is read in pieces, a piece is the list for `records`: the program gives the same for all pieces one
    /// after another as for the whole list. Of any other format it runs over each record.
    func records(
        of block: DecodedBlock,
        _ format: RecordFormat?,
        _ globals: [JSONValue]
    ) throws(Failure) -> [JSONView] {
        guard let document = block.document else { return [] }
        guard case .json(let list) = format else { return try records(ofEach: document, globals) }
        if block.isWhole { return try records(of: document.root, globals) }
        return try records(ofPiece: document, at: list.path ?? [], globals)
    }

    /// The records of a piece of the list that stands at a path of members.
    private func records(
        ofPiece document: JSONDocument,
        at path: [String],
        _ globals: [JSONValue]
    ) throws(Failure) -> [JSONView] {
        if isPath(of: path) { return document.root.elements ?? [] }
        if let views = selected(document.root, selection?.ofPiece(at: path)) { return views }
        // As it would stand in the file, without what stands beside it.
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
        return try records(of: whole.root, globals)
    }
}
