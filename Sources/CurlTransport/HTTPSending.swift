/// Sends requests. `HTTPTransport` does it over the network; a test may answer from stored responses.
public protocol HTTPSending: Sendable {
    /// Sends a request and waits for the complete response.
    ///
    /// - Returns: The response, whatever its status: 3xx, 4xx and 5xx are responses.
    /// - Throws: `HTTPError` if there is none; `.cancelled` if the task is cancelled.
    func send(_ request: HTTPRequest) async throws(HTTPError) -> HTTPResponse
}
