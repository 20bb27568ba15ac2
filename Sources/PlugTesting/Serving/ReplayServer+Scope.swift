extension ReplayServer {
    /// Serves a cassette while a closure runs, and stops whatever the outcome.
    ///
    /// - Parameter body: Receives `http://127.0.0.1:PORT`.
    /// - Throws: `PlugError` `replay-server`, exit 69; whatever the closure throws.
    package static func run<Result>(
        _ cassette: Cassette,
        _ body: (_ origin: String) async throws -> Result
    ) async throws -> Result {
        let server = try ReplayServer(cassette)
        defer { server.stop() }
        return try await body(server.origin)
    }
}
