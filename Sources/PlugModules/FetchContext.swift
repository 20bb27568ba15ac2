public import LosslessJSON
public import PlugCore

/// What a fetcher is given: its stream, what the manifest and the person say, and the only way to the source.
public struct FetchContext: Sendable {
    /// The stream's name in the manifest.
    public let stream: String
    /// The connection's configuration, an object: without what is secret, and without files.
    public let config: JSONValue
    /// What stands in `swift.options`, an object, with its templates rendered. A secret is here only if the manifest hands it over,
    /// as `"{{ config.password }}"` does. `auth` needs no such thing: the host adds its credentials to the requests.
    public let options: JSONValue
    private let host: any FetchHost

    /// A context over what sends and waits.
    package init(stream: String, config: JSONValue, options: JSONValue, host: any FetchHost) {
        (self.stream, self.config, self.options, self.host) = (stream, config, options, host)
    }

    /// The time of the run. In tests it is the fixture's.
    public var now: Timestamp { host.now }

    /// Sends a request, and waits for an answer that means something.
    ///
    /// Rates, retries, redirects, tokens and the rules of `on` are the host's work, as for every stream. Credentials go along where the
    /// request goes to the host of `http.base`, and nowhere else.
    ///
    /// - Returns: The answer, if its status is 200 to 299, or among `request.accepts`.
    /// - Throws: What the host makes of every other end, to be passed on; `FetchError` is not among it.
    public func send(_ request: FetchRequest) async throws -> FetchResponse { try await host.send(request) }

    /// Waits, as for a job of the source's: in a test no time passes.
    ///
    /// - Throws: An error if all waits for one page together would take longer than an hour; `CancellationError` when the run is
    ///   interrupted.
    public func wait(_ duration: Duration) async throws { try await host.wait(duration) }

    /// Tells of something that somebody should look at, once for each text. It has no secrets and no contents of records.
    public func warn(_ message: String) { host.warn(message) }
}

/// What sends and waits for a fetcher.
package protocol FetchHost: Sendable {
    /// The time of the run.
    var now: Timestamp { get }
    /// Sends a request until there is an answer that means something.
    func send(_ request: FetchRequest) async throws -> FetchResponse
    /// Waits.
    func wait(_ duration: Duration) async throws
    /// Tells of something.
    func warn(_ message: String)
}
