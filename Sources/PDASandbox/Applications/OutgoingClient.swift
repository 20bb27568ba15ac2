internal import CurlTransport
internal import LosslessJSON
internal import PlugCore

/// The sandbox's own outgoing requests: status checks of applications, and what it forwards to them.
///
/// Applications under development run on this machine, so loopback and private networks are allowed; link-local addresses, where
/// clouds keep their secrets, are not.
struct OutgoingClient: Sendable {
    private let transport: HTTPTransport

    init() throws(PlugError) {
        var policy = NetworkPolicy()
        policy.userAgent = "sandbox-pda"
        policy.allowedSourceNetworks = [
            "127.0.0.0/8", "::1/128", "10.0.0.0/8", "172.16.0.0/12", "192.168.0.0/16", "fc00::/7",
        ].compactMap { CIDR($0) }
        do {
            transport = try HTTPTransport(policy: policy)
        } catch {
            throw PlugError(
                .sandboxBroken,
                "the sandbox cannot send requests to other servers: \(error)",
                advice: "start it again"
            )
        }
    }

    /// How long the reference server waits for an application.
    private static let patience = HTTPTimeouts(
        connect: .seconds(5),
        firstByte: .seconds(5),
        idle: .seconds(5),
        total: .seconds(5)
    )

    /// The status code of an application's own status check, `nil` if it does not answer within five seconds.
    func status(of url: String, token: Secret) async -> Int? {
        let request = HTTPRequest(
            url: url,
            headers: [HTTPHeader("x-auth-token", token.reveal())],
            side: .source,
            timeouts: Self.patience,
            bodyLimit: 1 << 20
        )
        return try? await transport.send(request).status
    }

    /// Forwards a request with the application's token.
    func forward(_ method: String, to url: String, body: [UInt8]?, type: String?, token: Secret) async throws -> (
        status: Int, body: [UInt8]
    ) {
        var headers = [HTTPHeader("x-auth-token", token.reveal())]
        if let type, body != nil { headers.append(HTTPHeader("Content-Type", type)) }
        let response = try await transport.send(
            HTTPRequest(
                method: method,
                url: url,
                headers: headers,
                body: body,
                side: .source,
                bodyLimit: 10 << 20
            )
        )
        return (response.status, response.body.withBytes { Array($0) })
    }
}
