public import LosslessJSON
public import PlugCore

/// What a fetcher receives: its stream, the options and the configuration, and the only access to the source.
public struct FetchContext: Sendable {
    /// The stream's name in the manifest.
    public let stream: String
    /// The connection's configuration, an object without secrets and files.
    public let config: JSONValue
    /// `swift.options`, an object, with its templates rendered. It contains a secret only if the manifest passes it, as
    /// `"{{ config.password }}"` does. `auth` does not need that: the host adds its credentials to the requests.
    public let options: JSONValue
    private let host: any FetchHost

    /// A context over the host that sends and waits.
    package init(stream: String, config: JSONValue, options: JSONValue, host: any FetchHost) {
        (self.stream, self.config, self.options, self.host) = (stream, config, options, host)
    }

    /// The time of the run. In tests it is the fixture's time.
    public var now: Timestamp { host.now }

    /// Sends a request, and waits for a usable response.
    ///
    /// The host takes care of rates, retries, redirects, tokens and the rules of `on`, as for every stream. It sends credentials only
    /// with requests to the host of `http.base`.
    ///
    /// - Returns: The response, if its status is 200 to 299, or among `request.accepts`.
    /// - Throws: The host's own error for every other outcome, never a `FetchError`. Pass it on.
    public func send(_ request: FetchRequest) async throws -> FetchResponse { try await host.send(request) }

    /// Waits, for example for a job of the source. In a test no time passes.
    ///
    /// - Throws: An error if all waits for one page together would take longer than an hour; `CancellationError` when the run is
    ///   interrupted.
    public func wait(_ duration: Duration) async throws { try await host.wait(duration) }

    /// Reports something that needs attention, once for each text. The text must not contain secrets or contents of records.
    public func warn(_ message: String) { host.warn(message) }
}

/// The host's side of a fetcher, which sends and waits.
package protocol FetchHost: Sendable {
    /// The time of the run.
    var now: Timestamp { get }
    /// Sends a request until there is a usable response.
    func send(_ request: FetchRequest) async throws -> FetchResponse
    /// Waits.
    func wait(_ duration: Duration) async throws
    /// Reports something.
    func warn(_ message: String)
}
