package import CurlTransport
internal import Synchronization

/// Servers before the host whose word counts for whose a request is: those in the configured networks.
///
/// Everybody else can write any header. Of several addresses in `X-Forwarded-For` each server has added the one that it saw at the
/// end, so that the list is read from there, as far as those who have added to it are trusted. `Forwarded` (RFC 7239) is not read:
/// common servers pass on what a client has written there.
package struct TrustedProxies: Sendable {
    /// A longer list is none that servers before a host make.
    private static let mostAddresses = 32
    /// The longest spelling of an address, with blanks around it.
    private static let longestAddress = 64

    /// Where servers before a host are, as a rule: this machine, or a network of its own (RFC 1918, 4193).
    private static let usual = ["127.0.0.0/8", "::1/128", "10.0.0.0/8", "172.16.0.0/12", "192.168.0.0/16", "fc00::/7"]
        .compactMap(CIDR.init)

    private let networks: [CIDR]
    private let missing: Missing

    /// Tells once of a server that nobody trusts.
    private final class Missing: Sendable {
        private let isTold = Mutex(false)
        private let tell: @Sendable (String) -> Void
        init(_ tell: @escaping @Sendable (String) -> Void) { self.tell = tell }

        func found(_ peer: String) {
            let isFirst = isTold.withLock { isTold in
                defer { isTold = true }
                return !isTold
            }
            if isFirst { tell(peer) }
        }
    }

    /// Servers in these networks.
    ///
    /// - Parameter missing: Called once, with the address of what seems to be a server before the host, where no network is trusted:
    ///   then all of its clients share one limit.
    package init(_ networks: [CIDR] = [], missing: @escaping @Sendable (String) -> Void = { _ in }) {
        self.networks = networks
        self.missing = Missing(missing)
    }

    /// Whose a request is, as far as that is known: the address of the connection, unless a trusted server says another one.
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
