/// Sends requests. `HTTPTransport` does it over the network; a test may answer from stored responses.
public protocol HTTPSending: Sendable {
    /// Sends a request and waits for the whole answer.
    ///
    /// - Returns: The answer, whatever its status: 3xx, 4xx and 5xx are answers.
    /// - Throws: `HTTPError` if there is none; `.cancelled` when the task is cancelled.
    func send(_ request: HTTPRequest) async throws(HTTPError) -> HTTPResponse
}
