internal import Synchronization

/// When somebody asked for something, among all in the process: in a line, who asked before goes before.
///
/// Whoever comes back with the same turn, for a second try or in another line, has not lost it.
package struct Turn: Sendable, Hashable, Comparable {
    private static let last = Atomic<UInt64>(0)
    private let number: UInt64

    /// The newest turn.
    package init() { number = Self.last.wrappingAdd(1, ordering: .relaxed).newValue }

    /// Whether one asked before the other.
    package static func < (first: Turn, second: Turn) -> Bool { first.number < second.number }
}
