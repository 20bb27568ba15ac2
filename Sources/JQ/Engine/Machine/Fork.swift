import LosslessJSON

/// A place on the stack. Cells are linked, so that a fork can keep the ones below it while newer ones come and go.
struct Cell {
    var value: Value
    /// Where the value stands when paths are traced, `nil` when they are not.
    var path: PathNode?
    /// The cell below.
    var previous: Int
}

/// A place to go back to.
struct Fork {
    enum Kind {
        case plain
        case trying(keepsInput: Bool)
        /// A `try` whose body has given its output: an error from further on passes it and what it holds.
        case tried(Int)
        case label
        /// Goes through the `source`, `next` being the number of the element that follows.
        case each(isDeep: Bool)
        /// Goes through an array where it lies in its document, `next` being the node of the element that follows.
        case view(JSONView, isDeep: Bool)
        /// Counts on from the `source`, the number that follows.
        case range(RangeBounds)
    }

    /// Where a range ends, and by what it gets there.
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
    /// How many elements came before, where `next` does not say it.
    var passed = 0
    /// Where the source stands, when paths are traced.
    var path: PathNode?
}
