internal import Foundation
internal import Hummingbird
internal import Logging
internal import NIOCore
package import PlugCore

/// A PDA on this machine that behaves as the reference server does, stored in SQLite.
///
/// It copies behaviour, traps included, but not the reference server's security defects. It is for development, tests and
/// demonstrations; its page shows what arrived.
package struct SandboxPDA: Sendable {
    /// What it remembers, for work alongside the server.
    package let store: SandboxStore
    private let options: SandboxOptions
    private let server: PDAServer
    /// Held until the last copy of this value is released, so that a state folder has only one server.
    private let lock: ServerLock

    /// Prepares a sandbox: the folder, the key, the owner and the applications. Does not listen yet.
    ///
    /// - Throws: `PlugError`: `sandbox-not-loopback` (configuration), `sandbox-state` (configuration), `sandbox-locked`
    ///   (try later) if another sandbox runs on the folder, `sandbox-application` (configuration).
    package init(_ options: SandboxOptions) async throws(PlugError) {
        try await self.init(options, clock: SystemClock())
    }

    init(_ options: SandboxOptions, clock: any HostClock) async throws(PlugError) {
        let isLoopback = ListenAddress.isLoopback(options.host)
        guard isLoopback || options.allowsInsecureListen else {
            throw PlugError(
                .sandboxNotLoopback,
                "the sandbox would be open to other machines at '\(options.host)', without TLS",
                advice: "listen on 127.0.0.1, or add --insecure-listen if you trust everyone on the network"
            )
        }
        let store = try await SandboxStore.open(
            stateFolder: options.stateFolder,
            passwordRounds: options.passwordRounds
        )
        let lock = ServerLock(try FileLock(store.folder, "server.lock"))
        guard lock.isTaken else {
            throw PlugError(
                .sandboxLocked,
                "another sandbox is running with the state in '\(options.stateFolder)'",
                advice: "stop it first, or choose another folder with --state"
            )
        }
        for definition in options.applications { try await store.register(definition) }
        let owner: User
        do {
            owner = try await store.setOwner(name: options.owner, password: options.password)
        } catch {
            throw SandboxStore.failure(error, store.folder)
        }
        self.store = store
        self.lock = lock
        self.options = options
        server = try PDAServer(store: store, owner: owner, options: options, isLoopback: isLoopback, clock: clock)
    }

    /// Listens and answers until the task is cancelled or its service group shuts down gracefully; then returns.
    ///
    /// - Parameter ready: Called once, when requests are accepted.
    /// - Throws: `PlugError` `sandbox-listen` (unreachable) if it cannot listen on the address, `sandbox-broken`
    ///   (failed) if the server ends unexpectedly.
    package func run(ready: @escaping @Sendable (SandboxAddress) async -> Void = { _ in }) async throws(PlugError) {
        let listening = Latch()
        let (server, store, options) = (server, store, options)
        let application = Application(
            responder: CallbackResponder<PeerContext> { request, context in
                let served = ServedRequest(request, peer: context.peer, room: server.bodies)
                let answer = await server.answer(served)
                let response = answer.response(isHead: request.method == .head)
                return served.isCutShort ? context.ending(with: response) : response
            },
            configuration: ApplicationConfiguration(
                address: .hostname(options.host, port: options.port),
                serverName: "sandbox-pda"
            ),
            onServerRunning: { channel in
                listening.set()
                let port = channel.localAddress?.port ?? options.port
                let authority = ListenAddress(host: options.host, port: port).description
                do {
                    try await store.remember(address: authority)
                } catch {
                    // Tokens made outside the server would name another address; everything else works.
                    options.logger.warning(
                        "cannot save the address",
                        metadata: ["error": "\(type(of: error))"]
                    )
                }
                await ready(
                    SandboxAddress(
                        url: "http://\(authority)",
                        page: server.sessions.address(at: "http://\(authority)"),
                        host: options.host,
                        port: port
                    )
                )
            },
            logger: Self.quiet(options.logger)
        )
        do {
            try await application.run()
        } catch is CancellationError {
            return
        } catch {
            if Task.isCancelled { return }
            throw listening.isSet ? Self.broken(error) : Self.cannotListen(options, error)
        }
    }

    /// A fresh address of the page that logs one browser in, once; for tests.
    ///
    /// - Parameter address: Where the sandbox runs.
    package func pageAddress(at address: SandboxAddress) -> Secret { server.sessions.address(at: address.url) }

    /// The HTTP library reports each start and stop, and each stop with open connections as an error; all that is up to the
    /// caller. Failures while a request is answered are logged by `PDAServer`.
    private static func quiet(_ logger: Logger) -> Logger {
        var quiet = logger
        quiet.logLevel = .critical
        return quiet
    }

    private static func broken(_ error: any Error) -> PlugError {
        PlugError(
            .sandboxBroken,
            "the sandbox stopped answering: \(type(of: error))",
            advice: "start it again; its data is kept"
        )
    }

    private static func cannotListen(_ options: SandboxOptions, _ error: any Error) -> PlugError {
        let authority = ListenAddress(host: options.host, port: options.port)
        let reason = (error as? IOError).map { String(cString: strerror($0.errnoCode)) } ?? "\(type(of: error))"
        return PlugError(
            .sandboxListen,
            exit: .unreachable,
            "cannot listen on \(authority): \(reason)",
            advice:
                "another program may use the port: choose another with --listen HOST:PORT, or port 0 for any free port"
        )
    }
}

/// Holds a lock for as long as this object lives.
private final class ServerLock: Sendable {
    private let lock: FileLock
    let isTaken: Bool

    init(_ lock: consuming FileLock) {
        isTaken = lock.tryLock()
        self.lock = lock
    }
}

/// A request's information about its connection.
struct PeerContext: InitializableFromSource {
    let peer: String?
    private let channel: any Channel

    init(source: ApplicationRequestContextSource) {
        channel = source.channel
        peer = source.channel.remoteAddress?.ipAddress
    }

    /// A response after which the connection ends: the HTTP library would read the rest of a body, however long.
    func ending(with response: Response) -> Response {
        var response = response
        response.headers[.connection] = "close"
        let (body, channel) = (response.body, channel)
        response.body = ResponseBody(contentLength: body.contentLength) { writer in
            try await body.write(writer)
            try? await channel.close()
        }
        return response
    }
}
