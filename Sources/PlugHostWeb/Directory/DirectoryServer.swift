internal import Hummingbird
internal import Logging
internal import NIOCore
package import PDAWire

/// A server that is an application directory and nothing else, on a loopback address.
package struct DirectoryServer: Sendable {
    private let directory: any ApplicationDirectory
    private let port: Int

    /// A server for a directory on 127.0.0.1.
    ///
    /// - Parameter port: 0 for any that is free.
    package init(_ directory: any ApplicationDirectory, port: Int = 0) {
        self.directory = directory
        self.port = port
    }

    /// Listens and answers until the task is cancelled.
    ///
    /// - Parameter ready: Called once with its address, such as `http://127.0.0.1:40001`.
    /// - Throws: What listening throws.
    package func run(ready: @escaping @Sendable (String) async -> Void) async throws {
        let router = Router(context: BasicRequestContext.self)
        DirectoryRoutes(directory).add(to: router)
        var logger = Logger(label: "directory")
        // The library's own lines about starting and stopping are nobody's business.
        logger.logLevel = .critical
        let port = port
        let application = Application(
            router: router,
            configuration: ApplicationConfiguration(
                address: .hostname("127.0.0.1", port: port),
                serverName: "plughost"
            ),
            onServerRunning: { channel in await ready("http://127.0.0.1:\(channel.localAddress?.port ?? port)") },
            logger: logger
        )
        try await application.run()
    }
}
