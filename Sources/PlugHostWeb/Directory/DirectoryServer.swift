internal import Hummingbird
internal import Logging
internal import NIOCore
package import PDAWire

/// A server that is an application directory and nothing else, on a loopback address.
package struct DirectoryServer: Sendable {
    private let directory: any ApplicationDirectory

    /// A server for a directory on 127.0.0.1.
    package init(_ directory: any ApplicationDirectory) { self.directory = directory }

    /// Listens on a free port and answers until the task is cancelled.
    ///
    /// - Parameter ready: Called once with its address, such as `http://127.0.0.1:40001`.
    /// - Throws: What listening throws.
    package func run(ready: @escaping @Sendable (String) async -> Void) async throws {
        let router = Router(context: BasicRequestContext.self)
        DirectoryRoutes(directory).add(to: router)
        var logger = Logger(label: "directory")
        // The library's own lines about starting and stopping are nobody's business.
        logger.logLevel = .critical
        let application = Application(
            router: router,
            configuration: ApplicationConfiguration(
                address: .hostname("127.0.0.1", port: 0),
                serverName: "plughost"
            ),
            onServerRunning: { channel in await ready("http://127.0.0.1:\(channel.localAddress?.port ?? 0)") },
            logger: logger
        )
        try await application.run()
    }
}
