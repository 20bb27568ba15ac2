import CurlTransport
import TestKit
import Testing

extension Bench {
    /// Reads a stream through libcurl, from servers on loopback addresses.
    func readOverSockets(_ stream: String = "things", _ states: MemoryStates = MemoryStates()) async throws -> Reading {
        var policy = NetworkPolicy()
        policy.allowedSourceNetworks = [try #require(CIDR("127.0.0.0/8"))]
        let transport = try HTTPTransport(policy: policy)
        do {
            let reading = try await read(stream, from: transport, states)
            await transport.shutDown()
            return reading
        } catch {
            await transport.shutDown()
            throw error
        }
    }
}

extension LoopbackRequest {
    /// All headers of this name, however it is written.
    func headers(named name: String) -> [String] {
        headers.filter { $0.name.lowercased() == name.lowercased() }.map(\.value)
    }
}
