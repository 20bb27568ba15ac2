internal import CurlTransport
internal import PDASandbox
internal import PDAWire
internal import PlugCore
internal import PlugFetch
internal import PlugHostWeb

/// The application directory of a sandbox, which the sandbox queries over HTTP as a PDA queries its exchange.
struct SandboxDirectory {
    /// The applications in the sandbox's folder, and behind them another directory, if one was named.
    private let directory: any ApplicationDirectory
    private let upstream: HTTPTransport?
    private let port: Int

    /// A directory of the applications in the folder.
    ///
    /// - Parameter port: The port to listen on, on this machine; 0 takes a free one.
    /// - Throws: `PlugError` `bad-host-address` (usage) if `upstream` is not an address, and the errors of the folder.
    init(folder: String, upstream: String?, port: Int = 0) async throws(PlugError) {
        self.port = port
        let own = try await SandboxStore.open(stateFolder: folder).directory
        guard let upstream else {
            directory = own
            self.upstream = nil
            return
        }
        guard let url = try? HTTPURL(upstream), url.query == nil else {
            throw PlugError(
                .badHostAddress,
                "'\(DisplayText.escaped(upstream))' is not the address of an application directory",
                advice: "write --directory-upstream https://dex.example"
            )
        }
        let transport = try Self.transport(to: url)
        directory = MergedDirectory(own: own, upstream: HTTPDirectory(upstream, transport: transport))
        self.upstream = transport
    }

    /// Serves the directory while `work` runs.
    ///
    /// - Parameter work: Receives the directory's address, and a client of the directory there.
    func serve(_ work: @escaping @Sendable (String, HTTPDirectory) async throws -> Void) async throws {
        try await lend(upstream, closing: { await $0?.shutDown() }) { _ in try await serveOwn(work) }
    }

    private func serveOwn(_ work: @escaping @Sendable (String, HTTPDirectory) async throws -> Void) async throws {
        let (addresses, continuation) = AsyncStream.makeStream(of: String.self)
        let server = DirectoryServer(directory, port: port)
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask {
                defer { continuation.finish() }
                try await server.run { continuation.yield($0) }
            }
            for await address in addresses {
                let transport = try Self.transport(to: try HTTPURL(address))
                try await lend(transport, closing: { await $0.shutDown() }) { transport in
                    try await work(address, HTTPDirectory(address, transport: transport))
                }
                break
            }
            group.cancelAll()
        }
    }

    /// The address was named on the command line or is our own: it may be on this machine.
    private static func transport(to url: HTTPURL) throws(PlugError) -> HTTPTransport {
        var policy = NetworkPolicy()
        policy.trustedPDAs = [url.hostAndPort]
        policy.userAgent = "plughost/\(PlugHostProgram.version)"
        do { return try HTTPTransport(policy: policy) } catch {
            throw PlugError(.transportFailed, "HTTP cannot be set up: \(error.message)")
        }
    }
}
