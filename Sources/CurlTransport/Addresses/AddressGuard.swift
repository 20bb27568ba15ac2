/// Decides which addresses one request may be sent to.
final class AddressGuard: Sendable {
    /// Where the request goes.
    private let url: HTTPURL
    /// Which networks are open.
    private let side: NetworkSide
    /// What the operator allowed.
    let policy: NetworkPolicy
    /// Whether the host names this machine: a loopback address, or `localhost`.
    private let namesThisMachine: Bool
    /// Whether this is a PDA on this machine that the operator trusts. A name that resolves to this machine is not enough: its owner
    /// decides where it leads.
    private let isTrustedPDA: Bool
    /// Whether this is a server that the operator has put in a source's place.
    private let isStandIn: Bool

    init(url: HTTPURL, side: NetworkSide, policy: NetworkPolicy) {
        self.url = url
        self.side = side
        self.policy = policy
        namesThisMachine = url.address?.isLoopback ?? (url.host == "localhost")
        isTrustedPDA = side == .pda && namesThisMachine && policy.trustedPDAs.contains(url.hostAndPort)
        isStandIn = side == .source && policy.standIns.contains(url.hostAndPort)
    }

    /// Whether a proxy is dialled in the host's place. A trusted PDA is on this machine and never behind one, and neither is a
    /// server in a source's place.
    var usesProxy: Bool { policy.proxy != nil && !isTrustedPDA && !isStandIn }

    /// Why an address must not be dialled for this request; `nil` if it may.
    func refusal(of address: IPAddress) -> HTTPError.Code? {
        let verdict = AddressTable.verdict(for: address)
        if verdict == .metadata { return .metadataRefused }
        let isAllowed =
            (isTrustedPDA || isStandIn && namesThisMachine) && address.isLoopback
            || policy.allowedNetworks(for: side).contains { $0.contains(address) }
        if isAllowed { return nil }
        if isStandIn { return .addressRefused }
        if verdict == .private { return .addressRefused }
        return url.isSecure ? nil : .schemeRefused
    }

    /// Refuses whatever can be refused before a name is resolved: hosts that are addresses, names that lead to metadata services,
    /// and http if a proxy would resolve the name.
    func check() throws(HTTPError) {
        if let address = url.address {
            if let code = refusal(of: address) { throw error(code) }
        } else if Self.metadataNames.contains(url.host) {
            throw error(.metadataRefused)
        } else if usesProxy, !url.isSecure {
            throw error(.schemeRefused)
        }
    }

    /// The error for a refusal. It says nothing about the address that the name led to.
    func error(_ code: HTTPError.Code) -> HTTPError {
        if code == .metadataRefused {
            return HTTPError(
                code,
                "\(url.hostAndPort) leads to a metadata service, which gives out a machine's own credentials and is never asked"
            )
        }
        let option = side == .pda ? "--allow-network pda=CIDR" : "--allow-network source=CIDR"
        return code == .schemeRefused
            ? HTTPError(code, "\(url.hostAndPort) would be reached without TLS; that needs \(option)")
            : HTTPError(code, "\(url.hostAndPort) is neither on the public internet nor in a network of \(option)")
    }

    private static let metadataNames: Set<String> = [
        "metadata.google.internal", "metadata.goog", "metadata", "instance-data", "instance-data.ec2.internal",
        "metadata.azure.com", "metadata.azure.internal", "metadata.tencentyun.com",
    ]
}
