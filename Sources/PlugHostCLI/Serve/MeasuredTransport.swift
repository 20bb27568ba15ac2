internal import CurlTransport
internal import Measuring
internal import PlugCore

/// Records the duration of each request over the network.
struct MeasuredTransport: HTTPSending {
    private let transport: any HTTPSending
    private let metrics: MetricRegistry
    private let clock: any HostClock

    init(_ transport: any HTTPSending, _ metrics: MetricRegistry, clock: any HostClock) {
        (self.transport, self.metrics, self.clock) = (transport, metrics, clock)
    }

    func send(_ request: HTTPRequest) async throws(HTTPError) -> HTTPResponse {
        let began = clock.steady()
        do throws(HTTPError) {
            let response = try await transport.send(request)
            note(request, began, "\(response.status / 100)xx")
            return response
        } catch {
            // A request that the caller cancels says nothing about the other side.
            if error.code != .cancelled, error.code != .shutDown { note(request, began, "none") }
            throw error
        }
    }

    private func note(_ request: HTTPRequest, _ began: SteadyTime, _ status: String) {
        let seconds = Double(clock.steady().microseconds - began.microseconds) / 1_000_000
        let side = request.side == .pda ? "pda" : "source"
        metrics.observe(seconds, in: HostMetrics.requests, side, status)
    }
}
