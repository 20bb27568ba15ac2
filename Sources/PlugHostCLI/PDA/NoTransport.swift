internal import CurlTransport

/// For commands that ask nobody.
struct NoTransport: HTTPSending {
    func send(_ request: HTTPRequest) async throws(HTTPError) -> HTTPResponse {
        throw HTTPError(.shutDown, "this command sends nothing")
    }
}
