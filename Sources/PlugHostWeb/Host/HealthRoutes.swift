internal import PlugCore

/// Whether the host lives, and whether it can work.
struct HealthRoutes: Sendable {
    private let check: @Sendable () async throws -> Void

    /// - Parameter check: Throws where the host is not ready.
    init(_ check: @escaping @Sendable () async throws -> Void) { self.check = check }

    var all: [HostRoute] {
        let check = check
        return [
            HostRoute(.get, "/healthz", .anybody) { _ in .text("alive\n") },
            HostRoute(.get, "/readyz", .anybody) { _ in
                do {
                    try await check()
                    return .text("ready\n")
                } catch {
                    // Anybody may ask: only the code is told.
                    return .text("not ready: \((error as? PlugError)?.code.text ?? "error")\n", status: 503)
                }
            },
        ]
    }
}
