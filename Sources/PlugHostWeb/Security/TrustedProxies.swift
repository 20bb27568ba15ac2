package import CurlTransport

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

    private let networks: [CIDR]

    /// Servers in these networks.
    package init(_ networks: [CIDR] = []) { self.networks = networks }

    /// Whose a request is, as far as that is known: the address of the connection, unless a trusted server says another one.
    func client(of request: IncomingRequest) -> String {
        guard let peer = IPAddress(request.peer), isTrusted(peer) else { return request.peer }
        let fields = request.headers.all("X-Forwarded-For")
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
