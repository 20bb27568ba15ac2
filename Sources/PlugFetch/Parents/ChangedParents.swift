import LosslessJSON
import PlugCore
import PlugManifest

/// How the parent streams are read under `only: changed`: each from watermarks kept by the stream that is read.
///
/// The topmost of them has its watermark in the stream's own state. One that has parents itself has a row for each of those: a
/// part of the stream's states.
struct ChangedParents: Sendable {
    /// The states of the stream that is read.
    let states: any StreamStates
    /// What the watermarks were proved for.
    let basis: String
    /// How many streams a walk is above the one whose states these are.
    var level = 1

    /// The same, one level up.
    var above: ChangedParents {
        var above = self
        above.level += 1
        return above
    }

    /// Where the next pass through a stream's records for one parent starts; `nil` for the beginning.
    func watermark(_ row: String, _ stream: String) async throws -> JSONValue? {
        let saved = try PartState(try await states.state(of: row), stream: stream).watermark
        return saved?["of"]?.stringText == basis ? saved?["at"] : nil
    }

    /// The content of a row: `{"of": HASH, "at": …}`.
    func state(_ watermark: JSONValue) -> PartState {
        PartState(watermark: .members(("of", .text(basis)), ("at", watermark)))
    }

    /// The name of the row for one parent of an ancestor stream.
    static func row(_ stream: String, _ parent: String) -> String { ParentPart.name(of: [stream, parent]) }
}

/// Proves that everything for one parent of an ancestor stream is read, once all that depends on it is safe.
struct ParentProof: Sendable {
    /// How many streams above the one that is read.
    let level: Int
    /// The name of the row.
    let row: String
    /// The new content of the row; `nil` if it stays, because nothing is new or something could not be read.
    var state: PartState?
}

/// A walk's proofs not yet handed on, and those withheld by failures.
struct ParentProofs: Sendable {
    /// The levels at which something below the current parent was left out: one bit each.
    private var withheld: UInt64 = 0
    private var settled: [ParentProof] = []

    /// - Parameter isDoubtful: Whether earlier runs of the pass have left something out below unknown parents.
    init(isDoubtful: Bool) { if isDoubtful { noteFailure() } }

    /// Notes that something was left out: it is below a parent at each level.
    mutating func noteFailure() { withheld = .max }

    /// Adds proofs once everything read for the parents is delivered.
    mutating func settle(_ proofs: [ParentProof]) {
        for var proof in proofs {
            let bit: UInt64 = 1 << UInt64(proof.level)
            if withheld & bit != 0 { proof.state = nil }
            withheld &= ~bit
            settled.append(proof)
        }
    }

    /// Returns what has been settled since the last call.
    mutating func take() -> [ParentProof] {
        defer { settled = [] }
        return settled
    }
}
