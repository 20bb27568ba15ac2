internal import CurlTransport

/// For commands that use no network.
struct NoTransport: HTTPSending {
    func send(_ request: HTTPRequest) async throws(HTTPError) -> HTTPResponse {
        throw HTTPError(.shutDown, "this command sends nothing")
    }
}
