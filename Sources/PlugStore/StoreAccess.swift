/// How a store is opened.
public enum StoreAccess: Sendable {
    /// To read and write: the one process that may, after waiting so long for another one to end.
    case write(wait: Duration)
    /// To read beside a writer.
    case read
}
