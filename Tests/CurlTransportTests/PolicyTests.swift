import CurlTransport
import Glibc
import TestKit
import Testing

@Suite(.fewAtATime)
struct PolicyTests {
    /// What a policy says to a request, and that nobody was dialled where it refuses.
    private func code(
        _ policy: NetworkPolicy,
        side: NetworkSide = .source,
        host: String = "127.0.0.1",
        scheme: String = "http"
    ) async throws -> HTTPError.Code? {
        try await withLoopback([.read, .answer("x"), .again], policy: policy) { transport, server, _ in
            let request = HTTPRequest.ofOne(url: "\(scheme)://\(host):\(server.port)/", side: side)
            let error = await transport.failure(of: request)
            if error != nil {
                #expect(server.connections == 0)
                #expect(error?.mayHaveArrived == false)
            }
            return error?.code
        }
    }

    @Test(arguments: ["127.0.0.1", "localhost", "[::1]", "[::ffff:127.0.0.1]", "127.255.0.1"], ["http", "https"])
    func loopbackIsClosedToBegin(host: String, scheme: String) async throws {
        #expect(try await code(NetworkPolicy(), host: host, scheme: scheme) == .addressRefused)
        #expect(try await code(NetworkPolicy(), side: .pda, host: host, scheme: scheme) == .addressRefused)
    }

    /// What a policy says to a request for a server that stands in a source's place.
    @Test func aStandInIsOnThisMachineOrInAnAllowedNetwork() async throws {
        var policy = NetworkPolicy()
        try await withLoopback([.read, .answer("x"), .again], policy: policy) { _, server, _ in
            policy.standIns = ["127.0.0.1:\(server.port)", "198.51.100.7:80", "93.184.216.34:443"]
            let transport = try HTTPTransport(policy: policy)
            func code(_ url: String, _ side: NetworkSide = .source) async -> HTTPError.Code? {
                await transport.failure(of: HTTPRequest.ofOne(url: url, side: side))?.code
            }
            #expect(await code("http://127.0.0.1:\(server.port)/") == nil)
            #expect(await code("http://localhost:\(server.port)/") == .addressRefused)
            #expect(await code("http://127.0.0.1:\(server.port)/", .pda) == .addressRefused)
            #expect(await code("http://198.51.100.7/") == .addressRefused)
            #expect(await code("https://93.184.216.34/") == .addressRefused)
            await transport.shutDown()
        }
    }

    @Test func anAllowedNetworkIsOpenToItsSideAlone() async throws {
        var policy = NetworkPolicy()
        policy.allowedSourceNetworks = [CIDR("127.0.0.0/8")].compactMap { $0 }
        #expect(try await code(policy) == nil)
        #expect(try await code(policy, host: "localhost") == nil)
        #expect(try await code(policy, side: .pda) == .addressRefused)
        #expect(try await code(policy, side: .pda, host: "localhost") == .addressRefused)
    }

    @Test func thePDAOfTheCommandLineIsOpenAsItself() async throws {
        try await withLoopback([.read, .answer("x"), .again], policy: NetworkPolicy()) { _, server, url in
            var policy = NetworkPolicy()
            policy.trustedPDAs = [try HTTPURL(url).hostAndPort]
            let transport = try HTTPTransport(policy: policy)
            #expect(await transport.failure(of: HTTPRequest.ofOne(url: url, side: .pda)) == nil)
            #expect(await transport.failure(of: HTTPRequest.ofOne(url: url, side: .source))?.code == .addressRefused)
            let neighbour = "http://127.0.0.1:\(server.port == 1024 ? 1025 : server.port - 1)"
            #expect(await transport.failure(of: HTTPRequest.ofOne(url: neighbour, side: .pda))?.code == .addressRefused)
            let alias = "http://localhost:\(server.port)"
            #expect(await transport.failure(of: HTTPRequest.ofOne(url: alias, side: .pda))?.code == .addressRefused)
            await transport.shutDown()
        }
    }

    @Test func aTrustedPDAThatIsNotLoopbackGainsNothing() async throws {
        var policy = NetworkPolicy()
        policy.trustedPDAs = ["10.0.0.1:80"]
        let transport = try HTTPTransport(policy: policy)
        let error = await transport.failure(of: HTTPRequest.ofOne(url: "http://10.0.0.1/", side: .pda))
        #expect(error?.code == .addressRefused)
        await transport.shutDown()
    }

    @Test(arguments: [
        "169.254.169.254", "168.63.129.16", "100.100.100.200", "[fd00:ec2::254]", "[::ffff:169.254.169.254]",
        "metadata.google.internal", "METADATA.google.internal",
    ])
    func metadataServicesStayShutWhateverIsAllowed(host: String) async throws {
        var policy = NetworkPolicy()
        policy.allowedSourceNetworks = ["0.0.0.0/0", "::/0"].compactMap { CIDR($0) }
        #expect(try await code(policy, host: host) == .metadataRefused)
    }

    @Test func publicHostsAreNotAskedWithoutTLS() async throws {
        for side in NetworkSide.allCases {
            #expect(try await code(NetworkPolicy(), side: side, host: "93.184.216.34") == .schemeRefused)
            #expect(try await code(NetworkPolicy(), side: side, host: "[2606:4700::1111]") == .schemeRefused)
        }
    }

    @Test func theSecondAddressOfANameIsTriedWhereTheFirstIsRefused() async throws {
        // localhost is ::1 and 127.0.0.1; the server listens on the one that is allowed.
        var policy = NetworkPolicy()
        policy.allowedSourceNetworks = [CIDR("127.0.0.1")].compactMap { $0 }
        #expect(try await code(policy, host: "localhost") == nil)
    }

    @Test func version6IsDialledWhereItIsAllowed() async throws {
        try await withLoopback(version6: true, [.read, .answer("six"), .hold]) { transport, server, url in
            let answer = try await transport.send(HTTPRequest.ofOne(url: url, side: .source))
            #expect(answer.text == "six")
            #expect(server.requests.first?.contains("Host: [::1]:\(server.port)\r\n") == true)
        }
    }

    @Test func proxiesOfTheEnvironmentAreIgnored() async throws {
        let proxy = try SteppedServer(scripts: [[.read, .answer("proxy"), .again]])
        defer { proxy.stop() }
        for name in ["http_proxy", "HTTP_PROXY", "https_proxy", "HTTPS_PROXY", "all_proxy", "ALL_PROXY"] {
            setenv(name, "http://127.0.0.1:\(proxy.port)", 1)
        }
        try await withLoopback([.read, .answer("server"), .hold]) { transport, _, url in
            let answer = try await transport.send(HTTPRequest.ofOne(url: url, side: .source))
            #expect(answer.text == "server")
        }
        #expect(proxy.connections == 0)
    }

    @Test func aProxyOfTheCommandLineIsUsed() async throws {
        let proxy = try SteppedServer(scripts: [[.read, .answer("proxy"), .hold]])
        defer { proxy.stop() }
        var policy = NetworkPolicy.loopback
        policy.proxy = "http://127.0.0.1:\(proxy.port)"
        let transport = try HTTPTransport(policy: policy)
        let answer = try await transport.send(HTTPRequest.ofOne(url: "http://127.0.0.2/x", side: .source))
        #expect(answer.text == "proxy")
        #expect(proxy.requests.first?.hasPrefix("GET http://127.0.0.2/x HTTP/1.1\r\n") == true)
        // What only the proxy could resolve is not asked without TLS, and private addresses stay shut behind it.
        #expect(
            await transport.failure(of: HTTPRequest.ofOne(url: "http://example.org/", side: .source))?.code
                == .schemeRefused
        )
        #expect(
            await transport.failure(of: HTTPRequest.ofOne(url: "https://10.0.0.1/", side: .source))?.code
                == .addressRefused
        )
        #expect(proxy.connections == 1)
        await transport.shutDown()
    }

    @Test(arguments: ["ftp://127.0.0.1/", "file:///etc/hostname", "dict://127.0.0.1/"])
    func otherProtocolsAreRefused(url: String) async throws {
        let transport = try HTTPTransport(policy: .loopback)
        #expect(await transport.failure(of: HTTPRequest.ofOne(url: url, side: .source))?.code == .schemeRefused)
        await transport.shutDown()
    }
}
