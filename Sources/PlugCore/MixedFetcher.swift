/// A source that gives the pages of all its streams as they come, and one state for all of them together: a program that speaks
/// the Singer protocol.
///
/// Its streams cannot be read one after another without reading everything several times, and no stream has a state of its own.
public protocol MixedFetcher: Fetcher {
    /// Begins to read the streams from a state.
    ///
    /// - Parameters:
    ///   - streams: Their names in the manifest.
    ///   - state: What an earlier reading left: the last state before which everything was safe; `nil` reads everything.
    ///   - body: Receives a reader, which is valid for as long as `body` runs.
    /// - Returns: What `body` returns.
    /// - Throws: `PlugError` if reading cannot begin; whatever `body` throws.
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
    /// The next event, or `nil` when everything has been read.
    ///
    /// - Throws: `PlugError`; `CancellationError` when the run is interrupted. What was given before remains valid.
    func next() async throws -> MixedEvent?

    /// Those of the streams being read that the source has; known when everything has been read.
    var found: [String] { get async }
}

/// What a source with one state for all its streams produces.
public enum MixedEvent: Sendable {
    /// A page of a stream. Its states are what is known of the stream, not a place to continue from.
    case page(stream: String, FetchedPage)
    /// Where to continue, once every record of every earlier page is safe. `nil` takes back the state this reader gave before: it
    /// was wrong, and the valid state is the one that the reader began with.
    case state(StreamState?)
}
