internal import CurlTransport
internal import Foundation
internal import HTTPTypes
internal import Hummingbird
internal import HummingbirdCore
internal import Logging
internal import NIOCore
internal import PlugCore

/// A responder on a socket. The HTTP library carries requests and responses, and makes no decisions.
struct ServedApplication: Sendable {
    private let responder: HostResponder
    private let listen: ListenAddress
    private let ready: @Sendable (String) async -> Void

    /// - Parameter ready: Called once with the address, when requests are accepted.
    init(_ responder: HostResponder, listen: ListenAddress, ready: @escaping @Sendable (String) async -> Void) {
        self.responder = responder
        self.listen = listen
        self.ready = ready
    }

    /// Answers requests until its service group shuts down or the task is cancelled.
    ///
    /// - Throws: `PlugError` `host-listen` (unreachable) if the address cannot be listened on.
    func run() async throws {
        let (responder, listen, ready) = (responder, listen, ready)
        var logger = Logger(label: "host")
        // The library's own messages about starting and stopping are of no interest to users.
        logger.logLevel = .critical
        let listening = Latch()
        let application = Application(
            responder: CallbackResponder<SocketContext> { request, context in
                let (answer, isRead) = await responder.answer(IncomingRequest(request, context))
                let response = answer.response(isHead: request.method == .head)
                return isRead ? response : context.ending(with: response)
            },
            server: .http1(
                configuration: .init(
                    additionalChannelHandlers: [ConnectionPatience()],
                    idleTimeout: .seconds(60),
                    httpDecoderConfiguration: .init(
                        maxHeaderFieldSize: RequestLimits.header,
                        maxHeaderListSize: RequestLimits.headers,
                        maxHeaderFieldCount: RequestLimits.headerCount
                    )
                )
            ),
            configuration: ApplicationConfiguration(
                address: .hostname(listen.host, port: listen.port),
                serverName: "plughost",
                availableConnectionsDelegate: MaximumAvailableConnections(RequestLimits.connections)
            ),
            onServerRunning: { channel in
                listening.set()
                let port = channel.localAddress?.port ?? listen.port
                await ready("http://\(ListenAddress(host: listen.host, port: port))")
            },
            logger: logger
        )
        do { try await application.run() } catch {
            if Task.isCancelled || listening.isSet { throw error }
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
}

/// A request's context from its connection.
private struct SocketContext: InitializableFromSource {
    let peer: String
    private let channel: any Channel

    init(source: ApplicationRequestContextSource) {
        channel = source.channel
        peer = source.channel.remoteAddress?.ipAddress ?? "unknown"
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

extension IncomingRequest {
    fileprivate init(_ request: Request, _ context: SocketContext) {
        var fields = request.headers.map { HTTPHeader($0.name.rawName, $0.value) }
        // The HTTP library removes it from the fields.
        if let host = request.head.authority { fields.append(HTTPHeader("Host", host)) }
        let body = request.body
        self.init(
            method: request.method.rawValue,
            target: request.head.path ?? "/",
            headers: HTTPHeaders(fields),
            peer: context.peer,
            read: { limit in
                var bytes: [UInt8] = []
                for try await part in body {
                    guard bytes.count + part.readableBytes <= limit else { throw BodyTooLarge() }
                    bytes.append(contentsOf: part.readableBytesView)
                }
                return bytes
            }
        )
    }
}
