import PlugCore

/// The lower bound that a person gave.
struct GivenBound: Sendable, Equatable {
    let value: SinceValue
    /// How it was given where that is so long ago, as in `30d`: each run means another time by it, and the same pass.
    var words: String?
}
