/// One side's transfers: those in flight, those in the queue, and handles for the next ones.
///
/// Belongs to the loop's thread.
final class TransferLane {
    let side: NetworkSide
    /// How many are in flight.
    var activeCount = 0
    /// Those that wait until there are fewer in flight; their timeouts have not started.
    var waiting: [Transfer] = []
    /// Idle handles, never more than were in flight at once.
    var spare: [TransferHandle] = []

    /// How many may be in flight.
    private static let limit = 256

    init(_ side: NetworkSide) { self.side = side }

    /// Whether another one may go.
    var hasRoom: Bool { activeCount < Self.limit }
}
