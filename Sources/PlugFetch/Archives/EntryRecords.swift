import Decoding
import JQ
import LosslessJSON
import PlugCore
import PlugManifest

/// Takes the records out of a block of an archive's entry.
struct EntryRecords {
    private let plan: StreamPlan
    /// How the entry is called in messages.
    private let name: String

    init(_ plan: StreamPlan, _ name: String) {
        self.plan = plan
        self.name = name
    }

    /// The records of a block.
    ///
    /// Of a list of JSON that is read in pieces, a piece is the list for `records`: the program gives the same for all pieces one
    /// after another as for the whole list.
    func records(of block: DecodedBlock, _ globals: [JSONValue]) throws(PlugError) -> [JSONView] {
        guard let document = block.document else { return [] }
        do throws(RecordSelection.Failure) {
            guard case .json(let list) = plan.stream.decoding?.format else {
                return try plan.records.records(ofEach: document, globals)
            }
            if block.isWhole { return try plan.records.records(of: document.root, globals) }
            return try plan.records.records(ofPiece: document, at: list.path ?? [], globals)
        } catch {
            throw wording(error)
        }
    }

    private func wording(_ failure: RecordSelection.Failure) -> PlugError {
        let (place, source) = (plan.stream.places["records"], plan.stream.records.source)
        switch failure {
        case .interrupted: return .interrupted
        case .missing:
            return PlugError(
                .recordsMissing,
                "\(place): \(name) has no records: 'records' (\(source)) gives null or nothing",
                advice: "look at the entry; if some have none, write 'records: \(source.orEmptyList)'",
                reach: .item
            )
        case .failed(let reason):
            return PlugError(
                .recordsFailed,
                "\(place): 'records' (\(source)) failed on \(name): \(reason)",
                advice: "try it with: plughost jq '\(source)' FILE",
                reach: .item
            )
        }
    }
}

extension RecordSelection {
    /// The records of a piece of the list that stands at a path of members.
    func records(
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
