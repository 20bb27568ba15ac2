/// Why a fetcher cannot go on. Nothing is lost: what it gave before is delivered, and the next run begins behind that.
public struct FetchError: Error, Sendable, Equatable {
    /// What sort of end it is: the run's exit status and its code follow from it.
    public enum Kind: Sendable, Equatable {
        /// The source gave what does not fit: `fetcher-data`, exit 65.
        case data
        /// The source cannot do it now, as when a job is not ready in time: `fetcher-later`, exit 75.
        case later
        /// The person has to allow it again: `fetcher-authorisation`, exit 77.
        case authorisation
        /// The options or the configuration make no sense: `fetcher-configuration`, exit 78.
        case configuration
        /// The source does not know the cursor any more. It is forgotten, and the pass begins anew, once.
        case cursorRefused
    }

    /// What sort of end it is.
    public let kind: Kind
    /// What happened, in one sentence without a final full stop, without secrets and contents of records.
    public let message: String
    /// What the reader can do about it.
    public let advice: String?

    /// An error.
    public init(_ kind: Kind, _ message: String, advice: String? = nil) {
        (self.kind, self.message, self.advice) = (kind, message, advice)
    }
}
