package import PDAWire
internal import PlugCore

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
        let listen = ListenAddress(host: "127.0.0.1", port: 0)
        let responder = HostResponder(
            RouteTable(DirectoryRoutes(directory).all),
            names: HostNames(publicURL: nil, listen: listen),
            visitors: nil,
            clock: SystemClock()
        )
        try await ServedApplication(responder, listen: listen, ready: ready).run()
    }
}
