package import PDAWire
internal import PlugCore

/// A server that is only an application directory, on a loopback address.
package struct DirectoryServer: Sendable {
    private let directory: any ApplicationDirectory
    private let port: Int

    /// A server for a directory on 127.0.0.1.
    ///
    /// - Parameter port: The port to listen on; 0 takes a free one.
    package init(_ directory: any ApplicationDirectory, port: Int) {
        self.directory = directory
        self.port = port
    }

    /// Listens and answers until the task is cancelled.
    ///
    /// - Parameter ready: Called once with the server's address, such as `http://127.0.0.1:40001`.
    /// - Throws: The errors of listening.
    package func run(ready: @escaping @Sendable (String) async -> Void) async throws {
        let listen = ListenAddress(host: "127.0.0.1", port: port)
        let responder = HostResponder(
            RouteTable(DirectoryRoutes(directory).all),
            names: HostNames(publicURL: nil, listen: listen),
            visitors: nil,
            clock: SystemClock()
        )
        try await ServedApplication(responder, listen: listen, ready: ready).run()
    }
}
