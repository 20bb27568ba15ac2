internal import CurlTransport
internal import PlugCore

/// Sends requests, and reports each of them with its answer.
///
/// It sits between what decides about requests (retries, limits) and what carries them, so that it shows every attempt.
struct TracingTransport: HTTPSending {
    private let inner: any HTTPSending
    private let trace: RequestTrace

    init(_ inner: any HTTPSending, _ trace: RequestTrace) {
        self.inner = inner
        self.trace = trace
    }

    func send(_ request: HTTPRequest) async throws(HTTPError) -> HTTPResponse {
        let start = ContinuousClock.now
        do throws(HTTPError) {
            let response = try await inner.send(request)
            trace.tell(request, .success(response), after: ContinuousClock.now - start)
            return response
        } catch {
            trace.tell(request, .failure(error), after: ContinuousClock.now - start)
            throw error
        }
    }
}
