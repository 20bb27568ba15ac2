import CurlTransport
import Synchronization
import TestKit
import Testing

@testable import PlugHostWeb

/// Whose a request is behind other servers.
struct TrustedProxiesTests {
    private static let proxies = ["192.0.2.0/24", "2001:db8::/32"]

    private func client(_ peer: String, _ forwarded: [String], trusting networks: [String] = proxies) -> String {
        let headers = forwarded.map { HTTPHeader("x-forwarded-for", $0) }
        let request = IncomingRequest(method: "GET", target: "/", headers: HTTPHeaders(headers), peer: peer) { _ in [] }
        return TrustedProxies(networks.compactMap { CIDR($0) }).client(of: request)
    }

    @Test(
        "the last address that no trusted server has counts",
        arguments: [
            (["203.0.113.7"], "203.0.113.7"), (["203.0.113.9, 203.0.113.7"], "203.0.113.7"),
            (["203.0.113.7, 192.0.2.8,192.0.2.9"], "203.0.113.7"), (["203.0.113.9", "203.0.113.7"], "203.0.113.7"),
            (["203.0.113.7 ,\t2001:db8::5"], "203.0.113.7"), (["2001:DB9:0::1"], "2001:db9::1"),
            (["::ffff:203.0.113.7"], "203.0.113.7"), (["rubbish, 203.0.113.7"], "203.0.113.7"),
        ]
    )
    func forwarded(_ fields: [String], _ expected: String) {
        #expect(client("192.0.2.1", fields) == expected)
        #expect(client("2001:db8::1", fields) == expected)
        #expect(client("::ffff:192.0.2.1", fields) == expected)
    }

    @Test(
        "what is no list of addresses is ignored in favour of the connection's own",
        arguments: [
            [], [""], ["unknown"], ["203.0.113.7, "], ["203.0.113.7,,192.0.2.8"], ["203.0.113.7, _hidden"],
            ["203.0.113.07"], ["203.0.113.7:80"], ["fe80::1%eth0"], ["192.0.2.8"], ["203.0.113.7; 203.0.113.8"],
            ["203.0.113.7, " + String(repeating: " ", count: 80) + "x"],
        ]
    )
    func junk(_ fields: [String]) {
        #expect(client("192.0.2.1", fields) == "192.0.2.1")
    }

    @Test func nobodyElseIsBelieved() {
        #expect(client("203.0.113.1", ["203.0.113.7"]) == "203.0.113.1")
        #expect(client("192.0.2.1", ["203.0.113.7"], trusting: []) == "192.0.2.1")
        #expect(client("unknown", ["203.0.113.7"]) == "unknown")
        // A server that adds to the list without end is none of ours.
        let long = (["203.0.113.7"] + Array(repeating: "192.0.2.8", count: 40)).joined(separator: ", ")
        #expect(client("192.0.2.1", [long]) == "192.0.2.1")
    }

    @Test(
        "a server that is not configured is told of once",
        arguments: [
            ([], ["10.0.0.1", "127.0.0.1"], ["203.0.113.7"], ["10.0.0.1"]),
            ([], ["fd00::1"], ["203.0.113.7"], ["fd00::1"]),
            // Anybody can send the header, and who has configured a network has thought of it.
            ([], ["203.0.113.1"], ["203.0.113.7"], []), (["192.0.2.0/24"], ["10.0.0.1"], ["203.0.113.7"], []),
            ([], ["10.0.0.1"], [], []),
        ] as [([String], [String], [String], [String])]
    )
    func missing(_ networks: [String], _ peers: [String], _ forwarded: [String], _ told: [String]) {
        let log = Mutex<[String]>([])
        let proxies = TrustedProxies(networks.compactMap { CIDR($0) }) { address in log.withLock { $0.append(address) }
        }
        let headers = HTTPHeaders(forwarded.map { HTTPHeader("X-Forwarded-For", $0) })
        for peer in peers {
            let request = IncomingRequest(method: "GET", target: "/", headers: headers, peer: peer) { _ in [] }
            #expect(proxies.client(of: request) == peer)
        }
        #expect(log.withLock { $0 } == told)
    }

    @Test func logInsAreCountedForEachClientOfATrustedServer() async throws {
        let world = try await WebWorld(behind: Self.proxies)
        func status(_ forwarded: String, peer: String = "192.0.2.1") async -> Int {
            let headers = [("X-Forwarded-For", forwarded), ("Forwarded", "for=198.51.100.1")]
            return await world.send("GET", "/operator/login?token=x", headers, peer: peer).status
        }
        for _ in 1...10 { #expect(await status("203.0.113.7") == 410) }
        #expect(await status("203.0.113.7") == 429)
        #expect(await status("198.51.100.4, 203.0.113.7") == 429)
        #expect(await status("203.0.113.8") == 410)
        // Who comes without the server can write what they like.
        for number in 1...10 { #expect(await status("203.0.113.\(number)", peer: "198.51.100.9") == 410) }
        #expect(await status("203.0.113.99", peer: "198.51.100.9") == 429)
    }
}
