internal import Synchronization

/// Requests that may follow one another on a network connection: those of one person, for one purpose.
///
/// With HTTP/1.1 nothing says which request an answer belongs to. If a server, or a proxy before it, sends an answer twice, the
/// copy is taken for the answer to the next request. So a connection is never used again by another group.
package struct ConnectionGroup: Sendable, Hashable {
    private static let last = Atomic<UInt32>(0)

    /// Never 0, which is libcurl's for none.
    let number: UInt32

    /// A group that has no connections yet.
    package init() {
        var number: UInt32 = 0
        while number == 0 { number = Self.last.wrappingAdd(1, ordering: .relaxed).newValue }
        self.number = number
    }
}
