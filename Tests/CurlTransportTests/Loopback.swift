import CurlTransport
import LosslessJSON

/// A transport that may dial loopback addresses, a server, and both gone at the end.
func withLoopback<Result>(
    version6: Bool = false,
    _ scripts: [SteppedServer.Step]...,
    policy: NetworkPolicy = .loopback,
    body: (HTTPTransport, SteppedServer, String) async throws -> Result
) async throws -> Result {
    let server = try SteppedServer(version6: version6, scripts: scripts)
    defer { server.stop() }
    let transport = try HTTPTransport(policy: policy)
    let url = "http://\(version6 ? "[::1]" : "127.0.0.1"):\(server.port)"
    do {
        let result = try await body(transport, server, url)
        await transport.shutDown()
        return result
    } catch {
        await transport.shutDown()
        throw error
    }
}

extension NetworkPolicy {
    /// Loopback addresses for both sides.
    static var loopback: NetworkPolicy {
        var policy = NetworkPolicy()
        policy.allowedSourceNetworks = ["127.0.0.0/8", "::1/128"].compactMap { CIDR($0) }
        policy.allowedPDANetworks = policy.allowedSourceNetworks
        return policy
    }
}

extension HTTPRequest {
    private static let one = ConnectionGroup()

    /// One of a group to which all requests of these tests belong, so that they may follow each other on a connection.
    static func ofOne(
        method: String = "GET",
        url: String,
        headers: [HTTPHeader] = [],
        body: [UInt8]? = nil,
        side: NetworkSide,
        timeouts: HTTPTimeouts = HTTPTimeouts(),
        bodyLimit: Int = 64 << 20,
        ratioLimit: Int = 100
    ) -> HTTPRequest {
        var request = HTTPRequest(
            method: method,
            url: url,
            headers: headers,
            body: body,
            side: side,
            timeouts: timeouts,
            bodyLimit: bodyLimit,
            ratioLimit: ratioLimit
        )
        request.connections = one
        return request
    }

    /// One that no time-out ends before its test does.
    static func patient(_ url: String) -> HTTPRequest {
        let hour = Duration.seconds(3600)
        let timeouts = HTTPTimeouts(connect: hour, firstByte: hour, idle: hour, total: hour)
        return .ofOne(url: url, side: .source, timeouts: timeouts)
    }
}

extension HTTPSending {
    /// The error of a request that must fail, `nil` where it does not.
    func failure(of request: HTTPRequest) async -> HTTPError? {
        do throws(HTTPError) {
            _ = try await send(request)
            return nil
        } catch {
            return error
        }
    }
}

extension HTTPResponse {
    /// The body as text.
    var text: String { body.withBytes { String(decoding: $0, as: UTF8.self) } }
}

extension SteppedServer.Step {
    /// A whole answer with a length.
    static func answer(_ body: String, status: String = "200 OK", headers: String = "") -> Self {
        .send("HTTP/1.1 \(status)\r\nContent-Length: \(body.utf8.count)\r\n\(headers)\r\n\(body)")
    }

    /// A whole answer in a coding.
    static func answer(_ body: [UInt8], coding: String) -> Self {
        let header = "HTTP/1.1 200 OK\r\nContent-Length: \(body.count)\r\nContent-Encoding: \(coding)\r\n\r\n"
        return .send(Array(header.utf8) + body)
    }
}
