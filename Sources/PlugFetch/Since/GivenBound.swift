import PlugCore

/// The lower bound that a user gave.
struct GivenBound: Sendable, Equatable {
    let value: SinceValue
    /// Its wording if it is relative, as in `30d`: it means another time in each run, but the same pass.
    var words: String?
}
