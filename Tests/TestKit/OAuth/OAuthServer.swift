/// An `OAuthService` on a loopback address, over real sockets.
package final class OAuthServer: Sendable {
    /// The service, whose settings and state a test changes and waits for.
    package let service: Watched<OAuthService>
    private let server: LoopbackServer

    /// Listens until `stop`.
    package init(_ service: OAuthService = OAuthService()) throws {
        let service = Watched(service)
        self.service = service
        server = try LoopbackServer { connection in
            while let request = connection.next() {
                let asked = OAuthService.Request(
                    method: request.method,
                    target: request.target,
                    authorization: request.header("Authorization"),
                    contentType: request.header("Content-Type"),
                    body: request.text
                )
                switch service.change({ $0.answer(asked) }) {
                case .whole(let status, let headers, let body):
                    guard connection.answer(status, headers, Array(body.utf8)) else { return }
                case .reset: return connection.reset()
                case .none: return connection.waitForEnd()
                }
            }
        }
    }

    /// `127.0.0.1:PORT`
    package var authority: String { server.authority }

    /// Changes the service.
    package func set(_ change: (inout OAuthService) -> Void) { service.change(change) }

    /// Refuses new connections.
    package func stop() { server.stop() }
}
