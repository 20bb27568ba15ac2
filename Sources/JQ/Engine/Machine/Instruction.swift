import LosslessJSON

/// An instruction of the machine. It works on the top cell, its input, unless it says otherwise; jumps are relative, so that code
/// can be moved.
enum Instruction {
    /// Replaces the input with a constant.
    case constant(Int32)
    case pushConstant(Int32)
    case pop
    /// Copies the cell at a depth on top, outside paths.
    case copy(Int32)
    /// Like `copy`, but leaves `null` behind if nothing else needs the value.
    case take(Int32)
    /// Copies the top with its path.
    case duplicate
    /// Moves the cell at a depth to the top.
    case lift(Int32)
    /// Makes the top a cell that no older fork needs.
    case refresh
    /// Makes the top leave its path.
    case strip
    /// Takes the top from under the newest fork, which needs only its place, and pushes it outside paths.
    case takeKept
    /// Moves the top's value into a cell above the newest fork, which needs only its place.
    case refreshTaking
    /// Checks that an object pattern's key is a string.
    case checkKey
    /// `[I, V]` to `[V]`; V is not a path.
    case settle
    /// `[I, V]` to `[V]` with V's path.
    case under
    /// Replaces the input with a variable.
    case load(hops: Int32, slot: Int32)
    /// Replaces the input with a global.
    case global(Int32)
    case store(Int32)
    case storeKeeping(Int32)
    case clear(Int32)
    /// Pushes a variable, leaving `null` in it.
    case moveOut(Int32)
    case fork(Int32)
    /// A fork whose place is remembered in a slot, for `cut`.
    case markedFork(slot: Int32, Int32)
    case jump(Int32)
    case jumpUnless(Int32)
    case truth
    case backtrack
    case tryBegin(slot: Int32, Int32, keepsInput: Bool)
    case tryEnd(Int32)
    /// Does nothing; an error of the preceding instruction is dropped.
    case optional
    case label(Int32)
    case breakTo(hops: Int32, slot: Int32)
    case cut(Int32)
    case limitBegin(Int32)
    case limitCount(Int32)
    case found(Int32)
    case unlessFound(Int32)
    case index
    case indexConstant(Int32)
    /// Pushes the member of the cell at a depth.
    case copyIndex(depth: Int32, Int32)
    /// Like the two before, for a member that is only written: a text or a number may stay in its document as well.
    case writtenIndexConstant(Int32)
    case writtenCopyIndex(depth: Int32, Int32)
    /// Notes the top, whose member comes next, if coverage is being recorded.
    case note(site: Int32)
    case slice(from: Bool, to: Bool)
    case iterate
    case recurse
    case range
    case collectBegin(Int32)
    case append(Int32)
    case collectEnd(Int32)
    case makeObject(Int32)
    case interpolate(Int32)
    case format(Int32)
    case negate
    /// `[I, R, L]` to the result.
    case binary(JQSyntax.Operator)
    case binaryConstant(JQSyntax.Operator, Int32)
    case native(Int32, arguments: Int32)
    case host(Int32, arguments: Int32)
    case call(unit: Int32, hops: Int32, arguments: Int32, isTail: Bool)
    case callParameter(hops: Int32, index: Int32, isTail: Bool)
    case leave
    case emit
    case raise
    case pathBegin
    case pathEnd
    case getPath
    /// Slots from a base: paths, state, position, deletions, fork.
    case modifyBegin(Int32)
    case modifyNext(Int32, Int32)
    case modifyStore(Int32)
    case modifyDelete(Int32)
    case modifyEnd(Int32)
    /// Slots from a base: paths, value.
    case assign(Int32)
}

/// A closure that a call passes.
enum ClosureSource {
    /// Separate code that runs over the caller's frame.
    case unit(Int32)
    /// A parameter of a frame further out, passed on as it is.
    case parameter(hops: Int32, index: Int32)
}

/// A piece of an interpolated string.
enum Piece { case text(String), hole }

/// A compiled program.
struct Code: Sendable {
    var instructions: [Instruction] = []
    /// The scalar offset in the source of each instruction.
    var offsets: [Int32] = []
    /// Where each unit begins, and how many slots its frame has.
    var units: [(entry: Int32, slots: Int32)] = []
    var constants: [Value] = []
    var closures: [[ClosureSource]] = []
    /// The keys of each object construction, `nil` for a key on the stack.
    var shapes: [[JSONString?]] = []
    var texts: [(format: Format, pieces: [Piece])] = []
    var hosts: [JQFunction] = []
    var coverage: MemberCoverage?
}

extension Instruction: Sendable {}
extension ClosureSource: Sendable {}
extension Piece: Sendable {}
