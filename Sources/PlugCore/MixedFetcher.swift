/// A source that gives the pages of all its streams as they come, and one state for all of them together: a program that speaks the
/// messages of Singer.
///
/// Its streams cannot be read one after another without being read several times, and no stream has a state of its own.
public protocol MixedFetcher: Fetcher {
    /// Begins to read the streams where a state leads.
    ///
    /// - Parameters:
    ///   - streams: Their names in the manifest.
    ///   - state: What an earlier reading left, the last one of which everything before was safe; `nil` reads everything.
    ///   - body: Given a reader, which is good for as long as it runs.
    /// - Returns: What `body` returns.
    /// - Throws: `PlugError` if reading cannot begin; what `body` throws.
    func withMixedReader<Result: Sendable>(
        of streams: [String],
        from state: StreamState?,
        _ body: (any MixedReader) async throws -> Result
    ) async throws -> Result
}

extension MixedFetcher {
    /// Itself.
    public var mixed: (any MixedFetcher)? { self }
}

/// Gives the pages of several streams one by one. Used by one task at a time.
public protocol MixedReader: AnyObject, Sendable {
    /// What comes next, or `nil` when everything is read.
    ///
    /// - Throws: `PlugError`; `CancellationError` when the run is interrupted. What was given before is good all the same.
    func next() async throws -> MixedEvent?

    /// The streams that the source has, of those that are read; known when everything is read.
    var found: [String] { get async }
}

/// What a source with one state for all its streams gives.
public enum MixedEvent: Sendable {
    /// A page of a stream. Its states are what is known of the stream, and no place to continue at.
    case page(stream: String, FetchedPage)
    /// Where to continue, once every record of every page before is safe. `nil` takes back what this reader gave before: it was
    /// wrong, and the state is what the reader began with.
    case state(StreamState?)
}
