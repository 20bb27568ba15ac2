/// How a store is opened.
package enum StoreAccess: Sendable {
    /// To read and write alongside other writers. This is how long it waits for whatever is in the way: maintenance of the
    /// folder, and later another run of the same connection.
    case write(wait: Duration)
    /// To read alongside writers.
    case read
}
