internal import Synchronization

/// When a caller asked for something, relative to all others in the process: in a queue, earlier callers go first.
///
/// A caller that returns with the same turn, for a retry or in another queue, keeps its place.
package struct Turn: Sendable, Hashable, Comparable {
    private static let last = Atomic<UInt64>(0)
    private let number: UInt64

    /// The newest turn.
    package init() { number = Self.last.wrappingAdd(1, ordering: .relaxed).newValue }

    /// Whether one asked before the other.
    package static func < (first: Turn, second: Turn) -> Bool { first.number < second.number }
}
