import LosslessJSON

/// A compiled program as machines run it: one object, however many parts it has.
final class LinkedCode: Sendable {
    /// How an object is constructed.
    struct Shape: Sendable {
        /// The keys as written, `nil` for a key on the stack.
        let keys: [JSONString?]
        /// The members before they have values.
        let members: [ValueObject.Member]
        /// Whether all keys are known, before it runs, to be distinct.
        let isDistinct: Bool

        init(_ keys: [JSONString?]) {
            self.keys = keys
            members = keys.map { ValueObject.Member($0 ?? "", .null) }
            let known = keys.compactMap(\.self)
            isDistinct = known.count == keys.count && Set(known).count == known.count
        }
    }

    let instructions: [Instruction]
    let offsets: [Int32]
    let units: [(entry: Int32, slots: Int32)]
    let constants: [Value]
    let closures: [[ClosureSource]]
    let shapes: [Shape]
    let texts: [(format: Format, pieces: [Piece])]
    let hosts: [JQFunction]
    let coverage: MemberCoverage?

    init(_ code: Code) {
        instructions = code.instructions
        offsets = code.offsets
        units = code.units
        constants = code.constants
        closures = code.closures
        shapes = code.shapes.map { Shape($0) }
        texts = code.texts
        hosts = code.hosts
        coverage = code.coverage
    }
}
