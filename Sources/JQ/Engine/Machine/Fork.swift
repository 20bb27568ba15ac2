import LosslessJSON

/// A place on the stack. Cells are linked, so that a fork can keep the ones below it while newer ones come and go.
struct Cell {
    var value: Value
    /// The value's path when paths are traced, `nil` when they are not.
    var path: PathNode?
    /// The cell below.
    var previous: Int
}

/// A point to backtrack to.
struct Fork {
    enum Kind {
        case plain
        case trying(keepsInput: Bool)
        /// A `try` whose body has produced its output: an error further on passes it by, along with what it holds.
        case tried(Int)
        case label
        /// Iterates over the `source`; `next` is the number of the following element.
        case each(isDeep: Bool)
        /// Iterates over an array in its document; `next` is the node of the following element.
        case view(JSONView, isDeep: Bool)
        /// Counts on from the `source`, the following number.
        case range(RangeBounds)
    }

    /// A range's end and its step.
    final class RangeBounds {
        let end: Value
        let step: Value

        init(end: Value, step: Value) {
            self.end = end
            self.step = step
        }
    }

    let kind: Kind
    let address: Int
    let top: Int
    let cells: Int
    let frame: Frame
    var source = Value.null
    var next = 0
    /// How many elements came before, if `next` does not say so.
    var passed = 0
    /// The source's path, when paths are traced.
    var path: PathNode?
}
