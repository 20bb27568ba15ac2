/// `GET /metrics`: a host's metrics in Prometheus' text format, for programs with a key of the scope `metrics:read` and for
/// operators.
struct MetricsRoutes: Sendable {
    private let text: @Sendable () async throws -> String

    /// - Parameter text: All current metrics.
    init(_ text: @escaping @Sendable () async throws -> String) { self.text = text }

    var all: [HostRoute] {
        let text = text
        return [
            HostRoute(.get, "/metrics", [.key(.metricsRead), .operator]) { _ in
                HostAnswer(type: "text/plain; version=0.0.4; charset=utf-8", body: Array(try await text().utf8))
            }
        ]
    }
}
