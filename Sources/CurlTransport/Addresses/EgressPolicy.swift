/// The address rules of sources for connections that others make on a plug's behalf: the same tables, and the same networks that
/// the operator allows.
package struct EgressPolicy: Sendable, Equatable {
    private let policy: NetworkPolicy

    /// The rules of a transport.
    package init(_ policy: NetworkPolicy) { self.policy = policy }

    /// Whether all connections must go through a proxy.
    package var hasProxy: Bool { policy.proxy != nil }

    /// The host of a connection as requests write it: in lower case, and an address only in its canonical form. `nil` for text
    /// that is not a host, and for a host of metadata services.
    ///
    /// - Parameter isSecure: Whether the traffic is encrypted.
    package func target(_ host: String, port: Int, isSecure: Bool) -> EgressTarget? {
        guard (1...65_535).contains(port), let url = try? HTTPURL("\(isSecure ? "https" : "http")://\(host):\(port)/")
        else { return nil }
        let guarding = AddressGuard(url: url, side: .source, policy: policy)
        guard (try? guarding.check()) != nil else { return nil }
        return EgressTarget(url: url, guarding: guarding)
    }
}

/// A host that may be requested; which of its addresses may be dialled is a separate question.
package struct EgressTarget: Sendable {
    private let url: HTTPURL
    private let guarding: AddressGuard

    init(url: HTTPURL, guarding: AddressGuard) { (self.url, self.guarding) = (url, guarding) }

    /// In lower case; an IPv6 address in brackets.
    package var host: String { url.host }
    /// Its port.
    package var port: Int { url.port }
    /// `https` or `http`.
    package var scheme: String { url.scheme }

    /// Whether an address to which the host resolved may be dialled.
    package func mayDial(_ address: IPAddress) -> Bool { guarding.refusal(of: address) == nil }
}
