import LosslessJSON
import PlugCore
import PlugManifest

/// How the streams above one are read where it says `only: changed`: each from watermarks of that stream's own.
///
/// The topmost of them has its watermark in the stream's own state. One that is itself read for others has a row for each of
/// those: a part of the stream's states.
struct ChangedParents: Sendable {
    /// The states of the stream that is read.
    let states: any StreamStates
    /// What the watermarks are proved for.
    let basis: String
    /// How many streams lie between a walk and the one whose states these are.
    var level = 1

    /// The same, for what the next stream above is read for.
    var above: ChangedParents {
        var above = self
        above.level += 1
        return above
    }

    /// Where the next pass through what a stream has for one parent begins; `nil` for the start.
    func watermark(_ row: String, _ stream: String) async throws -> JSONValue? {
        let saved = try PartState(try await states.state(of: row), stream: stream).watermark
        return saved?["of"]?.stringText == basis ? saved?["at"] : nil
    }

    /// What a row keeps: `{"of": HASH, "at": …}`.
    func state(_ watermark: JSONValue) -> PartState {
        PartState(watermark: .members(("of", .text(basis)), ("at", watermark)))
    }

    /// The name of the row for one parent of a stream that lies above.
    static func row(_ stream: String, _ parent: String) -> String { ParentPart.name(of: [stream, parent]) }
}

/// That all there was for one parent of a stream above is read, which holds once all is safe that is read for it.
struct ParentProof: Sendable {
    /// How far above the stream that is read, in streams.
    let level: Int
    /// The row.
    let row: String
    /// What the row is to be; `nil` where it stays, because nothing is new or something could not be read.
    var state: PartState?
}

/// The proofs of a walk that are not handed on yet, and those that failures withhold.
struct ParentProofs: Sendable {
    /// The levels at which something below the parent that is being read was left out: a bit each.
    private var withheld: UInt64 = 0
    private var settled: [ParentProof] = []

    /// - Parameter isDoubtful: Whether earlier runs of the pass have left something out, nobody knows below which parents.
    init(isDoubtful: Bool) { if isDoubtful { noteFailure() } }

    /// Notes that something was left out: it lies below a parent at each level.
    mutating func noteFailure() { withheld = .max }

    /// Takes in proofs behind which all that is read for the parents is given.
    mutating func settle(_ proofs: [ParentProof]) {
        for var proof in proofs {
            let bit: UInt64 = 1 << UInt64(proof.level)
            if withheld & bit != 0 { proof.state = nil }
            withheld &= ~bit
            settled.append(proof)
        }
    }

    /// Hands over what has been settled since the last time.
    mutating func take() -> [ParentProof] {
        defer { settled = [] }
        return settled
    }
}
