package import CurlTransport
internal import PlugCore

/// Reverse proxies whose X-Forwarded-For header is trusted: those in the configured networks.
///
/// Anyone else can write any header. Each proxy appends the address that it saw to `X-Forwarded-For`, so the list is read from
/// the end, as far as the servers that appended to it are trusted. `Forwarded` (RFC 7239) is not read: common proxies pass on
/// what a client wrote there.
package struct TrustedProxies: Sendable {
    /// Proxies never produce a longer list.
    private static let mostAddresses = 32
    /// The longest spelling of an address, including surrounding blanks.
    private static let longestAddress = 64

    /// The usual networks of reverse proxies: this machine, or a private network (RFC 1918, 4193).
    private static let usual = ["127.0.0.0/8", "::1/128", "10.0.0.0/8", "172.16.0.0/12", "192.168.0.0/16", "fc00::/7"]
        .compactMap(CIDR.init)

    private let networks: [CIDR]
    private let missing: Missing

    /// Reports an untrusted proxy once.
    private final class Missing: Sendable {
        private let told = Latch()
        private let tell: @Sendable (String) -> Void
        init(_ tell: @escaping @Sendable (String) -> Void) { self.tell = tell }

        func found(_ peer: String) {
            if told.set() { tell(peer) }
        }
    }

    /// Proxies in these networks.
    ///
    /// - Parameter missing: Called once, with the address of an apparent reverse proxy, if no network is trusted: all of its
    ///   clients then share one limit.
    package init(_ networks: [CIDR] = [], missing: @escaping @Sendable (String) -> Void = { _ in }) {
        self.networks = networks
        self.missing = Missing(missing)
    }

    /// The client's address, as far as it is known: that of the connection, unless a trusted proxy gives another one.
    func client(of request: IncomingRequest) -> String {
        guard let peer = IPAddress(request.peer) else { return request.peer }
        let fields = request.headers.all("X-Forwarded-For")
        guard isTrusted(peer) else {
            if networks.isEmpty, !fields.isEmpty, Self.usual.contains(where: { $0.contains(peer) }) {
                missing.found(request.peer)
            }
            return request.peer
        }
        let addresses = fields.flatMap { $0.split(separator: ",", omittingEmptySubsequences: false) }
        for text in addresses.suffix(Self.mostAddresses).reversed() {
            guard let address = Self.address(text) else { break }
            if !isTrusted(address) { return (address.mappedVersion4 ?? address).description }
        }
        return request.peer
    }

    private func isTrusted(_ address: IPAddress) -> Bool { networks.contains { $0.contains(address) } }

    private static func address(_ text: Substring) -> IPAddress? {
        guard text.utf8.count <= longestAddress else { return nil }
        let blanks: Set<Character> = [" ", "\t"]
        let start = text.drop { blanks.contains($0) }
        let end = start.lastIndex { !blanks.contains($0) }
        return end.flatMap { IPAddress(String(start[...$0])) }
    }
}
