/// Decides which addresses one request may be sent to.
struct AddressGuard: Sendable {
    /// The requested host and port.
    let hostAndPort: String
    /// Whether the host names this machine: a loopback address, or `localhost`.
    private let namesThisMachine: Bool
    /// Whether the request is encrypted on the way.
    let isSecure: Bool
    /// Which networks are open.
    let side: NetworkSide
    /// What the operator allowed.
    let policy: NetworkPolicy

    init(url: HTTPURL, side: NetworkSide, policy: NetworkPolicy) {
        hostAndPort = url.hostAndPort
        namesThisMachine = url.host == "localhost" || url.address?.isLoopback == true
        isSecure = url.isSecure
        self.side = side
        self.policy = policy
    }

    /// Whether a proxy is dialled in the host's place. A trusted PDA is on this machine and never behind one, and neither is a
    /// server in a source's place.
    var usesProxy: Bool { policy.proxy != nil && !isTrustedPDA && !isStandIn }

    /// A name that resolves to this machine is not enough: its owner decides where it leads.
    private var isTrustedPDA: Bool { side == .pda && namesThisMachine && policy.trustedPDAs.contains(hostAndPort) }

    private var isStandIn: Bool { side == .source && policy.standIns.contains(hostAndPort) }

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
        return isSecure ? nil : .schemeRefused
    }

    /// Refuses whatever can be refused before a name is resolved: hosts that are addresses, names that lead to metadata services,
    /// and http if a proxy would resolve the name.
    static func check(_ url: HTTPURL, side: NetworkSide, policy: NetworkPolicy) throws(HTTPError) {
        let guarding = AddressGuard(url: url, side: side, policy: policy)
        if metadataNames.contains(url.host) { throw guarding.error(.metadataRefused) }
        if let address = url.address {
            if let code = guarding.refusal(of: address) { throw guarding.error(code) }
        } else if guarding.usesProxy, !url.isSecure {
            throw guarding.error(.schemeRefused)
        }
    }

    /// The error for a refusal. It says nothing about the address that the name led to.
    func error(_ code: HTTPError.Code) -> HTTPError {
        if code == .metadataRefused {
            return HTTPError(
                code,
                "\(hostAndPort) leads to a metadata service, which gives out a machine's own credentials and is never asked"
            )
        }
        let option = side == .pda ? "--allow-network pda=CIDR" : "--allow-network source=CIDR"
        return code == .schemeRefused
            ? HTTPError(code, "\(hostAndPort) would be reached without TLS; that needs \(option)")
            : HTTPError(code, "\(hostAndPort) is neither on the public internet nor in a network of \(option)")
    }

    private static let metadataNames: Set<String> = [
        "metadata.google.internal", "metadata.goog", "metadata", "instance-data", "instance-data.ec2.internal",
        "metadata.azure.com", "metadata.azure.internal", "metadata.tencentyun.com",
    ]
}
