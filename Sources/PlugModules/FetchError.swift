/// Why a fetcher cannot continue. Nothing is lost: what it gave before is delivered, and the next run continues after that.
public struct FetchError: Error, Sendable, Equatable {
    /// The kind of the error: it decides the run's exit status and code.
    public enum Kind: Sendable, Equatable {
        /// The source sent something unexpected: `fetcher-data`, exit 65.
        case data
        /// The source cannot do it now, for example because a job is not ready in time: `fetcher-later`, exit 75.
        case later
        /// The person has to authorise it again: `fetcher-authorisation`, exit 77.
        case authorisation
        /// The options or the configuration make no sense: `fetcher-configuration`, exit 78.
        case configuration
        /// The source no longer knows the cursor. It is forgotten, and the pass starts again, once.
        case cursorRefused
    }

    /// The kind of the error.
    public let kind: Kind
    /// What happened, in one sentence without a final full stop, without secrets or contents of records.
    public let message: String
    /// What the reader can do about it.
    public let advice: String?

    /// An error.
    public init(_ kind: Kind, _ message: String, advice: String? = nil) {
        (self.kind, self.message, self.advice) = (kind, message, advice)
    }
}
