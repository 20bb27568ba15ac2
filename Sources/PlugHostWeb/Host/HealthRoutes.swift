internal import PlugCore

/// Whether the host is alive, and whether it is ready.
struct HealthRoutes: Sendable {
    private let check: @Sendable () async throws -> Void

    /// - Parameter check: Throws if the host is not ready.
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
                    // Anyone may ask: only the code is given.
                    return .text("not ready: \((error as? PlugError)?.code.text ?? "error")\n", status: 503)
                }
            },
        ]
    }
}
