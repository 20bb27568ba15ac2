internal import Foundation
internal import Hummingbird
internal import Logging
internal import NIOCore
package import PDAWire
package import PlugCore
internal import ServiceLifecycle
internal import Synchronization

/// The web side of a host: whether it lives, and the directory of its plugs that PDAs read.
///
/// | route | answer |
/// |---|---|
/// | `GET /healthz` | 200 as soon as the process answers |
/// | `GET /readyz` | 200 while the state can be read, else 503 with the error's code |
/// | `GET /api/v3/applications` and the other routes of `DirectoryRoutes` | the plugs as applications |
package struct HostServer: Service {
    private let listen: ListenAddress
    private let directory: any ApplicationDirectory
    private let check: @Sendable () async throws -> Void
    private let ready: @Sendable (String) async -> Void

    /// - Parameters:
    ///   - listen: Where to listen; port 0 takes any free one.
    ///   - directory: The plugs as applications.
    ///   - check: Throws where the host is not ready.
    ///   - ready: Called once with the address, such as `http://127.0.0.1:22100`, when requests are taken.
    package init(
        listen: ListenAddress,
        directory: any ApplicationDirectory,
        check: @escaping @Sendable () async throws -> Void,
        ready: @escaping @Sendable (String) async -> Void
    ) {
        self.listen = listen
        self.directory = directory
        self.check = check
        self.ready = ready
    }

    /// Answers until its service group shuts down or the task is cancelled.
    ///
    /// - Throws: `PlugError` `host-listen` (unreachable) if the address cannot be listened on.
    package func run() async throws {
        let router = Router(context: BasicRequestContext.self)
        let (listen, check, ready) = (listen, check, ready)
        router.get("healthz") { _, _ in Self.text(.ok, "alive\n") }
        router.get("readyz") { _, _ in
            do {
                try await check()
                return Self.text(.ok, "ready\n")
            } catch {
                // Anybody may ask: only the code is told.
                return Self.text(.serviceUnavailable, "not ready: \((error as? PlugError)?.code.text ?? "error")\n")
            }
        }
        DirectoryRoutes(directory).add(to: router)
        var logger = Logger(label: "host")
        // The library's own lines about starting and stopping are nobody's business.
        logger.logLevel = .critical
        let listening = Mutex(false)
        let application = Application(
            router: router,
            configuration: ApplicationConfiguration(
                address: .hostname(listen.host, port: listen.port),
                serverName: "plughost"
            ),
            onServerRunning: { channel in
                listening.withLock { $0 = true }
                let port = channel.localAddress?.port ?? listen.port
                await ready("http://\(ListenAddress(host: listen.host, port: port))")
            },
            logger: logger
        )
        do { try await application.run() } catch {
            if Task.isCancelled || listening.withLock({ $0 }) { throw error }
            throw cannotListen(error)
        }
    }

    private func cannotListen(_ error: any Error) -> PlugError {
        let reason = (error as? IOError).map { String(cString: strerror($0.errnoCode)) } ?? "\(type(of: error))"
        return PlugError(
            .hostListen,
            "cannot listen on \(listen): \(reason)",
            advice:
                "another program may use the port: choose another with --listen HOST:PORT, or port 0 for any free one"
        )
    }

    private static func text(_ status: HTTPResponse.Status, _ text: String) -> Response {
        Response(
            status: status,
            headers: [.contentType: "text/plain; charset=utf-8", .cacheControl: "no-store"],
            body: .init(byteBuffer: ByteBuffer(string: text))
        )
    }
}
