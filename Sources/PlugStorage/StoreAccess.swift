/// How a store is opened.
package enum StoreAccess: Sendable {
    /// To read and write beside others that do. So long it waits for who is in the way: maintenance of the folder, and
    /// later another run of the same connection.
    case write(wait: Duration)
    /// To read beside writers.
    case read
}
